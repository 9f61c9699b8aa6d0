#include "ui/charts/curve_chart.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/base/text.h"
#include "ui/charts/chart_format.h"

namespace sscope {

namespace {

constexpr double kMostDecades = 20;
// In lines of text: the space of the axes above the curves and in all, and the least height of the curves.
constexpr double kAbove = 1.6, kAxes = 4, kLeast = 3;

std::size_t nearest(const std::vector<double>& xs, double x) {
  const auto above = std::lower_bound(xs.begin(), xs.end(), x);
  if (above == xs.begin()) return 0;
  if (above == xs.end()) return xs.size() - 1;
  const auto index = static_cast<std::size_t>(above - xs.begin());
  return x - xs[index - 1] < xs[index] - x ? index - 1 : index;
}

// More than half a step outside the range of the curve.
bool beyond(const std::vector<double>& xs, double x) {
  if (xs.size() < 2) return false;
  return x < xs.front() - (xs[1] - xs[0]) / 2 || x > xs.back() + (xs.back() - xs[xs.size() - 2]) / 2;
}

}  // namespace

// The area of the lines, and the values at its edges (exponents of ten where it is logarithmic).
struct CurveChart::Frame {
  QRectF area;
  double left = 0, right = 1, low = 0, high = 1;
  bool log = false;
  std::vector<double> xTicks, yTicks;

