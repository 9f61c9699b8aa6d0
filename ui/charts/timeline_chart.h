#pragma once
// A timeline of kernels: time to the right, one row per kernel. The wheel or + and - zoom, dragging or the arrow keys
// move, and Home returns to the chosen iteration.

#include <vector>

#include "core/measure/kernel_trace.h"
#include "ui/charts/chart.h"

namespace sscope {

class TimelineChart : public Plot {
  Q_OBJECT
 public:
  explicit TimelineChart(QWidget* parent = nullptr);
  // Spans in the order of their start. `note` is shown if the trace is empty.
  void setTrace(KernelTrace trace, const QColor& color, const QString& note);
  [[nodiscard]] const KernelTrace& trace() const { return trace_; }
  // Shows one iteration; the spans of others are pale. Negative: the whole trace.
  void setIteration(int iteration);
  [[nodiscard]] int iteration() const { return iteration_; }
  // The visible range, in seconds of the trace.
  [[nodiscard]] double viewBegin() const { return begin_; }
  [[nodiscard]] double viewEnd() const { return end_; }
  // Zooms around the point at this share of the view, 0 at the left; factors above 1 zoom in.
  void zoom(double factor, double share = 0.5);
  // Moves by this share of the view.
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
  // Rows divide the available height, up to a limit.
  [[nodiscard]] double rowHeight() const;
  [[nodiscard]] QRectF rectIn(const QRectF& area, std::size_t span) const;
  // The range of spans that may be visible.
  [[nodiscard]] std::pair<std::size_t, std::size_t> visible() const;
  void drawAxis(QPainter& painter) const;
  void drawSpans(QPainter& painter) const;

  KernelTrace trace_;
  std::vector<std::string> kernels_;  // rows, in the order of their first span
  std::vector<std::size_t> rows_;     // of each span
  QColor color_;
  QString note_;
  double begin_ = 0, end_ = 1;              // the view
  double chosenBegin_ = 0, chosenEnd_ = 1;  // of the iteration
  double longest_ = 0;                      // of the spans
  double last_ = 0;                         // the latest end; the span that begins last need not end last
  int iteration_ = -1;
  double dragged_ = 0;  // last x of the mouse while dragging
  bool dragging_ = false;
};

}  // namespace sscope
