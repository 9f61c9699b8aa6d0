#include "ui/views/transfer_editor.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <utility>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include "ui/base/look.h"
#include "ui/base/text.h"

namespace sscope {

namespace {

constexpr std::size_t kMostEditorPoints = 64;
constexpr std::chrono::milliseconds kGestureRest{700};

// Small opacities matter most: the height is the square root.
double heightOf(double opacity) { return std::sqrt(opacity); }
double opacityOf(double height) { return std::pow(std::clamp(height, 0.0, 1.0), 2); }

QColor colorOf(const Rgb& rgb) {
  return QColor::fromRgbF(static_cast<float>(rgb[0]), static_cast<float>(rgb[1]), static_cast<float>(rgb[2]));
}

std::uint64_t nextGesture() {
  static std::uint64_t last = 0;
  return ++last;
}

}  // namespace

TransferEditor::TransferEditor(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleName(tr("Transfer function"));
  setToolTip(
      tr("Color and opacity of the values, over their histogram. Drag a point; double-click adds one, or opens "
         "the color of a point. Keys: Page Up and Page Down choose a point, arrows move it, Insert adds one, "
         "Delete removes it, Space opens its color."));
  rest_.setSingleShot(true);
  rest_.setInterval(kGestureRest);
  describe();
}

QSize TransferEditor::sizeHint() const { return {em(this, 22), em(this, 7)}; }
QSize TransferEditor::minimumSizeHint() const { return {em(this, 10), em(this, 4.5)}; }

void TransferEditor::setLevels(const LevelCounts& levels, const QString& unit) {
  levels_ = levels;
  unit_ = unit;
  known_ = true;
  setPoints(std::move(points_));
}

void TransferEditor::setPoints(std::vector<TransferPoint> points) {
  points_ = std::move(points);
  low_ = known_ ? levels_.low : 0;
  high_ = known_ ? levels_.high : 1;
  if (!dragging_ && !points_.empty()) {
    low_ = std::min(low_, points_.front().value);
    high_ = std::max(high_, points_.back().value);
  }
  if (selected_ >= static_cast<int>(points_.size())) selected_ = -1;
  describe();
  update();
}

void TransferEditor::clear() {
  known_ = false;
  selected_ = -1;
  setPoints({});
}

void TransferEditor::select(int point) {
  selected_ = std::clamp(point, -1, static_cast<int>(points_.size()) - 1);
  rest_.stop();
  describe();
  update();
}

void TransferEditor::setColor(const Rgb& color) {
  if (selected_ < 0) return;
  points_[static_cast<std::size_t>(selected_)].color = color;
  rest_.stop();
  emitEdited();
}

void TransferEditor::emitEdited() {
  if (!rest_.isActive() && !dragging_) gesture_ = nextGesture();
  if (!dragging_) rest_.start();
  describe();
  update();
  Q_EMIT edited(QStringLiteral("transfer-%1").arg(gesture_));
}

QString TransferEditor::wordsOf(const TransferPoint& point) const {
  const QString value = unit_.isEmpty() ? numberText(point.value) : numberText(point.value) + QLatin1Char(' ') + unit_;
  return tr("value %1, opacity %2 %, color %3")
      .arg(value, numberText(100 * point.opacity, 3), toQt(colorText(point.color)));
}

void TransferEditor::describe() {
  const auto count = static_cast<int>(points_.size());
  setAccessibleDescription(selected_ < 0 ? tr("%n point(s), none chosen", nullptr, count)
                                         : tr("Point %1 of %2: %3")
                                               .arg(selected_ + 1)
                                               .arg(count)
                                               .arg(wordsOf(points_[static_cast<std::size_t>(selected_)])));
}

QRectF TransferEditor::plot() const {
  const double side = em(this, 0.6);
  return QRectF(rect()).adjusted(side, em(this, 0.5), -side, -em(this, 1.5));
}

QPointF TransferEditor::positionOf(const TransferPoint& point) const {
  const QRectF area = plot();
  const double share = std::clamp((point.value - low_) / (high_ - low_), 0.0, 1.0);
  return {area.left() + share * area.width(), area.bottom() - heightOf(point.opacity) * area.height()};
}

double TransferEditor::valueAt(double x) const {
  const QRectF area = plot();
  return std::lerp(low_, high_, std::clamp((x - area.left()) / area.width(), 0.0, 1.0));
}

int TransferEditor::pointNear(const QPointF& at) const {
  const double reach = em(this, 0.6);
  int nearest = -1;
  double least = reach * reach;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const QPointF away = positionOf(points_[i]) - at;
    const double distance = QPointF::dotProduct(away, away);
    // Of two at one position the selected one.
    if (distance > least || (distance == least && static_cast<int>(i) != selected_)) continue;
    least = distance;
    nearest = static_cast<int>(i);
  }
  return nearest;
}