  [[nodiscard]] double x(double value) const { return area.left() + (value - left) / (right - left) * area.width(); }
  [[nodiscard]] double y(double value) const {
    return area.bottom() - ((log ? std::log10(value) : value) - low) / (high - low) * area.height();
  }
  [[nodiscard]] bool shows(double value) const {
    return std::isfinite(value) && (!log || (value > 0 && std::log10(value) >= low - 1e-9));
  }
  [[nodiscard]] QString yText(double tick) const {
    if (!log) return QString::number(tick, 'g', 4);
    return tick >= -3 && tick <= 3 ? QString::number(std::pow(10.0, tick), 'g', 4)
                                   : QStringLiteral("1e%1").arg(static_cast<int>(tick));
  }
};

CurveChart::CurveChart(QWidget* parent) : Plot(parent) {}

void CurveChart::setPlot(CurvePlot plot) {
  if (plot.stem != plot_.stem || plot.curves.empty()) at_.reset();
  plot_ = std::move(plot);
  setTitle(plot_.title, plot_.stem);
  QStringList words;
  if (!plot_.note.isEmpty()) words << plot_.note;
  for (const Curve& curve : plot_.curves) words << curve.name;
  setAccessibleDescription(words.join(QStringLiteral("; ")));
  update();
}

CurveChart::Frame CurveChart::frame() const {
  Frame f;
  f.log = plot_.logarithmic;
  double left = 1e300, right = -1e300, low = 1e300, high = -1e300;
  for (const Curve& curve : plot_.curves) {
    for (const double x : curve.x) left = std::min(left, x), right = std::max(right, x);
    for (const double y : curve.y) {
      if (!std::isfinite(y) || (f.log && y <= 0)) continue;
      const double value = f.log ? std::log10(y) : y;
      low = std::min(low, value), high = std::max(high, value);
    }
  }
  if (!(left <= right)) left = 0, right = 1;
  if (left == right) right = left + 1;
  if (!(low <= high)) low = 0, high = 1;
  const double em = line();
  QRectF area = below();
  area.adjust(0, drawLegend(nullptr, area) + kAbove * em, -0.6 * em, -(kAxes - kAbove) * em);
  const int rows = std::clamp(static_cast<int>(area.height() / (1.8 * em)), 2, 7);
  if (f.log) {
    high = std::ceil(high + 0.01);
    low = std::max(std::floor(low), high - kMostDecades);
    const double step = std::max(1.0, std::ceil((high - low) / rows));
    for (double tick = high; tick >= low - 1e-9; tick -= step) f.yTicks.push_back(tick);
  } else {
    if (!plot_.fitted || low == high) low = std::min(low, 0.0), high = std::max(high, 0.0);
    f.yTicks = roundTicks(low, high > low ? high : low + 1, rows);
    low = f.yTicks.front(), high = f.yTicks.back();
  }
  f.low = low, f.high = high > low ? high : low + 1;
  const QFontMetricsF metrics(font());
  double labels = 0;
  for (const double tick : f.yTicks) labels = std::max(labels, metrics.horizontalAdvance(f.yText(tick)));
  area.setLeft(area.left() + labels + 0.5 * em);
  f.area = area;
  const int columns = std::clamp(static_cast<int>(area.width() / (3.5 * em)), 2, 10);
  f.left = left, f.right = right;
  for (const double tick : roundTicks(left, right, columns))
    if (tick >= left - 1e-9 * (right - left) && tick <= right + 1e-9 * (right - left) &&
        !(plot_.whole && std::abs(tick - std::round(tick)) > 1e-9))
      f.xTicks.push_back(tick);
  return f;
}

// Curves without a color of their own differ in color and dashes.
QPen CurveChart::penOf(std::size_t curve) const {
  if (const Curve& own = plot_.curves[curve]; own.color.isValid())
    return QPen(own.color, 0.1 * own.width * line(), own.dashed ? Qt::DashLine : Qt::SolidLine, Qt::RoundCap,
                Qt::RoundJoin);
  const QColor colors[] = {wash(1), ink(), pale()};
  static constexpr Qt::PenStyle kStyles[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine};
  return QPen(colors[curve % 3], 0.1 * line(), kStyles[curve % 3], Qt::RoundCap, Qt::RoundJoin);
}

double CurveChart::drawLegend(QPainter* painter, const QRectF& area) const {
  const QFontMetricsF metrics(font());
  const double em = line(), swatch = 1.5 * em;
  double x = area.left(), y = area.top();
  const double note = heightOf(plot_.note);
  // A low chart leaves the note out, which is also the accessible description.
  if (note > 0 && (plot_.curves.empty() || area.height() - note > (kAxes + kLeast) * em)) {
    if (painter) {
      painter->setPen(pale());
      painter->drawText(QRectF(x, y, area.width(), note + 1), Qt::TextWordWrap, plot_.note);
    }
    y += note + 0.2 * em;
  }
  if (plot_.curves.size() < 2) return y - area.top();
  for (std::size_t i = 0; i < plot_.curves.size(); ++i) {
    const QString& name = plot_.curves[i].name;
    const double width = swatch + 0.3 * em + metrics.horizontalAdvance(name);
    if (x > area.left() && x + width > area.right()) x = area.left(), y += 1.15 * em;
    if (painter) {
      painter->setPen(penOf(i));
      painter->drawLine(QPointF(x, y + em / 2), QPointF(x + swatch, y + em / 2));
      painter->setPen(ink());
      painter->drawText(QRectF(x + swatch + 0.3 * em, y, area.right() - x - swatch, em),
                        Qt::AlignVCenter | Qt::AlignLeft, name);
    }
    x += width + 0.9 * em;
  }
  return y + 1.15 * em - area.top();
}

void CurveChart::drawAxes(QPainter& painter, const Frame& f) const {
  const double em = line();
  for (const double tick : f.yTicks) {
    const double y = std::round(f.area.bottom() - (tick - f.low) / (f.high - f.low) * f.area.height()) + 0.5;
    painter.setPen(QPen(ink(tick == 0 && !f.log ? kAxis : kGrid), 1));
    painter.drawLine(QPointF(f.area.left(), y), QPointF(f.area.right(), y));
    painter.setPen(pale());
    painter.drawText(QRectF(0, y - em / 2, f.area.left() - 0.3 * em, em), Qt::AlignRight | Qt::AlignVCenter,
                     f.yText(tick));
  }
  for (const double tick : f.xTicks) drawTick(painter, f.area, f.x(tick), QString::number(tick, 'g', 4));
  drawAxisName(painter, f.area, plot_.xLabel);
  painter.drawText(QRectF(below().left(), f.area.top() - 1.6 * em, f.area.right() - below().left(), 1.1 * em),
                   Qt::AlignLeft | Qt::AlignVCenter, plot_.yLabel);
}

void CurveChart::drawCurve(QPainter& painter, const Frame& f, std::size_t index) const {
  const Curve& curve = plot_.curves[index];
  const QPen pen = penOf(index);
  painter.setPen(pen);
  if (curve.stems) {
    const double radius = 0.22 * line();
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (!f.shows(curve.y[i])) continue;
      const QPointF at(f.x(curve.x[i]), f.y(curve.y[i]));
      painter.setPen(pen);
      painter.drawLine(QPointF(at.x(), f.log ? f.area.bottom() : f.y(0)), at);
      painter.setBrush(pen.color());
      painter.drawEllipse(at, radius, radius);
    }
    return;
  }
  QPainterPath path;
  bool drawing = false;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (!f.shows(curve.y[i])) {
      drawing = false;
      continue;
    }
    const QPointF at(f.x(curve.x[i]), f.y(curve.y[i]));
    drawing ? path.lineTo(at) : path.moveTo(at);
    drawing = true;
  }
  if (curve.x.size() == 1 && drawing) {  // no line yet
    painter.setBrush(pen.color());
    painter.drawEllipse(path.currentPosition(), 0.15 * line(), 0.15 * line());
    return;
  }
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(path);
  if (!curve.marks) return;
  painter.setPen(Qt::NoPen);
  painter.setBrush(pen.color());
  const double radius = 0.18 * line();
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    if (f.shows(curve.y[i])) painter.drawEllipse(QPointF(f.x(curve.x[i]), f.y(curve.y[i])), radius, radius);
}

