#include "ui/rooms/compare/roofline_chart.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <set>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"

namespace sscope {

namespace {

constexpr double kDotLines = 0.4, kReachLines = 0.8;  // radius of a dot, and of what the mouse finds
constexpr double kBeyond = 2;                         // factor beyond the outermost dot or roof

double lineHeight(const QFont& font) { return QFontMetricsF(font).height(); }

// From a point to a stretch of a line.
double distance(QPointF point, QPointF begin, QPointF end) {
  const QPointF along = end - begin, to = point - begin;
  const double square = QPointF::dotProduct(along, along);
  const double at = square > 0 ? std::clamp(QPointF::dotProduct(to, along) / square, 0.0, 1.0) : 0;
  const QPointF away = to - at * along;
  return std::hypot(away.x(), away.y());
}

}  // namespace

RooflineChart::RooflineChart(QWidget* parent) : Chart(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Roofline of the contenders"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void RooflineChart::add(std::vector<RoofDot> dots) {
  if (!dots_.empty()) trail_.push_back(std::move(dots_));
  while (trail_.size() > kTrail) trail_.pop_front();
  dots_ = std::move(dots);
  tellWords();
}

void RooflineChart::setForeign(std::vector<RoofDot> dots) {
  foreign_ = std::move(dots);
  tellWords();
}

void RooflineChart::tellWords() {
  hovered_.reset();
  QStringList words;
  for (const RoofDot* dot : all()) words << dot->words;
  setAccessibleDescription(words.join(QLatin1Char('\n')));
  update();
}

std::vector<const RoofDot*> RooflineChart::all() const {
  std::vector<const RoofDot*> all;
  for (const std::vector<RoofDot>* some : {&dots_, &foreign_})
    for (const RoofDot& dot : *some) all.push_back(&dot);
  return all;
}

// One of each engine, which has its roofs but once, and every one of capsules.
std::vector<const RoofDot*> RooflineChart::withRoofs() const {
  std::vector<const RoofDot*> some;
  std::set<std::string> there;
  for (const RoofDot& dot : dots_)
    if (there.insert(dot.engine).second) some.push_back(&dot);
  for (const RoofDot& dot : foreign_)
    if (there.insert(fromQt(dot.name)).second) some.push_back(&dot);
  return some;
}

QSize RooflineChart::sizeHint() const { return {em(this, 50), em(this, 28)}; }

QSize RooflineChart::minimumSizeHint() const { return {em(this, 20), em(this, 12)}; }

// From the leftmost dot to the rightmost, with the ridges, where the roofs turn.
RooflineChart::Range RooflineChart::intensities() const {
  double low = INFINITY, high = 0;
  const auto take = [&](double value) {
    low = std::min(low, value / kBeyond);
    high = std::max(high, value * kBeyond);
  };
  for (const RoofDot* dot : all()) {
    take(dot->intensity);
    take(dot->roofs.gflops(dot->precision) / dot->roofs.gbs);
  }
  for (const std::vector<RoofDot>& before : trail_)
    for (const RoofDot& dot : before) take(dot.intensity);
  return high > 0 ? Range{std::floor(std::log10(low)), std::ceil(std::log10(high))} : Range{};
}

RooflineChart::Range RooflineChart::rates() const {
  double low = INFINITY, high = 0;
  for (const RoofDot* dot : all()) {
    low = std::min(low, dot->gflops / kBeyond);
    for (const Roof& roof : roofsOf(*dot)) high = std::max(high, roof.gflops * kBeyond);
  }
  for (const std::vector<RoofDot>& before : trail_)
    for (const RoofDot& dot : before) low = std::min(low, dot.gflops / kBeyond);
  return high > 0 ? Range{std::floor(std::log10(low)), std::ceil(std::log10(high))} : Range{};
}

QRectF RooflineChart::plotArea() const {
  const double line = lineHeight(font());
  return QRectF(rect()).adjusted(4.2 * line, 1.2 * line, -1.2 * line, -3 * line);
}

// Of the vertical axis; above the plot it would be on the highest number.
QRectF RooflineChart::titleArea() const {
  const double line = lineHeight(font());
  return {plotArea().left() + 0.4 * line, plotArea().top(), 4 * line, 1.1 * line};
}

QPointF RooflineChart::at(double intensity, double gflops) const {
  const QRectF area = plotArea();
  const Range x = intensities(), y = rates();
  return {area.left() + area.width() * (std::log10(intensity) - x.low) / (x.high - x.low),
          area.bottom() - area.height() * (std::log10(gflops) - y.low) / (y.high - y.low)};
}

QPointF RooflineChart::place(const RoofDot& dot) const { return at(dot.intensity, dot.gflops); }

void RooflineChart::draw(QPainter& painter) const {
  if (all().empty()) {
    painter.setPen(quietColor(this));
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                     tr("Race first: every contender is a dot here, on the roofs that were measured on its engine."));
    return;
  }
  drawGrid(painter);
  painter.save();
  painter.setClipRect(plotArea());
  for (const RoofDot* dot : withRoofs()) drawRoofs(painter, *dot);
  drawTrail(painter);
  painter.restore();
  drawDots(painter);
}