void TransferEditor::move(int point, double value, double opacity) {
  const auto at = static_cast<std::size_t>(point);
  const double gap = 1e-4 * (high_ - low_);
  const double least = at == 0 ? low_ : points_[at - 1].value + gap;
  const double most = at + 1 == points_.size() ? high_ : points_[at + 1].value - gap;
  TransferPoint next = points_[at];
  if (most >= least) next.value = std::clamp(value, least, most);
  next.opacity = std::clamp(opacity, 0.0, 1.0);
  if (next == points_[at]) return;
  points_[at] = next;
  emitEdited();
}

void TransferEditor::add(double value, double opacity) {
  if (points_.empty() || points_.size() >= kMostEditorPoints) return;
  const auto after = std::ranges::find_if(points_, [&](const TransferPoint& point) { return point.value >= value; });
  const double gap = 1e-4 * (high_ - low_);
  if (after != points_.end() && after->value - value < gap) return;
  if (after != points_.begin() && value - (after - 1)->value < gap) return;
  TransferPoint made = pointAt({.points = points_}, value);
  made.opacity = std::clamp(opacity, 0.0, 1.0);
  selected_ = static_cast<int>(after - points_.begin());
  points_.insert(after, made);
  rest_.stop();
  emitEdited();
}

// On the curve, halfway to the next point.
void TransferEditor::addBeside() {
  if (points_.size() < 2) return;
  const auto at = static_cast<std::size_t>(std::clamp(selected_, 0, static_cast<int>(points_.size()) - 2));
  const double value = std::midpoint(points_[at].value, points_[at + 1].value);
  add(value, pointAt({.points = points_}, value).opacity);
}

void TransferEditor::remove() {
  if (selected_ < 0 || points_.size() <= 2) return;
  points_.erase(points_.begin() + selected_);
  selected_ = std::min(selected_, static_cast<int>(points_.size()) - 1);
  rest_.stop();
  emitEdited();
}

void TransferEditor::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const int point = pointNear(event->position());
  select(point);
  if (point < 0) return;
  grip_ = positionOf(points_[static_cast<std::size_t>(point)]) - event->position();
  gesture_ = nextGesture();
  dragging_ = true;
}

void TransferEditor::mouseMoveEvent(QMouseEvent* event) {
  if (!dragging_ || selected_ < 0) {
    setCursor(pointNear(event->position()) >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    return;
  }
  const QRectF area = plot();
  const QPointF to = event->position() + grip_;
  move(selected_, valueAt(to.x()), opacityOf((area.bottom() - to.y()) / area.height()));
}

void TransferEditor::mouseReleaseEvent(QMouseEvent* /*event*/) {
  if (!std::exchange(dragging_, false)) return;
  rest_.stop();
  setPoints(points_);
}

void TransferEditor::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  dragging_ = false;
  const int point = pointNear(event->position());
  if (point >= 0) {
    select(point);
    Q_EMIT colorRequested();
    return;
  }
  const QRectF area = plot();
  add(valueAt(event->position().x()), opacityOf((area.bottom() - event->position().y()) / area.height()));
}

void TransferEditor::contextMenuEvent(QContextMenuEvent* event) {
  if (event->reason() == QContextMenuEvent::Mouse) select(pointNear(event->pos()));
  QMenu menu(this);
  QAction* color = menu.addAction(tr("&Color…\tSpace"), this, &TransferEditor::colorRequested);
  menu.addAction(tr("&Add a point\tIns"), this, &TransferEditor::addBeside)->setEnabled(points_.size() >= 2);
  QAction* gone = menu.addAction(tr("&Remove the point\tDel"), this, &TransferEditor::remove);
  color->setEnabled(selected_ >= 0);
  gone->setEnabled(selected_ >= 0 && points_.size() > 2);
  menu.exec(event->globalPos());
}

bool TransferEditor::step(int key, bool large) {
  if (selected_ < 0) return false;
  const TransferPoint point = points_[static_cast<std::size_t>(selected_)];
  const double across = (large ? 10 : 1) * (high_ - low_) / 255, up = large ? 0.1 : 0.01;
  const double height = heightOf(point.opacity);
  switch (key) {
    case Qt::Key_Left: move(selected_, point.value - across, point.opacity); return true;
    case Qt::Key_Right: move(selected_, point.value + across, point.opacity); return true;
    case Qt::Key_Up: move(selected_, point.value, opacityOf(height + up)); return true;
    case Qt::Key_Down: move(selected_, point.value, opacityOf(height - up)); return true;
    default: return false;
  }
}

void TransferEditor::keyPressEvent(QKeyEvent* event) {
  const auto last = static_cast<int>(points_.size()) - 1;
  if (step(event->key(), event->modifiers().testFlag(Qt::ShiftModifier))) return;
  switch (event->key()) {
    case Qt::Key_PageDown: select(std::min(selected_ + 1, last)); return;
    case Qt::Key_PageUp: select(selected_ < 0 ? last : std::max(selected_ - 1, 0)); return;
    case Qt::Key_Home: select(0); return;
    case Qt::Key_End: select(last); return;
    case Qt::Key_Insert: addBeside(); return;
    case Qt::Key_Delete:
    case Qt::Key_Backspace: remove(); return;
    case Qt::Key_Space:
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (selected_ >= 0) Q_EMIT colorRequested();
      return;
    default: QWidget::keyPressEvent(event);
  }
}

