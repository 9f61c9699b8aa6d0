// Painting of the board.

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "core/report/axis_scale.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/rooms/compare/lane_board.h"

namespace sscope {

namespace {

using namespace lane_layout;

constexpr int kTicks = 5;

double lineOf(const QFont& font) { return QFontMetricsF(font).height(); }

QFont bolder(QFont font, double size = 1) {
  font.setBold(true);
  font.setPointSizeF(font.pointSizeF() * size);
  return font;
}

double wrappedHeight(const QFont& font, const QString& text, double width) {
  if (text.isEmpty()) return 0;
  return QFontMetricsF(font).boundingRect(QRectF(0, 0, width, 1e4), Qt::TextWordWrap, text).height();
}

void drawElided(QPainter& painter, const QRectF& area, const QString& text, Qt::Alignment where = Qt::AlignLeft) {
  painter.drawText(area, static_cast<int>(where | Qt::AlignVCenter),
                   QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, area.width()));
}

// The text below the bars: numbers or the present stage, and disturbances.
QStringList belowBars(const DrawnLane& lane) {
  QStringList texts{lane.quoted ? lane.numbers : lane.status};
  for (const QString& mark : lane.marks) texts << QStringLiteral("! ") + mark;
  return texts;
}

double wordsHeight(const QFont& font, const QString& text, double width) {
  const double line = lineOf(font);
  return std::max(kText * line, wrappedHeight(font, text, width) + (kText - 1) * line);
}

// Parts side by side from the left, each as wide as its seconds.
void drawParts(QPainter& painter, const QRectF& bar, const compare::RunParts& parts, const PartColors& colors,
               double perSecond, double opacity) {
  painter.save();
  painter.setOpacity(opacity);
  painter.setRenderHint(QPainter::Antialiasing, false);
  double left = bar.left();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double width = parts[i] * perSecond;
    if (width > 0) painter.fillRect(QRectF(left, bar.top(), width, bar.height()), colors[i]);
    left += width;
  }
  painter.restore();
}

QString partName(std::size_t part) {
  switch (part) {
    case 0: return LaneBoard::tr("compile");
    case 1: return LaneBoard::tr("upload");
    case 2: return LaneBoard::tr("kernel");
    case 3: return LaneBoard::tr("download");
    default: return LaneBoard::tr("rest");
  }
}

}  // namespace

// A scale from zero to a round number.
struct LaneBoard::Scale {
  double top = 0;  // seconds; 0: nothing to draw
  std::vector<double> ticks;
  [[nodiscard]] double perSecond(double width) const { return top > 0 ? width / top : 0; }
};

LaneBoard::Scale LaneBoard::scaleOf(bool quoted) const {
  double most = 0;
  for (const DrawnLane& lane : lanes_) {
    if (!quoted) most = std::max(most, lane.clock);
    if (quoted && lane.total) most = std::max(most, lane.quoted ? lane.total->thirdQuartile : lane.total->median);
  }
  Scale scale;
  if (!(most > 0)) return scale;
  const double perSecond = timeUnit(most).perSecond;
  for (const double tick : zeroBasedTicks(most * perSecond, kTicks)) scale.ticks.push_back(tick / perSecond);
  scale.top = scale.ticks.back();
  return scale;
}

double LaneBoard::headHeight(double width) const {
  const double line = lineOf(font()), inner = width - 2 * kMargin * line;
  double height = 2 * kMargin * line + wrappedHeight(bolder(font()), title_, inner) + kText * line;
  for (const QString& sentence : sentences_) height += wrappedHeight(font(), sentence, inner);
  return height;
}

double LaneBoard::laneHeight(const DrawnLane& lane, double width) const {
  const double line = lineOf(font()), inner = width - 2 * kMargin * line - 1.2 * line;
  if (!lane.reason.isEmpty()) return (kText + 0.6) * line + wrappedHeight(font(), lane.reason, inner);
  const QRectF bars = barArea(QRectF(0, 0, width, 0));
  double words = 0;
  for (const QString& text : belowBars(lane)) words += wordsHeight(font(), text, width - kMargin * line - bars.left());
  return std::max(kLane * line, (kWords + 0.2) * line + words);
}

