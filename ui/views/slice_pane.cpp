#include "ui/views/slice_pane.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include "ui/views/slice_layer.h"
#include "ui/views/slice_overlay.h"
#include "ui/views/slice_stretch.h"
#include "ui/views/view_style.h"

namespace sscope {

namespace {
constexpr double kMargin = 1.04;  // of the fitted slice's surroundings
}  // namespace

struct SlicePane::Impl {
  enum class Drag { None, Crosshair, Window, Pan };

  SlicePane& pane;
  VolumeViews::View view;
  const ViewModel& model;
  SlicePlane plane;
  SliceCamera camera;  // unitsPerPixel counts logical pixels here
  bool fitted = true;  // the user has not moved the camera: it follows the size
  std::array<SliceLayer, 2> layers{};
  std::array<StretchedPicture, 2> stretched{};  // those layers on the screen
  QString status;
  Drag drag = Drag::None;
  std::size_t dragSide = 0;
  QPointF dragFrom;
  SliceCamera dragCamera;
  std::array<double, 2> dragWindow{};
  int wheelRest = 0;
  std::optional<QPointF> mouse;  // where it rests over the pane

  [[nodiscard]] bool both() const { return model.shown[0] && model.shown[1]; }

  // The part of the pane a side takes, in logical pixels.
  [[nodiscard]] QRectF sideRect(std::size_t side) const {
    const QRectF whole(QPointF(0, 0), QSizeF(pane.size()));
    if (!both()) return whole;
    QRectF half = whole;
    half.setWidth(whole.width() / 2);
    if (side == kResultSide) half.moveRight(whole.right());
    return half;
  }
  [[nodiscard]] std::size_t sideAt(const QPointF& p) const {
    if (!both()) return model.shown[kResultSide] ? kResultSide : kSourceSide;
    return p.x() >= sideRect(kResultSide).left() ? kResultSide : kSourceSide;
  }
  [[nodiscard]] std::size_t firstSide() const { return model.shown[kSourceSide] ? kSourceSide : kResultSide; }

  void fit() {
    const QRectF area = sideRect(firstSide());
    if (area.isEmpty()) return;
    camera.across = (plane.width() - plane.spacing[plane.across]) / 2;
    camera.up = (plane.height() - plane.spacing[plane.up]) / 2;
    camera.unitsPerPixel = kMargin * std::max(plane.width() / area.width(), plane.height() / area.height());
  }

  [[nodiscard]] QPointF toPane(double across, double up, std::size_t side) const {
    const QPointF middle = sideRect(side).center();
    return {middle.x() + (across - camera.across) / camera.unitsPerPixel,
            middle.y() - (up - camera.up) / camera.unitsPerPixel};
  }
  [[nodiscard]] std::array<double, 2> toPlane(const QPointF& p, std::size_t side) const {
    const QPointF middle = sideRect(side).center();
    return {camera.across + (p.x() - middle.x()) * camera.unitsPerPixel,
            camera.up - (p.y() - middle.y()) * camera.unitsPerPixel};
  }

  // Brings the pictures up to date for `scale` physical pixels a logical one.
  void updateLayers(double scale) {
    SliceCamera physical = camera;
    physical.unitsPerPixel /= scale;
    for (std::size_t side = 0; side < layers.size(); ++side) {
      const QRectF area = sideRect(side);
      layers[side].update(model, plane, side, physical, area.width() * scale, area.height() * scale);
    }
  }

  void refresh() {
    if (model.source) {
      if (fitted) fit();
      updateLayers(pane.devicePixelRatioF());
    }
    pane.update();
    tellUnderMouse();
  }

  // The mouse need not move for something else to lie under it.
  void tellUnderMouse() const {
    if (!mouse) return;
    const Hit under = pane.hit(*mouse);
    Q_EMIT pane.hovered(under.inside, under.voxel);
  }