void RooflineChart::drawGrid(QPainter& painter) const {
  const QRectF area = plotArea();
  const double line = lineHeight(font());
  QColor rule = palette().color(QPalette::Text);
  rule.setAlphaF(0.13F);
  const Range x = intensities(), y = rates();
  for (double power = x.low; power <= x.high; ++power) {
    const QPointF foot(at(std::pow(10, power), std::pow(10, y.low)));
    painter.setPen(QPen(rule, 1));
    painter.drawLine(QPointF(foot.x(), area.top()), QPointF(foot.x(), area.bottom()));
    painter.setPen(quietColor(this));
    painter.drawText(QRectF(foot.x() - 3 * line, area.bottom() + 0.2 * line, 6 * line, line), Qt::AlignCenter,
                     numberText(std::pow(10, power)));
  }
  for (double power = y.low; power <= y.high; ++power) {
    const QPointF foot(at(std::pow(10, x.low), std::pow(10, power)));
    painter.setPen(QPen(rule, 1));
    painter.drawLine(QPointF(area.left(), foot.y()), QPointF(area.right(), foot.y()));
    painter.setPen(quietColor(this));
    painter.drawText(QRectF(0, foot.y() - line / 2, area.left() - 0.4 * line, line), Qt::AlignRight | Qt::AlignVCenter,
                     numberText(std::pow(10, power)));
  }
  painter.drawText(QRectF(area.left(), area.bottom() + 1.4 * line, area.width(), 1.2 * line), Qt::AlignCenter,
                   tr("operations per byte that has to be moved"));
  painter.drawText(titleArea(), Qt::AlignLeft | Qt::AlignVCenter, tr("GFLOP/s"));
}

// From the left edge up to the ridge, where the roof turns, and on to the right edge.
QPolygonF RooflineChart::line(const Roof& roof) const {
  const Range x = intensities();
  const double low = std::pow(10, x.low), high = std::pow(10, x.high), ridge = roof.gflops / roof.gbs;
  return {at(low, low * roof.gbs), at(ridge, roof.gflops), at(std::max(high, ridge), roof.gflops)};
}

void RooflineChart::drawRoofs(QPainter& painter, const RoofDot& dot) const {
  for (const Roof& roof : roofsOf(dot)) {
    QColor color = dot.color;
    color.setAlphaF(roof.bounds ? 1 : 0.6F);
    painter.setPen(QPen(color, 1.6, roof.style));
    painter.drawPolyline(line(roof));
  }
}

// By engine and name, from the oldest to the dot.
void RooflineChart::drawTrail(QPainter& painter) const {
  const double radius = 0.2 * lineHeight(font());
  for (const RoofDot& dot : dots_) {
    QPointF next = place(dot);
    float opacity = 0.7F;
    for (auto before = trail_.rbegin(); before != trail_.rend(); ++before) {
      const auto same = std::ranges::find(*before, dot.name, &RoofDot::name);
      if (same == before->end()) continue;
      const QPointF here = place(*same);
      QColor color = dot.color;
      color.setAlphaF(opacity);
      painter.setPen(QPen(color, 1));
      painter.drawLine(here, next);
      painter.setBrush(color);
      painter.drawEllipse(here, radius, radius);
      next = here;
      opacity *= 0.85F;
    }
  }
}

// The nearest place above or below that nothing has taken; as it is, where the chart is too full.
QRectF RooflineChart::freePlace(const QRectF& wanted, const std::vector<QRectF>& taken) const {
  const QRectF plot = plotArea();
  const auto isFree = [&](const QRectF& place) {
    return place.top() >= plot.top() && place.bottom() <= plot.bottom() &&
           std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(place); });
  };
  for (int lines = 0; lines <= static_cast<int>(plot.height() / wanted.height()); ++lines)
    for (const int away : {lines, -lines})
      if (const QRectF place = wanted.translated(0, away * wanted.height()); isFree(place)) return place;
  return wanted;
}