void CurveChart::draw(QPainter& painter) const {
  drawTitle(painter);
  drawLegend(&painter, below());
  if (plot_.curves.empty()) return;
  const Frame f = frame();
  if (f.area.height() < line()) return;  // no space for the axes
  drawAxes(painter, f);
  for (std::size_t i = 0; i < plot_.curves.size(); ++i) drawCurve(painter, f, i);
  if (at_) drawReading(painter, f);
}

void CurveChart::drawReading(QPainter& painter, const Frame& f) const {
  const double at = std::clamp(*at_, f.left, f.right);
  painter.setPen(QPen(ink(0.5F), 1));
  painter.drawLine(QPointF(f.x(at), f.area.top()), QPointF(f.x(at), f.area.bottom()));
  for (std::size_t i = 0; i < plot_.curves.size(); ++i) {
    const Curve& curve = plot_.curves[i];
    if (curve.x.empty() || beyond(curve.x, at)) continue;
    const std::size_t n = nearest(curve.x, at);
    if (!f.shows(curve.y[n])) continue;
    painter.setPen(QPen(penOf(i).color(), 0.1 * line()));
    painter.setBrush(palette().color(QPalette::Base));
    painter.drawEllipse(QPointF(f.x(curve.x[n]), f.y(curve.y[n])), 0.25 * line(), 0.25 * line());
  }
}

QString CurveChart::reading(double x) const {
  QString text;
  for (const Curve& curve : plot_.curves) {
    if (curve.x.empty() || beyond(curve.x, x)) continue;
    const std::size_t n = nearest(curve.x, x);
    if (std::isnan(curve.y[n])) continue;
    if (text.isEmpty())
      text = QStringLiteral("<p style='white-space:pre'>%1 %2</p>")
                 .arg(plot_.xLabel.toHtmlEscaped(), numberText(curve.x[n], 5));
    text += QStringLiteral("%1 <b>%2</b><br>").arg(curve.name.toHtmlEscaped(), numberText(curve.y[n], 6));
  }
  return text;
}

QString CurveChart::point(const QPointF& position) {
  const Frame f = frame();
  if (plot_.curves.empty() || f.area.height() < line() || !f.area.adjusted(-line(), 0, line(), 0).contains(position)) {
    leave();
    return {};
  }
  at_ = std::clamp(f.left + (position.x() - f.area.left()) / f.area.width() * (f.right - f.left), f.left, f.right);
  update();
  return reading(*at_);
}

void CurveChart::leave() {
  if (!at_) return;
  at_.reset();
  update();
}

void CurveChart::keyPressEvent(QKeyEvent* event) {
  const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
  if (step == 0 || plot_.curves.empty() || plot_.curves.front().x.empty()) {
    QWidget::keyPressEvent(event);
    return;
  }
  const std::vector<double>& xs = plot_.curves.front().x;
  const auto last = static_cast<std::ptrdiff_t>(xs.size()) - 1;
  const std::ptrdiff_t by = step * std::max<std::ptrdiff_t>(1, last / 64);
  const std::ptrdiff_t now = at_ ? static_cast<std::ptrdiff_t>(nearest(xs, *at_)) + by : last / 2;
  at_ = xs[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(now, 0, last))];
  setAccessibleDescription(reading(*at_));
  const Frame f = frame();
  QToolTip::showText(mapToGlobal(QPointF(f.x(*at_), f.area.top()).toPoint()), reading(*at_), this);
  update();
}

std::string CurveChart::csv() const {
  std::string out = "curve,x,y\n";
  for (const Curve& curve : plot_.curves)
    for (std::size_t i = 0; i < curve.x.size(); ++i) out += csvLine(curve.name, curve.x[i], curve.y[i]);
  return out;
}

}  // namespace sscope

#include "moc_curve_chart.cpp"
