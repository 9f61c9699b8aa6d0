#pragma once
// One figure of a ladder, with hovering, clicking and export. Painted with QPainter in the system's font and palette.

#include <QPointF>
#include <QScrollArea>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/measure/measurement.h"
#include "core/report/display_list.h"
#include "core/report/figure.h"
#include "ui/charts/chart.h"

namespace sscope {

using SharedMeasurements = std::shared_ptr<const std::vector<Measurement>>;

class FigureChart : public Chart {
  Q_OBJECT
 public:
  explicit FigureChart(QWidget* parent = nullptr);

  // `measurements` are the figure's.
  void setFigure(Figure figure, SharedMeasurements measurements);
  [[nodiscard]] const Figure& figure() const { return figure_; }
  [[nodiscard]] std::string csv() const override;
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;
  // The drawing for the current size, and its origin. Its targets are points and legend entries.
  [[nodiscard]] const report::DisplayList& drawing() const;
  [[nodiscard]] QPointF origin() const;
  // The tooltip, as rich text.
  [[nodiscard]] QString tip(const report::Target& target) const;

 Q_SIGNALS:
  // A measured point was clicked.
  void chosen(const sscope::Measurement& measurement);

 protected:
  void draw(QPainter& painter) const override;
  QString point(const QPointF& position) override;
  void leave() override;
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  [[nodiscard]] report::DisplayList laidOut(double width, double height) const;
  [[nodiscard]] double noteHeight(double width) const;
  [[nodiscard]] const Measurement* measurementAt(const report::Target& target) const;
  [[nodiscard]] std::optional<std::size_t> targetAt(const QPointF& position) const;
  void choose(std::optional<std::size_t> target);
  // Highlights a target. `tipAtOnce`: shows its tooltip beside it, for the keyboard.
  void highlight(std::optional<std::size_t> target, bool tipAtOnce);
  void step(int by);

  Figure figure_;
  SharedMeasurements measurements_;
  mutable std::optional<report::DisplayList> drawing_;  // cached until size, font or palette change
  std::optional<std::size_t> highlighted_;
};

// The figures of a ladder in a grid with as many columns as fit.
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
