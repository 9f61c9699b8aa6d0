// Mouse and keys in a slice pane.

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <cmath>

#include "ui/views/slice_pane_impl.h"

namespace sscope {

namespace {
constexpr double kDividerStep = 0.02;  // of the keys
}

SlicePoint SlicePane::Impl::slicePoint(const QPointF& p) const {
  const auto [across, up] = toPlane(p, dragSide);
  SlicePoint point;
  point[acrossPlace()] = plane.acrossIndex(across);
  point[1 - acrossPlace()] = plane.upIndex(up);
  return point;
}

ProfileTool::Part SlicePane::Impl::linePart(const QPointF& p) const {
  return line() ? ProfileTool::partAt(*line(), p, placeOn(sideAt(p)), em(&pane, 0.5)) : ProfileTool::Part::None;
}

void SlicePane::Impl::beginLine(const QPointF& p) {
  const ProfileTool::Part part = linePart(p);
  drag = part == ProfileTool::Part::None ? Drag::NewLine : Drag::Line;
  if (drag == Drag::Line) tool.begin(*line(), part, plane.normal, slicePoint(p));
}

bool SlicePane::Impl::moveLine(int key, bool secondEnd) const {
  if (!line()) return false;
  const bool sideways = key == Qt::Key_Left || key == Qt::Key_Right;
  const double way = key == Qt::Key_Right || key == Qt::Key_Up ? 1 : -1;
  SlicePoint by{};
  by[sideways ? acrossPlace() : 1 - acrossPlace()] = (sideways ? plane.acrossFlipped : plane.upFlipped) ? -way : way;
  Q_EMIT pane.profileDragged(moved(*line(), plane, by, secondEnd));
  Q_EMIT pane.profileDropped();
  return true;
}

void SlicePane::Impl::zoom(double factor, const QPointF& at) {
  const std::size_t side = sideAt(at);
  const auto before = toPlane(at, side);
  const double smallest = 0.01 * std::min(plane.spacing[plane.across], plane.spacing[plane.up]);
  const double largest = 4 * std::max(plane.width(), plane.height());
  camera.unitsPerPixel = std::clamp(camera.unitsPerPixel * factor, smallest, largest);
  const auto after = toPlane(at, side);
  camera.across += before[0] - after[0];
  camera.up += before[1] - after[1];
  fitted = false;
  refresh();
}

void SlicePane::Impl::showCursor(const QPointF& p) const {
  const bool onLine = model.source && linePart(p) != ProfileTool::Part::None;
  pane.setCursor(onLine ? Qt::SizeAllCursor : onDivider(p) ? Qt::SplitHCursor : Qt::CrossCursor);
}

void SlicePane::Impl::dragTo(const QPointF& p) {
  switch (drag) {
    case Drag::Crosshair: Q_EMIT pane.picked(pane.hit(p).voxel); return;
    case Drag::Pan:
      camera.across = dragCamera.across - (p.x() - dragFrom.x()) * camera.unitsPerPixel;
      camera.up = dragCamera.up + (p.y() - dragFrom.y()) * camera.unitsPerPixel;
      fitted = false;
      refresh();
      return;
    case Drag::Divider: moveDivider(p.x() / pane.width()); return;
    case Drag::Window: {
      if (model.differs()) {
        Q_EMIT pane.rangeDragged(dragRange * std::exp(3 * (p.x() - dragFrom.x()) / pane.width()));
        return;
      }
      // To the right: wider; upward: brighter.
      const double width = dragWindow[1] - dragWindow[0];
      const double middle = (dragWindow[1] + dragWindow[0]) / 2 + (p.y() - dragFrom.y()) / pane.height() * width;
      const double newWidth = width * std::exp(3 * (p.x() - dragFrom.x()) / pane.width());
      Q_EMIT pane.windowDragged(static_cast<int>(model.windowSide(dragSide)), middle - newWidth / 2,
                                middle + newWidth / 2);
      return;
    }
    case Drag::NewLine:
      if ((p - dragFrom).manhattanLength() < QApplication::startDragDistance()) return;
      tool.begin({}, ProfileTool::Part::To, plane.normal, slicePoint(dragFrom));
      drag = Drag::Line;
      [[fallthrough]];
    case Drag::Line: Q_EMIT pane.profileDragged(tool.movedTo(slicePoint(p), plane, straight)); return;
    case Drag::None: return;
  }
}

void SlicePane::mousePressEvent(QMouseEvent* event) {
  Impl& i = *impl_;
  if (!i.model.source) return;
  const bool windowing = event->button() == Qt::RightButton ||
                         (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ControlModifier));
  i.dragFrom = event->position();
  i.dragSide = i.sideAt(i.dragFrom);
  i.dragCamera = i.camera;
  i.dragWindow = i.model.window[i.model.windowSide(i.dragSide)];
  i.dragRange = i.model.differenceRange;
  if (windowing) {
    i.drag = Impl::Drag::Window;
  } else if (event->button() == Qt::MiddleButton) {
    i.drag = Impl::Drag::Pan;
    setCursor(Qt::ClosedHandCursor);
  } else if (event->button() == Qt::LeftButton) {
    const bool draws =
        i.model.profiling && (i.linePart(i.dragFrom) != ProfileTool::Part::None || !i.onDivider(i.dragFrom));
    if (draws) {
      i.beginLine(i.dragFrom);
      return;
    }
    i.drag = i.onDivider(i.dragFrom) ? Impl::Drag::Divider : Impl::Drag::Crosshair;
    i.dragTo(event->position());
  }
}