void RooflineChart::drawDots(QPainter& painter) const {
  const double line = lineHeight(font()), radius = kDotLines * line;
  const std::vector<const RoofDot*> everyone = all();
  std::vector<QRectF> taken{titleArea()};
  for (const RoofDot* dot : everyone) {
    const QPointF center = place(*dot);
    taken.emplace_back(center.x() - radius, center.y() - radius, 2 * radius, 2 * radius);
  }
  for (std::size_t i = 0; i < everyone.size(); ++i) {
    const RoofDot& dot = *everyone[i];
    const QPointF center = place(dot);
    painter.setPen(QPen(palette().color(QPalette::Base), 1.5));
    painter.setBrush(dot.color);
    painter.drawEllipse(center, radius, radius);
    if (hovered_ == i) {
      painter.setPen(QPen(palette().color(QPalette::Text), 1.5));
      painter.setBrush(Qt::NoBrush);
      painter.drawEllipse(center, 1.5 * radius, 1.5 * radius);
    }
    const QString name = tr("%1, %2 %").arg(dot.name, formatNumber(100 * dot.gflops / dot.allowed()));
    QRectF beside(center.x() + 1.4 * radius, center.y() - line / 2, QFontMetricsF(font()).horizontalAdvance(name),
                  line);
    if (beside.right() > plotArea().right()) beside.moveRight(center.x() - 1.4 * radius);
    const QRectF place = freePlace(beside, taken);
    taken.push_back(place);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, name);
  }
}

QString RooflineChart::wordsAt(QPointF point) const {
  const double reach = kReachLines * lineHeight(font());
  for (const RoofDot* dot : all()) {
    const QPointF away = place(*dot) - point;
    if (std::hypot(away.x(), away.y()) <= reach) return dot->words;
  }
  if (!plotArea().contains(point)) return {};
  QString nearest;
  double least = reach / 2;
  for (const RoofDot* dot : withRoofs())
    for (const Roof& roof : roofsOf(*dot)) {
      const QPolygonF turns = line(roof);
      for (qsizetype i = 0; i + 1 < turns.size(); ++i) {
        const double away = distance(point, turns[i], turns[i + 1]);
        if (away >= least) continue;
        least = away;
        nearest = roof.words;
      }
    }
  return nearest;
}

bool RooflineChart::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return Chart::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString words = wordsAt(help->pos());
  if (words.isEmpty())
    QToolTip::hideText();
  else
    QToolTip::showText(help->globalPos(), QStringLiteral("<p>%1</p>").arg(words.toHtmlEscaped()), this);
  return true;
}

void RooflineChart::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().color(QPalette::Base));
  prepare(painter);
  draw(painter);
  drawFocus(painter);
}

void RooflineChart::keyPressEvent(QKeyEvent* event) {
  const auto count = static_cast<int>(all().size());
  const bool on = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down;
  const bool back = event->key() == Qt::Key_Left || event->key() == Qt::Key_Up;
  if (count == 0 || (!on && !back)) {
    Chart::keyPressEvent(event);
    return;
  }
  const int now = hovered_ ? static_cast<int>(*hovered_) : on ? -1 : count;
  hovered_ = static_cast<std::size_t>((now + (on ? 1 : -1) + count) % count);
  setAccessibleDescription(all()[*hovered_]->words);
  update();
}

void RooflineChart::focusInEvent(QFocusEvent* event) {
  Chart::focusInEvent(event);
  update();
}

void RooflineChart::focusOutEvent(QFocusEvent* event) {
  Chart::focusOutEvent(event);
  update();
}

std::string RooflineChart::csv() const {
  std::string out =
      "lane,engine,settings_ago,operations_per_byte,gflops,roof_gbs,roof_gflops,roof_cache_gbs,roof_local_gbs,"
      "roof_loaded_gflops,roof_integer_gops\n";
  const auto add = [&out](const RoofDot& dot, std::size_t ago) {
    out += csvCell(fromQt(dot.name)) + ',' + csvCell(dot.engine) + ',' + std::to_string(ago);
    for (const double value : {dot.intensity, dot.gflops, dot.roofs.gbs, dot.roofs.gflops(dot.precision),
                               dot.roofs.gbsCache, dot.roofs.gbsLocal, dot.roofs.gflopsLoaded, dot.roofs.gopsInteger})
      out += ',' + csvNumber(value);
    out += '\n';
  };
  for (const RoofDot* dot : all()) add(*dot, 0);
  for (std::size_t i = 0; i < trail_.size(); ++i)
    for (const RoofDot& dot : trail_[trail_.size() - 1 - i]) add(dot, i + 1);
  return out;
}

}  // namespace sscope

#include "moc_roofline_chart.cpp"
