#pragma once
// When each kernel ran: time to the right, one row a kernel. The wheel zooms, dragging moves; the same with + - and the
// arrow keys, and Home goes back to what was chosen.

#include <vector>

#include "core/measure/kernel_trace.h"
#include "ui/charts/plot.h"

namespace sscope {

class TimelineChart : public Plot {
  Q_OBJECT
 public:
  explicit TimelineChart(QWidget* parent = nullptr);
  // Spans in the order of their start. `note` stands in the place of an empty trace.
  void setTrace(KernelTrace trace, const QColor& color, const QString& note);
  [[nodiscard]] const KernelTrace& trace() const { return trace_; }
  // Shows this iteration; spans of others are pale. Negative: the whole trace.
  void setIteration(int iteration);
  [[nodiscard]] int iteration() const { return iteration_; }
  // What is seen, in seconds of the trace.
  [[nodiscard]] double viewBegin() const { return begin_; }
  [[nodiscard]] double viewEnd() const { return end_; }
  // Around the point at this share of the view, 0 at its left end; factors above 1 show less.
  void zoom(double factor, double share = 0.5);
  // By this share of the view.
  void pan(double share);
  // Index of the span there, -1 for none.
  [[nodiscard]] int spanAt(const QPointF& position) const;
  [[nodiscard]] QRectF rectOf(std::size_t span) const { return rectIn(area(), span); }
  [[nodiscard]] std::string csv() const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void draw(QPainter& painter) const override;
  QString point(const QPointF& position) override;
  void leave() override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void showChosen();
  void setView(double begin, double end);
  [[nodiscard]] QRectF area() const;
  // Rows share the height there is, up to a limit.
  [[nodiscard]] double rowHeight() const;
  [[nodiscard]] QRectF rectIn(const QRectF& area, std::size_t span) const;
  // Those that may be seen.
  [[nodiscard]] std::pair<std::size_t, std::size_t> visible() const;
  void drawAxis(QPainter& painter) const;
  void drawSpans(QPainter& painter) const;

  KernelTrace trace_;
  std::vector<std::string> kernels_;  // rows, in the order of their first span
  std::vector<std::size_t> rows_;     // of each span
  QColor color_;
  QString note_;
  double begin_ = 0, end_ = 1;              // seen
  double chosenBegin_ = 0, chosenEnd_ = 1;  // of the iteration
  double longest_ = 0;                      // of the spans
  int iteration_ = -1;
  int lit_ = -1;
  double dragged_ = 0;  // x where the mouse was, while it is down
  bool dragging_ = false;
};

}  // namespace sscope
