#pragma once
// The figures of a ladder side by side, as many in a row as there is room for.

#include <QScrollArea>
#include <vector>

#include "ui/rooms/ladder/figure_chart.h"

namespace sscope {

class FigureBoard : public QScrollArea {
  Q_OBJECT
 public:
  explicit FigureBoard(QWidget* parent = nullptr);

  // Charts of figures that were there before stay, with the keyboard's focus and the place of the scroll bar.
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