double LaneBoard::footHeight() const {
  const bool any = scaleOf(true).top > 0 || scaleOf(false).top > 0;
  return lineOf(font()) * (any ? 2 * kText + 2 * kMargin : kMargin);
}

QRectF LaneBoard::barArea(const QRectF& lane) const {
  const double line = lineOf(font());
  const double left = (kMargin + kWidest * kPicture + 0.8) * line;
  const double least = 8 * line;
  const double right = std::max(lane.width() - (kNumbers + kMargin + 0.5) * line, left + least);
  return {left, lane.top(), right - left, lane.height()};
}

void LaneBoard::draw(QPainter& painter) const {
  drawHead(painter);
  drawAxes(painter);
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    painter.setFont(font());
    if (lanes_[i].reason.isEmpty())
      drawLane(painter, lanes_[i], laneArea(i));
    else
      drawSlim(painter, lanes_[i], laneArea(i));
  }
}

void LaneBoard::drawHead(QPainter& painter) const {
  const double line = lineOf(font());
  QRectF area(kMargin * line, kMargin * line, width() - 2 * kMargin * line, 0);
  painter.setPen(palette().color(QPalette::Text));
  painter.setFont(bolder(font()));
  area.setHeight(wrappedHeight(painter.font(), title_, area.width()));
  painter.drawText(area, Qt::TextWordWrap, title_);
  painter.setFont(font());
  for (const QString& sentence : sentences_) {
    area = QRectF(area.left(), area.bottom(), area.width(), wrappedHeight(font(), sentence, area.width()));
    painter.drawText(area, Qt::TextWordWrap, sentence);
  }
  if (lanes_.empty()) return;
  // The legend of the shades of every engine's color.
  double left = area.left();
  const double top = area.bottom() + 0.25 * line;
  const PartColors shades = lanes_.front().colors;
  painter.setPen(quietColor(this));
  for (std::size_t i = 0; i < shades.size(); ++i) {
    painter.fillRect(QRectF(left, top + 0.2 * line, 0.7 * line, 0.6 * line), shades[i]);
    const double width = QFontMetricsF(font()).horizontalAdvance(partName(i));
    painter.drawText(QRectF(left + line, top, width + line, line), Qt::AlignVCenter, partName(i));
    left += width + 2.2 * line;
  }
}

void LaneBoard::drawSlim(QPainter& painter, const DrawnLane& lane, const QRectF& area) const {
  const double line = lineOf(font()), left = kMargin * line;
  painter.fillRect(QRectF(left, area.top() + 0.45 * line, 0.7 * line, 0.7 * line), lane.colors[2]);
  painter.setPen(quietColor(this));
  const QRectF text(left + 1.2 * line, area.top() + 0.25 * line, area.width() - 2 * left - 1.2 * line, kText * line);
  painter.setFont(bolder(font()));
  const double name = QFontMetricsF(painter.font()).horizontalAdvance(lane.name) + line;
  drawElided(painter, text, lane.name);
  painter.setFont(font());
  drawElided(painter, text.adjusted(std::min(name, text.width()), 0, 0, 0), lane.hardware);
  painter.drawText(QRectF(text.left(), text.bottom(), text.width(), area.bottom() - text.bottom()), Qt::TextWordWrap,
                   lane.reason);
}