  // Zooms by `factor`, keeping what is under `at` where it is.
  void zoom(double factor, const QPointF& at) {
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

  void paintPicture(QPainter& painter, std::size_t side) {
    const QImage& image = layers[side].image();
    if (!model.shown[side] || image.isNull()) return;
    const QRectF extent = layers[side].extent(), area = sideRect(side);
    const QRectF target(toPane(extent.left(), extent.bottom(), side), toPane(extent.right(), extent.top(), side));
    painter.save();
    painter.setClipRect(area);
    const double ratio = painter.transform().m11() * painter.device()->devicePixelRatioF();
    if (model.linear && ratio == std::floor(ratio)) {
      const auto pixels = [&](const QRectF& box) { return QRectF(box.topLeft() * ratio, box.size() * ratio); };
      stretched[side].update(image, pixels(target), pixels(area).toAlignedRect());
      const QImage& large = stretched[side].image();
      painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
      painter.drawImage(QRectF(QPointF(stretched[side].corner()) / ratio, QSizeF(large.size()) / ratio), large);
    } else {
      painter.setRenderHint(QPainter::SmoothPixmapTransform, model.linear);
      painter.drawImage(target, image);
    }
    painter.restore();
  }

  void paint(QPainter& painter) {
    painter.fillRect(pane.rect(), viewBackground());
    if (!model.source) return;
    for (const std::size_t side : {kSourceSide, kResultSide}) paintPicture(painter, side);

    SliceOverlay drawing{.plane = plane,
                         .model = model,
                         .view = view,
                         .focused = pane.hasFocus(),
                         .status = status,
                         .unitsPerPixel = camera.unitsPerPixel};
    for (const std::size_t side : {kSourceSide, kResultSide}) {
      if (!model.shown[side]) continue;
      drawing.sides.push_back({side, sideRect(side), pane.positionOf(model.crosshair, side)});
    }
    drawing.paint(painter);
  }

  void dragTo(const QPointF& p) {
    switch (drag) {
      case Drag::Crosshair: Q_EMIT pane.picked(pane.hit(p).voxel); return;
      case Drag::Pan:
        camera.across = dragCamera.across - (p.x() - dragFrom.x()) * camera.unitsPerPixel;
        camera.up = dragCamera.up + (p.y() - dragFrom.y()) * camera.unitsPerPixel;
        fitted = false;
        refresh();
        return;
      case Drag::Window: {
        // To the right: wider; upward: brighter.
        const double width = dragWindow[1] - dragWindow[0];
        const double middle = (dragWindow[1] + dragWindow[0]) / 2 + (p.y() - dragFrom.y()) / pane.height() * width;
        const double newWidth = width * std::exp(3 * (p.x() - dragFrom.x()) / pane.width());
        Q_EMIT pane.windowDragged(static_cast<int>(dragSide), middle - newWidth / 2, middle + newWidth / 2);
        return;
      }
      case Drag::None: return;
    }
  }
};

SlicePane::SlicePane(VolumeViews::View view, const ViewModel& model, QWidget* parent)
    : QWidget(parent), impl_(std::make_unique<Impl>(*this, view, model)) {
  setAttribute(Qt::WA_OpaquePaintEvent);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::CrossCursor);
}

SlicePane::~SlicePane() = default;

const SlicePlane& SlicePane::plane() const { return impl_->plane; }

void SlicePane::setPlane(const SlicePlane& plane) {
  impl_->plane = plane;
  for (SliceLayer& layer : impl_->layers) layer.clear();
  resetCamera();
}

void SlicePane::refresh() { impl_->refresh(); }

void SlicePane::setStatusText(const QString& text) {
  if (impl_->status == text) return;
  impl_->status = text;
  update();
}

QString SlicePane::statusText() const { return impl_->status; }

void SlicePane::resetCamera() {
  impl_->fitted = true;
  impl_->refresh();
}

QPointF SlicePane::positionOf(const std::array<std::int64_t, 3>& voxel, std::size_t side) const {
  const SlicePlane& plane = impl_->plane;
  return impl_->toPane(plane.acrossOf(static_cast<double>(voxel[plane.across])),
                       plane.upOf(static_cast<double>(voxel[plane.up])), side);
}

SlicePane::Hit SlicePane::hit(const QPointF& position) const {
  const SlicePlane& plane = impl_->plane;
  Hit hit;
  hit.side = impl_->sideAt(position);
  const auto [across, up] = impl_->toPlane(position, hit.side);
  hit.voxel = impl_->model.crosshair;
  hit.inside = impl_->model.source != nullptr;
  const auto place = [&](std::size_t axis, double index) {
    const auto nearest = static_cast<std::int64_t>(std::floor(index + 0.5));
    hit.voxel[axis] = std::clamp<std::int64_t>(nearest, 0, plane.extent[axis] - 1);
    if (hit.voxel[axis] != nearest) hit.inside = false;
  };
  place(plane.across, plane.acrossIndex(across));
  place(plane.up, plane.upIndex(up));
  return hit;
}

QImage SlicePane::renderToImage(double scale) {
  const QSize pixels = (QSizeF(size()) * scale).toSize().expandedTo(QSize(1, 1));
  QImage image(pixels, QImage::Format_RGB32);
  image.fill(viewBackground());
  if (impl_->model.source) impl_->updateLayers(scale);
  QPainter painter(&image);
  painter.scale(scale, scale);
  impl_->paint(painter);
  painter.end();
  impl_->refresh();
  return image;
}

void SlicePane::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  impl_->paint(painter);
  Q_EMIT painted();
}

void SlicePane::resizeEvent(QResizeEvent*) { impl_->refresh(); }

void SlicePane::mousePressEvent(QMouseEvent* event) {
  Impl& i = *impl_;
  if (!i.model.source) return;
  const bool windowing = event->button() == Qt::RightButton ||
                         (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ControlModifier));
  i.dragFrom = event->position();
  i.dragSide = i.sideAt(i.dragFrom);
  i.dragCamera = i.camera;
  i.dragWindow = i.model.window[i.dragSide];
  if (windowing) {
    i.drag = Impl::Drag::Window;
  } else if (event->button() == Qt::MiddleButton) {
    i.drag = Impl::Drag::Pan;
    setCursor(Qt::ClosedHandCursor);
  } else if (event->button() == Qt::LeftButton) {
    i.drag = Impl::Drag::Crosshair;
    i.dragTo(event->position());
  }
}

void SlicePane::mouseMoveEvent(QMouseEvent* event) {
  impl_->mouse = event->position();
  if (!impl_->model.source) return;
  impl_->dragTo(event->position());
  impl_->tellUnderMouse();
}

void SlicePane::mouseReleaseEvent(QMouseEvent* event) {
  const bool still = (event->position() - impl_->dragFrom).manhattanLength() < QApplication::startDragDistance();
  if (event->button() == Qt::RightButton && impl_->drag == Impl::Drag::Window && still)
    Q_EMIT menuRequested(event->globalPosition().toPoint());
  impl_->drag = Impl::Drag::None;
  setCursor(Qt::CrossCursor);
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
void SlicePane::focusInEvent(QFocusEvent*) { update(); }
void SlicePane::focusOutEvent(QFocusEvent*) { update(); }

}  // namespace sscope
