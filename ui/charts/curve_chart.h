#pragma once
// Functions of one variable as lines, or as stems if they are defined only at integers. Hovering shows all values at
// one position, which the arrow keys move.

#include <optional>
#include <vector>

#include "ui/charts/chart.h"

namespace sscope {

struct Curve {
  QString name;              // in the legend
  std::vector<double> x, y;  // x ascending, the same length
  bool stems = false;        // from zero to each point
  QColor color{};            // not valid: a color of the palette
  bool marks = false;        // a disc at each point of the line
  bool dashed = false;       // distinguishes curves of the same color
  double width = 1;          // of the line, relative to the default; wide lines remain visible beneath narrow ones
};

struct CurvePlot {
  QString title, stem;  // "Scaling function", "scaling-function"
  QString xLabel, yLabel;
  bool logarithmic = false;  // y; omits points that are not positive
  std::vector<Curve> curves;
  QString note;         // one sentence below the title; may be empty
  bool whole = false;   // numbers of x only where they are whole
  bool fitted = false;  // y from the lowest to the highest value; otherwise zero is on the axis
};

class CurveChart : public Plot {
  Q_OBJECT
 public:
  explicit CurveChart(QWidget* parent = nullptr);
  // Keeps the reading position if the new plot has the same stem.
  void setPlot(CurvePlot plot);
  [[nodiscard]] const CurvePlot& plot() const { return plot_; }
  [[nodiscard]] std::string csv() const override;
  // The values of all curves, each at its point nearest to x, as rich text.
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
  void drawReading(QPainter& painter, const Frame& frame) const;

  CurvePlot plot_;
  std::optional<double> at_;  // x under the mouse or the keyboard
};

}  // namespace sscope
