#include "ui/rooms/compare/lane_board.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QShowEvent>
#include <QToolTip>
#include <algorithm>
#include <utility>

#include "ui/base/look.h"
#include "ui/rooms/compare/lane_layout.h"

namespace sscope {

LaneBoard::LaneBoard(std::function<std::string()> numbers, QWidget* parent)
    : Chart(parent), numbers_(std::move(numbers)) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Lanes of the race"));
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void LaneBoard::setLanes(const QString& title, const QStringList& sentences, std::vector<DrawnLane> lanes,
                         const LaneWindow& window) {
  const int before = heightForWidth(width());
  title_ = title;
  sentences_ = sentences;
  lanes_ = std::move(lanes);
  window_ = window;
  if (chosen_ && *chosen_ >= lanes_.size()) chosen_.reset();
  QStringList words = sentences_;
  for (const DrawnLane& lane : lanes_) words << lane.words().join(QStringLiteral(", "));
  if (!chosen_) setAccessibleDescription(words.join(QLatin1Char('\n')));
  if (heightForWidth(width()) != before) updateGeometry();
  update();
}

void LaneBoard::showEvent(QShowEvent* event) {
  Chart::showEvent(event);
  updateGeometry();  // while it was hidden nobody heard of another height
}

int LaneBoard::heightForWidth(int width) const {
  double height = headHeight(width) + footHeight();
  for (const DrawnLane& lane : lanes_) height += laneHeight(lane, width);
  return static_cast<int>(std::ceil(height));
}

QSize LaneBoard::sizeHint() const {
  const int width = em(this, 50);
  return {width, heightForWidth(width)};
}

QSize LaneBoard::minimumSizeHint() const { return {em(this, 22), em(this, 8)}; }

QRectF LaneBoard::laneArea(std::size_t lane) const {
  double top = headHeight(width());
  for (std::size_t i = 0; i < lane; ++i) top += laneHeight(lanes_[i], width());
  return {0, top, static_cast<double>(width()), laneHeight(lanes_[lane], width())};
}

std::optional<std::size_t> LaneBoard::laneAt(const QPointF& at) const {
  for (std::size_t i = 0; i < lanes_.size(); ++i)
    if (laneArea(i).contains(at)) return i;
  return {};
}

void LaneBoard::choose(std::optional<std::size_t> lane) {
  if (lane == chosen_) return;
  chosen_ = lane;
  update();
  if (!lane) return;
  setAccessibleDescription(lanes_[*lane].words().join(QStringLiteral(", ")));
  QAccessibleEvent told(this, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&told);
  Q_EMIT laneShown(laneArea(*lane).toAlignedRect());
}

bool LaneBoard::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto lane = laneAt(help->pos())) {
      QStringList words;
      for (const QString& each : lanes_[*lane].words()) words << each.toHtmlEscaped();
      const QString name = words.takeFirst();
      QToolTip::showText(help->globalPos(),
                         QStringLiteral("<p><b>%1</b></p><p>%2</p>").arg(name, words.join(QStringLiteral("<br>"))),
                         this);
    } else {
      QToolTip::hideText();
    }
    return true;
  }
  return Chart::event(event);
}

void LaneBoard::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().color(QPalette::Base));
  prepare(painter);
  if (chosen_) {
    QColor wash = palette().color(QPalette::Highlight);
    wash.setAlphaF(0.12F);
    painter.fillRect(laneArea(*chosen_), wash);
  }
  draw(painter);
  drawFocus(painter);
}

void LaneBoard::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) choose(laneAt(event->position()));
  Chart::mousePressEvent(event);
}

void LaneBoard::keyPressEvent(QKeyEvent* event) {
  const auto last = static_cast<int>(lanes_.size()) - 1;
  const int now = chosen_ ? static_cast<int>(*chosen_) : -1;
  int next = now;
  switch (event->key()) {
    case Qt::Key_Down: next = std::min(now + 1, last); break;
    case Qt::Key_Up: next = now < 0 ? last : std::max(now - 1, 0); break;
    case Qt::Key_Home: next = 0; break;
    case Qt::Key_End: next = last; break;
    default: Chart::keyPressEvent(event); return;
  }
  if (next >= 0 && next <= last) choose(static_cast<std::size_t>(next));
}

void LaneBoard::focusInEvent(QFocusEvent* event) {
  Chart::focusInEvent(event);
  update();
}

void LaneBoard::focusOutEvent(QFocusEvent* event) {
  Chart::focusOutEvent(event);
  update();
}

}  // namespace sscope

#include "moc_lane_board.cpp"
