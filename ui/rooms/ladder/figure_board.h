#pragma once
// The figures of a ladder in a grid with as many columns as fit.

#include <QScrollArea>
#include <vector>

#include "ui/rooms/ladder/figure_chart.h"

namespace sscope {

class FigureBoard : public QScrollArea {
  Q_OBJECT
 public:
  explicit FigureBoard(QWidget* parent = nullptr);

  // Reuses the charts of figures that were shown before, and keeps the keyboard focus and scroll position.
  void setFigures(std::vector<Figure> figures, const SharedMeasurements& measurements);
  [[nodiscard]] const std::vector<FigureChart*>& charts() const { return charts_; }

 Q_SIGNALS:
  void chosen(const sscope::Measurement& measurement);
  void exportRequested(const sscope::FigureChart* chart, bool png);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void arrange();

  std::vector<FigureChart*> charts_;
};

}  // namespace sscope
