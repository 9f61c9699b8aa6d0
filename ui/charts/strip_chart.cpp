#include "ui/charts/strip_chart.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/color_scale.h"

namespace sscope {

namespace {

constexpr double kSlim = 1.4, kLeastStrip = 2.6, kNames = 9, kFoot = 1.5, kGap = 0.35;  // lines of text
constexpr double kStep = 1;                                                             // seconds, of an arrow key

double highestOf(const Strip& strip) {
  double highest = strip.highest;
  if (highest > 0) return highest;
  for (const StripSeries& series : strip.series)
    for (const QPointF& point : series.points)
      if (std::isfinite(point.y())) highest = std::max(highest, point.y());
  return highest > 0 ? zeroBasedTicks(highest, 2).back() : 1;
}

// The point nearest to a time, within some seconds.
const QPointF* pointAt(const StripSeries& series, double seconds) {
  const QPointF* nearest = nullptr;
  for (const QPointF& point : series.points)
    if (std::isfinite(point.y()) && std::abs(point.x() - seconds) < 2 * kStep &&
        (nearest == nullptr || std::abs(point.x() - seconds) < std::abs(nearest->x() - seconds)))
      nearest = &point;
  return nearest;
}

}  // namespace

StripChart::StripChart(QWidget* parent) : Plot(parent) {}

void StripChart::setPlot(StripPlot plot) {
  const bool others = plot.strips.size() != plot_.strips.size();
  plot_ = std::move(plot);
  setTitle(plot_.title, plot_.stem);
  if (others) updateGeometry();
  update();
}

QSize StripChart::sizeHint() const { return {em(this, 40), em(this, 24)}; }

QSize StripChart::minimumSizeHint() const {
  double height = 3.4 + kFoot;
  for (const Strip& strip : plot_.strips) height += (strip.unavailable.isEmpty() ? kLeastStrip : kSlim) + kGap;
  return {em(this, 24), em(this, std::max(8.0, height))};
}

double StripChart::namesWidth() const { return kNames * line(); }

QRectF StripChart::area() const {
  const double em = line();
  return below().adjusted(namesWidth(), plot_.note.isEmpty() ? 0 : 1.3 * em, -0.5 * em, -kFoot * em);
}

// Strips without values are one line high; the others share the rest.
std::vector<QRectF> StripChart::stripAreas() const {
  const QRectF all = area();
  const double em = line();
  double rest = all.height();
  std::size_t full = 0;
  for (const Strip& strip : plot_.strips) {
    rest -= kGap * em + (strip.unavailable.isEmpty() ? 0 : kSlim * em);
    full += strip.unavailable.isEmpty() ? 1 : 0;
  }
  const double height = full == 0 ? 0 : std::max(kLeastStrip * em, rest / static_cast<double>(full));
  std::vector<QRectF> areas;
  double top = all.top();
  for (const Strip& strip : plot_.strips) {
    areas.emplace_back(all.left(), top, all.width(), strip.unavailable.isEmpty() ? height : kSlim * em);
    top = areas.back().bottom() + kGap * em;
  }
  return areas;
}

double StripChart::placeOf(double seconds) const {
  const QRectF all = area();
  return all.left() + all.width() * (seconds - plot_.begin) / (plot_.end - plot_.begin);
}

void StripChart::draw(QPainter& painter) const {
  drawTitle(painter);
  painter.setPen(quietColor(this));
  if (!plot_.note.isEmpty())
    painter.drawText(QRectF(below().left(), below().top() - 0.2 * line(), below().width(), 1.3 * line()),
                     Qt::AlignVCenter, QFontMetricsF(font()).elidedText(plot_.note, Qt::ElideRight, below().width()));
  drawTime(painter);
  const std::vector<QRectF> areas = stripAreas();
  for (std::size_t i = 0; i < areas.size(); ++i) drawStrip(painter, plot_.strips[i], areas[i]);
  if (!at_ || areas.empty()) return;
  painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
  const double x = placeOf(*at_);
  painter.drawLine(QPointF(x, areas.front().top()), QPointF(x, areas.back().bottom()));
}

void StripChart::drawTime(QPainter& painter) const {
  const QRectF all = area();
  const double em = line();
  const double every = all.width() < 20 * em ? 30 : 10;
  const std::vector<QRectF> areas = stripAreas();
  const double bottom = areas.empty() ? all.bottom() : areas.back().bottom();
  for (double seconds = plot_.begin; seconds <= plot_.end + 1e-9; seconds += every) {
    const double x = placeOf(seconds);
    painter.setPen(QPen(ink(kGrid), 1));
    painter.drawLine(QPointF(x, all.top()), QPointF(x, bottom));
    painter.setPen(quietColor(this));
    painter.drawText(QRectF(x - 4 * em, bottom + 0.15 * em, 8 * em, 1.1 * em),
                     seconds >= plot_.end ? Qt::AlignHCenter : Qt::AlignCenter,
                     seconds >= plot_.end ? tr("now") : tr("%1 s").arg(seconds));
  }
}

void StripChart::drawName(QPainter& painter, const Strip& strip, const QRectF& area, double highest) const {
  const double em = line();
  const QFontMetricsF metrics(font());
  const double width = namesWidth() - 0.5 * em;
  painter.setPen(ink());
  painter.drawText(QRectF(below().left(), area.top(), width, 1.1 * em), Qt::AlignVCenter,
                   metrics.elidedText(strip.name, Qt::ElideRight, width));
  if (!strip.unavailable.isEmpty()) return;
  painter.setPen(quietColor(this));
  painter.drawText(QRectF(below().left(), area.top() + 1.1 * em, width, 1.1 * em), Qt::AlignVCenter,
                   tr("to %1 %2").arg(formatNumber(highest), strip.unit));
}

void StripChart::drawStrip(QPainter& painter, const Strip& strip, const QRectF& area) const {
  const double highest = highestOf(strip);
  drawName(painter, strip, area, highest);
  if (!strip.unavailable.isEmpty()) {
    painter.setPen(quietColor(this));
    painter.drawText(
        area, Qt::AlignVCenter | Qt::AlignLeft,
        QFontMetricsF(font()).elidedText(tr("unavailable: %1").arg(strip.unavailable), Qt::ElideRight, area.width()));
    return;
  }
  painter.setPen(QPen(ink(0.3F), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(area);
  painter.save();
  painter.setClipRect(area);
  if (strip.kind == Strip::Kind::Rows)
    drawRows(painter, strip, area, highest);
  else
    drawLines(painter, strip, area, highest);
  painter.restore();
}

void StripChart::drawLines(QPainter& painter, const Strip& strip, const QRectF& area, double highest) const {
  const double radius = 0.18 * line();
  for (const StripSeries& series : strip.series) {
    QPainterPath path;
    bool gap = true;
    for (const QPointF& point : series.points) {
      if (!std::isfinite(point.y())) {
        gap = true;
        continue;
      }
      const QPointF at(placeOf(point.x()), area.bottom() - area.height() * std::min(1.0, point.y() / highest));
      if (strip.kind == Strip::Kind::Dots) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(series.color);
        painter.drawEllipse(at, radius, radius);
        continue;
      }
      if (gap)
        path.moveTo(at);
      else
        path.lineTo(at);
      gap = false;
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(series.color, 1.6));
    painter.drawPath(path);
  }
}

void StripChart::drawRows(QPainter& painter, const Strip& strip, const QRectF& area, double highest) const {
  painter.setRenderHint(QPainter::Antialiasing, false);
  const double height = area.height() / static_cast<double>(std::max<std::size_t>(1, strip.series.size()));
  for (std::size_t row = 0; row < strip.series.size(); ++row) {
    const std::vector<QPointF>& points = strip.series[row].points;
    for (std::size_t i = 1; i < points.size(); ++i) {
      if (!std::isfinite(points[i].y())) continue;
      const double left = placeOf(points[i - 1].x()), right = placeOf(points[i].x());
      painter.fillRect(QRectF(left, area.top() + static_cast<double>(row) * height, right - left + 0.5, height),
                       magnitudeColor(std::clamp(points[i].y() / highest, 0.0, 1.0)));
    }
  }
  painter.setRenderHint(QPainter::Antialiasing, true);
}

QString StripChart::reading(double seconds) const {
  QStringList lines{tr("<b>%1 s ago</b>").arg(numberText(std::max(0.0, plot_.end - seconds), 3))};
  for (const Strip& strip : plot_.strips) {
    if (!strip.unavailable.isEmpty()) continue;
    QStringList values;
    double sum = 0;
    std::size_t count = 0;
    for (const StripSeries& series : strip.series)
      if (const QPointF* point = pointAt(series, seconds)) {
        values << series.name.toHtmlEscaped() + QLatin1Char(' ') + formatNumber(point->y());
        sum += point->y();
        ++count;
      }
    constexpr std::size_t kMostNamed = 8;
    if (count == 0) continue;
    const QString text = count > kMostNamed
                             ? tr("mean of %1: %2").arg(count).arg(formatNumber(sum / static_cast<double>(count)))
                             : values.join(QStringLiteral(", "));
    lines << QStringLiteral("%1: %2 %3").arg(strip.name.toHtmlEscaped(), text, strip.unit);
  }
  return lines.join(QStringLiteral("<br>"));
}

QString StripChart::point(const QPointF& position) {
  const QRectF all = area();
  const std::vector<QRectF> areas = stripAreas();
  for (std::size_t i = 0; i < areas.size(); ++i)
    if (position.y() >= areas[i].top() && position.y() <= areas[i].bottom() && !plot_.strips[i].unavailable.isEmpty())
      return QStringLiteral("<p>%1</p>").arg(plot_.strips[i].unavailable.toHtmlEscaped());
  std::optional<double> at;
  if (!plot_.strips.empty() && position.x() >= all.left() && position.x() <= all.right())
    at = plot_.begin + (plot_.end - plot_.begin) * (position.x() - all.left()) / all.width();
  if (at != at_) {
    at_ = at;
    update();
  }
  return at ? reading(*at) : QString();
}

void StripChart::leave() {
  at_.reset();
  update();
}

void StripChart::keyPressEvent(QKeyEvent* event) {
  const bool on = event->key() == Qt::Key_Right, back = event->key() == Qt::Key_Left;
  if (!on && !back) {
    Plot::keyPressEvent(event);
    return;
  }
  at_ = std::clamp(at_.value_or(plot_.end) + (on ? kStep : -kStep), plot_.begin, plot_.end);
  QString words = reading(*at_);
  words.replace(QStringLiteral("<br>"), QStringLiteral("\n"))
      .remove(QStringLiteral("<b>"))
      .remove(QStringLiteral("</b>"));
  setAccessibleDescription(words);
  update();
}

std::string StripChart::csv() const {
  std::string text = "strip,unit,series,seconds,value\n";
  for (const Strip& strip : plot_.strips) {
    if (!strip.unavailable.isEmpty())
      text += csvLine(strip.name, strip.unit, QStringLiteral("unavailable: ") + strip.unavailable, "", "");
    for (const StripSeries& series : strip.series)
      for (const QPointF& point : series.points)
        if (std::isfinite(point.y())) text += csvLine(strip.name, strip.unit, series.name, point.x(), point.y());
  }
  return text;
}

}  // namespace sscope

#include "moc_strip_chart.cpp"