void TransferEditor::focusInEvent(QFocusEvent* /*event*/) { update(); }
void TransferEditor::focusOutEvent(QFocusEvent* /*event*/) { update(); }

bool TransferEditor::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const int point = pointNear(help->pos()); point >= 0) {
      QToolTip::showText(help->globalPos(), wordsOf(points_[static_cast<std::size_t>(point)]), this);
      return true;
    }
  }
  return QWidget::event(event);
}

void TransferEditor::drawHistogram(QPainter& painter) const {
  const QRectF area = plot();
  const std::int64_t most = *std::ranges::max_element(levels_.counts);
  if (most < 1) return;
  QPainterPath shape;
  const auto x = [&](double level) {
    return area.left() + (levels_.value(level) - low_) / (high_ - low_) * area.width();
  };
  shape.moveTo(x(-0.5), area.bottom());
  for (std::size_t i = 0; i < levels_.counts.size(); ++i) {
    const auto count = static_cast<double>(levels_.counts[i]);
    // Logarithmic, with 1 a little above the axis.
    const double share = count < 1 ? 0 : std::log(2 * count) / std::log(2 * static_cast<double>(most));
    const auto level = static_cast<double>(i);
    shape.lineTo(x(level - 0.5), area.bottom() - share * area.height());
    shape.lineTo(x(level + 0.5), area.bottom() - share * area.height());
  }
  shape.lineTo(x(255.5), area.bottom());
  QColor fill = palette().color(QPalette::Text);
  fill.setAlphaF(0.16F);
  painter.setClipRect(area);
  painter.fillPath(shape, fill);
  painter.setClipping(false);
}

void TransferEditor::drawCurve(QPainter& painter) const {
  const QRectF area = plot();
  const TransferCurve curve{.points = points_};
  QLinearGradient colors(area.topLeft(), area.topRight());
  QPainterPath line;
  const int steps = std::max(2, static_cast<int>(area.width() / 2));
  for (int i = 0; i <= steps; ++i) {
    const double share = static_cast<double>(i) / steps;
    const TransferPoint point = pointAt(curve, std::lerp(low_, high_, share));
    colors.setColorAt(share, colorOf(point.color));
    const QPointF at(area.left() + share * area.width(), area.bottom() - heightOf(point.opacity) * area.height());
    i == 0 ? line.moveTo(at) : line.lineTo(at);
  }
  QPainterPath below = line;
  below.lineTo(area.bottomRight());
  below.lineTo(area.bottomLeft());
  painter.fillPath(below, colors);
  // A strip shows the colors of transparent values, too.
  const QRectF strip(area.left(), area.bottom(), area.width(), em(this, 0.25));
  painter.fillRect(strip, colors);
  painter.setPen(QPen(palette().color(QPalette::Text), 1.4));
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(line);
}

void TransferEditor::drawPoints(QPainter& painter) const {
  const double radius = em(this, 0.28);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const bool chosen = static_cast<int>(i) == selected_;
    painter.setPen(QPen(palette().color(chosen ? QPalette::Highlight : QPalette::Text), chosen ? 3 : 1.3));
    painter.setBrush(colorOf(points_[i].color));
    const double size = chosen ? 1.35 * radius : radius;
    painter.drawEllipse(positionOf(points_[i]), size, size);
  }
}

void TransferEditor::drawAxis(QPainter& painter) const {
  const QRectF area = plot();
  const QRectF words(area.left(), area.bottom() + em(this, 0.35), area.width(), em(this, 1.15));
  painter.setPen(quietColor(this));
  painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, numberText(low_));
  painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter,
                   unit_.isEmpty() ? numberText(high_) : numberText(high_) + QLatin1Char(' ') + unit_);
  if (selected_ >= 0) {
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(words, Qt::AlignHCenter | Qt::AlignVCenter, wordsOf(points_[static_cast<std::size_t>(selected_)]));
  } else {
    painter.drawText(words, Qt::AlignHCenter | Qt::AlignVCenter, tr("value"));
  }
}

void TransferEditor::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const QRectF area = plot();
  painter.fillRect(area, palette().color(QPalette::Base));
  painter.setPen(QPen(palette().color(hasFocus() ? QPalette::Highlight : QPalette::Mid), 1));
  painter.drawRect(area.adjusted(-0.5, -0.5, 0.5, 0.5));
  painter.setRenderHint(QPainter::Antialiasing);
  if (!known_ || points_.empty()) {
    painter.setPen(quietColor(this));
    painter.drawText(rect(), Qt::AlignCenter, tr("the 3D view has no picture yet"));
  } else {
    drawHistogram(painter);
    drawCurve(painter);
    drawPoints(painter);
    drawAxis(painter);
  }
}

}  // namespace sscope

#include "moc_transfer_editor.cpp"
