#include "ui/charts/timeline_chart.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"

namespace sscope {

namespace {

constexpr double kZoomStep = 1.25;  // for a notch of the wheel
constexpr double kPanStep = 0.1;
constexpr double kLeastBar = 1.35, kMostBar = 3;  // lines
constexpr double kBelowRows = 2.4;                // lines, for the axis
constexpr double kShortestView = 1e-9;            // seconds

}  // namespace

TimelineChart::TimelineChart(QWidget* parent) : Plot(parent), color_(palette().color(QPalette::Highlight)) {
  setTitle(tr("Timeline"), QStringLiteral("timeline"));
}

void TimelineChart::setTrace(KernelTrace trace, const QColor& color, const QString& note) {
  trace_ = std::move(trace);
  color_ = color;
  note_ = note;
  kernels_.clear();
  rows_.clear();
  longest_ = last_ = 0;
  for (const KernelSpan& span : trace_.spans) {
    const auto found = std::find(kernels_.begin(), kernels_.end(), span.kernel);
    rows_.push_back(static_cast<std::size_t>(found - kernels_.begin()));
    if (found == kernels_.end()) kernels_.push_back(span.kernel);
    longest_ = std::max(longest_, span.end - span.start);
    last_ = std::max(last_, span.end);
  }
  light(-1);
  updateGeometry();
  setIteration(iteration_);
}

void TimelineChart::setIteration(int iteration) {
  iteration_ = iteration;
  double begin = 1e300, end = -1e300;
  for (const KernelSpan& span : trace_.spans)
    if (iteration < 0 || span.iteration == iteration)
      begin = std::min(begin, span.start), end = std::max(end, span.end);
  if (!(begin < end)) begin = 0, end = 1;
  chosenBegin_ = begin;
  chosenEnd_ = end;
  setTitle(iteration < 0 ? tr("Timeline") : tr("Timeline of iteration %1").arg(iteration), QStringLiteral("timeline"));
  QStringList texts;
  if (trace_.spans.empty()) texts << note_;
  for (const KernelSpan& span : trace_.spans)
    if (span.iteration == iteration && texts.size() < 40)
      texts << toQt(span.kernel) + QLatin1Char(' ') + formatSeconds(span.end - span.start);
  setAccessibleDescription(texts.join(QStringLiteral("; ")));
  showChosen();
}

void TimelineChart::showChosen() { setView(chosenBegin_, chosenEnd_); }

void TimelineChart::setView(double begin, double end) {
  begin_ = begin;
  end_ = std::max(end, begin + kShortestView);
  update();
}

void TimelineChart::zoom(double factor, double share) {
  if (trace_.spans.empty()) return;
  const double whole = last_ - trace_.spans.front().start;
  const double length = std::clamp((end_ - begin_) / factor, kShortestView, std::max(whole, kShortestView));
  const double at = begin_ + share * (end_ - begin_);
  setView(at - share * length, at + (1 - share) * length);
  pan(0);  // back inside the trace
}

void TimelineChart::pan(double share) {
  if (trace_.spans.empty()) return;
  const double length = end_ - begin_;
  const double first = trace_.spans.front().start;
  const double begin = std::clamp(begin_ + share * length, first, std::max(first, last_ - length));
  setView(begin, begin + length);
}

double TimelineChart::rowHeight() const {
  const double rows = static_cast<double>(std::max<std::size_t>(1, kernels_.size()));
  return std::clamp((below().height() - kBelowRows * line()) / rows, kLeastBar * line(), kMostBar * line());
}

QSize TimelineChart::sizeHint() const {
  const double rows = kLeastBar * line() * static_cast<double>(std::max<std::size_t>(3, kernels_.size()));
  return {em(this, 24), static_cast<int>(std::ceil(5.6 * line() + rows))};
}

QSize TimelineChart::minimumSizeHint() const { return {em(this, 12), sizeHint().height()}; }

QRectF TimelineChart::area() const {
  const QFontMetricsF metrics(font());
  double names = 0;
  for (const std::string& kernel : kernels_) names = std::max(names, metrics.horizontalAdvance(toQt(kernel)));
  QRectF whole = below();
  whole.setLeft(whole.left() + std::min(names, 0.35 * width()) + 0.5 * line());
  whole.setTop(whole.top() + 0.2 * line());
  whole.setHeight(rowHeight() * static_cast<double>(std::max<std::size_t>(1, kernels_.size())));
  return whole;
}

std::pair<std::size_t, std::size_t> TimelineChart::visible() const {
  const auto& spans = trace_.spans;
  const auto first = std::lower_bound(spans.begin(), spans.end(), begin_ - longest_,
                                      [](const KernelSpan& span, double at) { return span.start < at; });
  const auto last =
      std::upper_bound(first, spans.end(), end_, [](double at, const KernelSpan& span) { return at < span.start; });
  return {static_cast<std::size_t>(first - spans.begin()), static_cast<std::size_t>(last - spans.begin())};
}

QRectF TimelineChart::rectIn(const QRectF& area, std::size_t span) const {
  const KernelSpan& one = trace_.spans[span];
  const double scale = area.width() / (end_ - begin_), row = rowHeight();
  const double left = std::max(area.left(), area.left() + (one.start - begin_) * scale);
  const double right = std::min(area.right(), area.left() + (one.end - begin_) * scale);
  return {left, area.top() + row * (static_cast<double>(rows_[span]) + 0.18), right - left, 0.64 * row};
}

void TimelineChart::drawAxis(QPainter& painter) const {
  const QRectF box = area();
  const double em = line(), length = end_ - begin_;
  const QFontMetricsF metrics(font());
  const TimeUnit unit = timeUnit(length);
  // From the beginning of the iteration.
  const double left = (begin_ - chosenBegin_) * unit.perSecond, right = (end_ - chosenBegin_) * unit.perSecond;
  for (const double tick : roundTicks(left, right, std::clamp(static_cast<int>(box.width() / (4 * em)), 1, 8))) {
    if (tick < left - 1e-9 * (right - left) || tick > right + 1e-9 * (right - left)) continue;
    drawTick(painter, box, box.left() + (tick - left) / (right - left) * box.width(),
             QString::number(std::abs(tick) < 1e-12 * (right - left) ? 0 : tick, 'g', 6));
  }
  drawAxisName(painter, box,
               iteration_ < 0 ? tr("%1 from the beginning").arg(unit.name)
                              : tr("%1 from the beginning of the iteration").arg(unit.name));
  painter.setPen(ink());
  for (std::size_t row = 0; row < kernels_.size(); ++row) {
    const QRectF name(below().left(), box.top() + rowHeight() * static_cast<double>(row),
                      box.left() - 0.5 * em - below().left(), rowHeight());
    painter.drawText(name, Qt::AlignRight | Qt::AlignVCenter,
                     metrics.elidedText(toQt(kernels_[row]), Qt::ElideMiddle, name.width() + 1));
  }
}

void TimelineChart::drawSpans(QPainter& painter) const {
  const auto [first, last] = visible();
  const QRectF box = area();
  QColor other = color_;
  other.setAlphaF(0.3F);
  painter.setRenderHint(QPainter::Antialiasing, false);
  // Spans narrower than a pixel that overlap are drawn once.
  std::vector<double> drawn(kernels_.size(), -1);
  for (std::size_t i = first; i < last; ++i) {
    QRectF rect = rectIn(box, i);
    if (rect.right() < box.left() || rect.width() < 0) continue;
    if (rect.right() < drawn[rows_[i]] + 0.5) continue;
    drawn[rows_[i]] = rect.right();
    rect.setWidth(std::max(rect.width(), 1.0));
    const bool chosen = iteration_ < 0 || trace_.spans[i].iteration == iteration_;
    painter.fillRect(rect, chosen ? color_ : other);
    if (static_cast<int>(i) != lit()) continue;
    painter.setPen(QPen(ink(), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect);
  }
  painter.setRenderHint(QPainter::Antialiasing);
}

void TimelineChart::draw(QPainter& painter) const {
  drawTitle(painter);
  if (trace_.spans.empty()) {
    painter.setPen(pale());
    painter.drawText(below(), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, note_);
    return;
  }
  drawAxis(painter);
  drawSpans(painter);
}

int TimelineChart::spanAt(const QPointF& position) const {
  const QRectF box = area();
  if (trace_.spans.empty() || !box.contains(position)) return -1;
  const auto row = static_cast<std::size_t>((position.y() - box.top()) / rowHeight());
  const auto [first, last] = visible();
  int found = -1;
  double nearest = 3;  // pixels
  for (std::size_t i = first; i < last; ++i) {
    if (rows_[i] != row) continue;
    const QRectF rect = rectIn(box, i);
    const double away = std::max({rect.left() - position.x(), position.x() - rect.right(), 0.0});
    if (away < nearest) nearest = away, found = static_cast<int>(i);
  }
  return found;
}

QString TimelineChart::point(const QPointF& position) {
  light(spanAt(position));
  if (lit() < 0) return {};
  const KernelSpan& span = trace_.spans[static_cast<std::size_t>(lit())];
  return tr("<b>%1</b><br>%2, from %3 of the run<br>iteration %4")
      .arg(toQt(span.kernel).toHtmlEscaped(), formatSeconds(span.end - span.start), formatSeconds(span.start))
      .arg(span.iteration);
}

void TimelineChart::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) {
    Plot::mousePressEvent(event);
    return;
  }
  dragging_ = true;
  dragged_ = event->position().x();
}