void LaneBoard::drawLane(QPainter& painter, const DrawnLane& lane, const QRectF& area) const {
  const double line = lineOf(font());
  const QColor ink = palette().color(QPalette::Text), quiet = quietColor(this);
  QColor rule = ink;
  rule.setAlphaF(0.13F);
  painter.setPen(QPen(rule, 1));
  painter.drawLine(QPointF(kMargin * line, area.top()), QPointF(area.width() - kMargin * line, area.top()));
  drawPicture(painter, lane,
              QRectF(kMargin * line, area.top() + 0.45 * line, kWidest * kPicture * line, kPicture * line));

  const QRectF bars = barArea(area);
  const double right = area.width() - kMargin * line;
  // The name and the hardware; the quoted time at the right.
  const QRectF top(bars.left(), area.top() + 0.35 * line, right - bars.left(), 1.4 * line);
  painter.fillRect(QRectF(top.left(), top.top() + 0.35 * line, 0.7 * line, 0.7 * line), lane.colors[2]);
  painter.setPen(ink);
  painter.setFont(bolder(font()));
  const double name = QFontMetricsF(painter.font()).horizontalAdvance(lane.name) + line;
  const double room = top.width() - 1.1 * line - (kNumbers + 0.5) * line;
  drawElided(painter, QRectF(top.left() + 1.1 * line, top.top(), room, top.height()), lane.name);
  painter.setFont(font());
  painter.setPen(quiet);
  if (room > name + 3 * line)
    drawElided(painter, QRectF(top.left() + 1.1 * line + name, top.top(), room - name, top.height()), lane.hardware);
  const QRectF figures(right - kNumbers * line, top.top(), kNumbers * line, top.height());
  painter.setFont(bolder(font(), 1.35));
  painter.setPen(lane.quoted ? ink : quiet);
  const QString time = lane.total       ? formatSeconds(lane.total->median)
                       : lane.clock > 0 ? formatSeconds(lane.clock)
                                        : QStringLiteral("–");
  painter.drawText(figures, Qt::AlignRight | Qt::AlignVCenter, time);

  drawQuoted(painter, lane, QRectF(bars.left(), area.top() + 1.9 * line, bars.width(), 1.3 * line));
  drawFirst(painter, lane, QRectF(bars.left(), area.top() + 3.45 * line, bars.width(), kBar * line));

  painter.setFont(bolder(font()));
  painter.setPen(lane.quoted ? ink : quiet);
  const QString place = lane.winner                 ? tr("★ fastest")
                        : lane.level && lane.quoted ? tr("level")
                        : lane.factor > 0           ? tr("%1 ×").arg(formatNumber(lane.factor))
                                                    : QString();
  painter.drawText(QRectF(figures.left(), area.top() + 1.95 * line, figures.width(), 1.2 * line),
                   Qt::AlignRight | Qt::AlignVCenter, place);
  painter.setFont(font());
  painter.setPen(quiet);
  if (lane.clock > 0)
    painter.drawText(QRectF(figures.left(), area.top() + 3.25 * line, figures.width(), kText * line),
                     Qt::AlignRight | Qt::AlignVCenter, tr("first %1").arg(formatSeconds(lane.clock)));
  QRectF text(bars.left(), area.top() + kWords * line, right - bars.left(), 0);
  painter.setPen(lane.quoted ? ink : quiet);
  for (const QString& words : belowBars(lane)) {
    text = QRectF(text.left(), text.bottom(), text.width(), wordsHeight(font(), words, text.width()));
    painter.drawText(text, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextWordWrap, words);
    painter.setPen(ink);
  }
}

void LaneBoard::drawPicture(QPainter& painter, const DrawnLane& lane, const QRectF& area) const {
  QColor empty = palette().color(QPalette::Text);
  empty.setAlphaF(0.06F);
  QRectF frame = area;
  if (lane.picture) {
    const double aspect = std::clamp(lane.picture->aspect(), 0.05, 20.0);
    QSizeF size(area.height() * aspect, area.height());
    if (size.width() > area.width()) size = {area.width(), area.width() / aspect};
    frame = QRectF(area.center() - QPointF(size.width(), size.height()) / 2, size);
  }
  painter.fillRect(frame, empty);
  if (!lane.picture) return;
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  painter.drawImage(frame, lane.picture->image(window_));
}