void SlicePane::mouseMoveEvent(QMouseEvent* event) {
  impl_->mouse = event->position();
  if (!impl_->model.source) return;
  if (impl_->drag == Impl::Drag::None) impl_->showCursor(event->position());
  impl_->straight = event->modifiers().testFlag(Qt::ShiftModifier);
  impl_->dragTo(event->position());
  impl_->emitHovered();
}

void SlicePane::mouseReleaseEvent(QMouseEvent* event) {
  const bool still = (event->position() - impl_->dragFrom).manhattanLength() < QApplication::startDragDistance();
  if (event->button() == Qt::RightButton && impl_->drag == Impl::Drag::Window && still)
    Q_EMIT menuRequested(event->globalPosition().toPoint());
  // Without a line it was a click.
  if (impl_->drag == Impl::Drag::NewLine) Q_EMIT picked(hit(event->position()).voxel);
  if (impl_->drag == Impl::Drag::Line) Q_EMIT profileDropped();
  impl_->drag = Impl::Drag::None;
  impl_->showCursor(event->position());
}

void SlicePane::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) Q_EMIT maximizeRequested();
}

// From the keyboard; the mouse drags with the same button.
void SlicePane::contextMenuEvent(QContextMenuEvent* event) {
  if (event->reason() == QContextMenuEvent::Keyboard) Q_EMIT menuRequested(mapToGlobal(rect().center()));
}

void SlicePane::wheelEvent(QWheelEvent* event) {
  event->accept();
  impl_->mouse = event->position();
  if (!impl_->model.source) return;
  if (event->modifiers().testFlag(Qt::ControlModifier)) {
    impl_->zoom(std::pow(1.2, -event->angleDelta().y() / 120.0), event->position());
    return;
  }
  impl_->wheelRest += event->angleDelta().y();
  const int notches = impl_->wheelRest / 120;
  impl_->wheelRest -= notches * 120;
  if (notches != 0) Q_EMIT stepped(static_cast<int>(impl_->plane.normal), notches);
}

void SlicePane::keyPressEvent(QKeyEvent* event) {
  const auto step = [this](int slices) { Q_EMIT stepped(static_cast<int>(impl_->plane.normal), slices); };
  const int way = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
  const ViewModel& model = impl_->model;
  const bool arrow = way != 0 || event->key() == Qt::Key_Up || event->key() == Qt::Key_Down;
  if (arrow && event->modifiers().testFlag(Qt::ShiftModifier) &&
      impl_->moveLine(event->key(), !event->modifiers().testFlag(Qt::ControlModifier)))
    return;
  if (way != 0 && event->modifiers().testFlag(Qt::ShiftModifier) && model.both() &&
      model.compare.how == CompareLook::How::Swipe) {
    impl_->moveDivider(model.compare.divider + way * kDividerStep);
    return;
  }
  switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Right: step(1); return;
    case Qt::Key_Down:
    case Qt::Key_Left: step(-1); return;
    case Qt::Key_PageUp: step(10); return;
    case Qt::Key_PageDown: step(-10); return;
    default: QWidget::keyPressEvent(event);  // the views take the rest
  }
}

void SlicePane::leaveEvent(QEvent*) {
  impl_->mouse.reset();
  Q_EMIT hovered(false, {});
}

}  // namespace sscope