void TimelineChart::mouseMoveEvent(QMouseEvent* event) {
  if (!dragging_) {
    Plot::mouseMoveEvent(event);
    return;
  }
  QToolTip::hideText();
  pan((dragged_ - event->position().x()) / std::max(1.0, area().width()));
  dragged_ = event->position().x();
}

void TimelineChart::mouseReleaseEvent(QMouseEvent* event) {
  dragging_ = false;
  Plot::mouseReleaseEvent(event);
}

void TimelineChart::mouseDoubleClickEvent(QMouseEvent* /*event*/) { showChosen(); }

void TimelineChart::wheelEvent(QWheelEvent* event) {
  const QRectF box = area();
  const double share = std::clamp((event->position().x() - box.left()) / std::max(1.0, box.width()), 0.0, 1.0);
  zoom(std::pow(kZoomStep, event->angleDelta().y() / 120.0), share);
  event->accept();
}

void TimelineChart::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoom(kZoomStep); return;
    case Qt::Key_Minus: zoom(1 / kZoomStep); return;
    case Qt::Key_Left: pan(-kPanStep); return;
    case Qt::Key_Right: pan(kPanStep); return;
    case Qt::Key_Home: showChosen(); return;
    default: Plot::keyPressEvent(event);
  }
}

std::string TimelineChart::csv() const {
  std::string out = "kernel,start_s,end_s,iteration\n";
  for (const KernelSpan& span : trace_.spans) out += csvLine(span.kernel, span.start, span.end, span.iteration);
  return out;
}

}  // namespace sscope

#include "moc_timeline_chart.cpp"