// Every repetition as a dot, the median as a bar of its phases, the quartiles as whiskers.
void LaneBoard::drawQuoted(QPainter& painter, const DrawnLane& lane, const QRectF& area) const {
  if (!lane.total) return;
  const Scale scale = scaleOf(true);
  const double line = lineOf(font()), perSecond = scale.perSecond(area.width());
  const QRectF bar(area.left(), area.bottom() - kBar * line, area.width(), kBar * line);
  drawParts(painter, bar, lane.parts, lane.colors, perSecond, lane.quoted ? 1 : 0.5);
  QColor ink = palette().color(QPalette::Text);
  painter.setPen(Qt::NoPen);
  QColor pale = ink;
  pale.setAlphaF(0.45F);
  painter.setBrush(pale);
  painter.setRenderHint(QPainter::Antialiasing);
  const double height = area.top() + 0.25 * line;
  for (const double seconds : lane.totals)
    painter.drawEllipse(QPointF(std::min(area.right(), area.left() + seconds * perSecond), height), kDot * line,
                        kDot * line);
  const auto at = [&](double seconds) { return std::min(area.right(), area.left() + seconds * perSecond); };
  painter.setRenderHint(QPainter::Antialiasing, false);
  const double middle = bar.center().y(), cap = 0.22 * line;
  const double low = at(lane.total->firstQuartile), high = at(lane.total->thirdQuartile);
  // With an edge, as bars may be nearly as dark as the ink.
  for (const QPen& pen : {QPen(palette().color(QPalette::Base), 4), QPen(ink, 1.5)}) {
    painter.setPen(pen);
    painter.drawLine(QPointF(low, middle), QPointF(high, middle));
    for (const double end : {low, high}) painter.drawLine(QPointF(end, middle - cap), QPointF(end, middle + cap));
  }
}

void LaneBoard::drawFirst(QPainter& painter, const DrawnLane& lane, const QRectF& area) const {
  if (!(lane.clock > 0)) return;
  const Scale scale = scaleOf(false);
  const double perSecond = scale.perSecond(area.width());
  drawParts(painter, area, lane.firstParts, lane.colors, perSecond, 0.6);
  if (!lane.running) return;
  const double end = area.left() + lane.clock * perSecond;
  painter.setPen(QPen(palette().color(QPalette::Text), 1));
  painter.drawLine(QPointF(end, area.top()), QPointF(end, area.bottom()));
}

// The axis of the quoted times through the lanes, and both axes below them.
void LaneBoard::drawAxes(QPainter& painter) const {
  const double line = lineOf(font());
  const QRectF bars = barArea(QRectF(0, 0, width(), 0));
  double top = heightForWidth(width()) - footHeight() + kMargin * line;
  QColor rule = palette().color(QPalette::Text);
  rule.setAlphaF(0.13F);
  painter.setFont(font());
  for (const bool quoted : {true, false}) {
    const Scale scale = scaleOf(quoted);
    if (!(scale.top > 0)) continue;
    const TimeUnit unit = timeUnit(scale.top);
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      if (!lanes_[i].reason.isEmpty()) continue;
      const QRectF lane = laneArea(i);
      const double from = lane.top() + (quoted ? 1.9 : 3.4) * line, to = lane.top() + (quoted ? 3.25 : 4.35) * line;
      painter.setPen(QPen(rule, 1));
      for (const double tick : scale.ticks) {
        const double x = std::round(bars.left() + tick * scale.perSecond(bars.width())) + 0.5;
        painter.drawLine(QPointF(x, from), QPointF(x, to));
      }
    }
    painter.setPen(quietColor(this));
    double used = -1e9;
    for (const double tick : scale.ticks) {
      const QString text = numberText(tick * unit.perSecond);
      const double x = bars.left() + tick * scale.perSecond(bars.width());
      const double width = QFontMetricsF(font()).horizontalAdvance(text);
      if (x - width / 2 < used) continue;
      used = x + width / 2 + 0.4 * line;
      painter.drawText(QRectF(x - width, top, 2 * width, kText * line), Qt::AlignCenter, text);
    }
    const QString name = quoted ? tr("quoted, %1").arg(unit.name) : tr("first result, %1").arg(unit.name);
    const QRectF place(kMargin * line, top, bars.left() - 1.2 * line, kText * line);
    drawElided(painter, place, name, Qt::AlignRight);
    top += kText * line;
  }
}

}  // namespace sscope
