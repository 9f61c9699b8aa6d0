#pragma once
// Functions of one variable as lines, or as stems where they are defined at whole numbers only. Hovering reads all of
// them off at one place; the arrow keys move that place.

#include <optional>
#include <vector>

#include "ui/charts/plot.h"

namespace sscope {

struct Curve {
  QString name;              // in the legend
  std::vector<double> x, y;  // x ascending, the same length
  bool stems = false;        // from zero to each point
  QColor color{};            // not valid: one of the palette
  bool marks = false;        // a disc at each point of the line
  bool dashed = false;       // with a color: one that is told apart from another of the same color
  double width = 1;          // of the line, times the usual: wide ones show beneath narrow ones that cover them
};

struct CurvePlot {
  QString title, stem;  // "Scaling function", "scaling-function"
  QString xLabel, yLabel;
  bool logarithmic = false;  // y; points that are not positive are left out
  std::vector<Curve> curves;
  QString note;         // one sentence below the title; may be empty
  bool whole = false;   // x: marks at whole numbers only
  bool fitted = false;  // y: from the lowest value to the highest, where zero says nothing; else zero is on the axis
};

class CurveChart : public Plot {
  Q_OBJECT
 public:
  explicit CurveChart(QWidget* parent = nullptr);
  // What is read off stays where it was while a plot of the same stem is replaced.
  void setPlot(CurvePlot plot);
  [[nodiscard]] const CurvePlot& plot() const { return plot_; }
  [[nodiscard]] std::string csv() const override;
  // All curves at x, each at its nearest point, as rich text.
  [[nodiscard]] QString reading(double x) const;

 protected:
  void draw(QPainter& painter) const override;
  QString point(const QPointF& position) override;
  void leave() override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Frame;
  [[nodiscard]] Frame frame() const;
  [[nodiscard]] QPen penOf(std::size_t curve) const;
  double drawLegend(QPainter* painter, const QRectF& area) const;
  void drawAxes(QPainter& painter, const Frame& frame) const;
  void drawCurve(QPainter& painter, const Frame& frame, std::size_t curve) const;
  void drawMark(QPainter& painter, const Frame& frame) const;

  CurvePlot plot_;
  std::optional<double> at_;  // x under the mouse or the keyboard
};

}  // namespace sscope
