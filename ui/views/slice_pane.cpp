#include "ui/views/slice_pane.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPolygonF>
#include <QWheelEvent>

#include "ui/base/look.h"
#include "ui/views/difference_words.h"
#include "ui/views/profile_tool.h"
#include "ui/views/slice_layer.h"
#include "ui/views/slice_overlay.h"
#include "ui/views/slice_sides.h"
#include "ui/views/slice_stretch.h"
#include "ui/views/view_style.h"

namespace sscope {

namespace {
constexpr double kMargin = 1.04;        // of the fitted slice's surroundings
constexpr double kDividerReach = 0.4;   // of the mouse, in lines of text
constexpr double kDividerStep = 0.02;   // of the keys
constexpr std::size_t kDifference = 2;  // the layer of the difference, after those of the sides
}  // namespace

struct SlicePane::Impl {
  enum class Drag { None, Crosshair, Window, Pan, Divider, Line, NewLine };

  SlicePane& pane;
  VolumeViews::View view;
  const ViewModel& model;
  SlicePlane plane;
  SliceCamera camera;  // unitsPerPixel counts logical pixels here
  bool fitted = true;  // the user has not moved the camera: it follows the size
  std::array<SliceLayer, 3> layers{};
  std::array<StretchedPicture, 3> stretched{};  // those layers on the screen
  QString status;
  Drag drag = Drag::None;
  std::size_t dragSide = 0;
  QPointF dragFrom;
  SliceCamera dragCamera;
  std::array<double, 2> dragWindow{};
  double dragRange = 1;
  ProfileTool tool{};
  bool straight = false;  // the line is drawn along an axis
  int wheelRest = 0;
  std::optional<QPointF> mouse;  // where it rests over the pane

  [[nodiscard]] SliceSides sides() const {
    SliceSides sides{model, QRectF(QPointF(0, 0), QSizeF(pane.size()))};
    if (model.overlaid()) {
      const double left = -plane.spacing[plane.across] / 2, bottom = -plane.spacing[plane.up] / 2;
      sides.slice =
          QRectF(place(sides.pane, left, bottom + plane.height()), place(sides.pane, left + plane.width(), bottom));
    }
    return sides;
  }
  [[nodiscard]] std::size_t sideAt(const QPointF& p) const { return sides().at(p); }
  [[nodiscard]] bool onDivider(const QPointF& p) const {
    return model.source && sides().onDivider(p, em(&pane, kDividerReach));
  }
  [[nodiscard]] std::size_t firstSide() const { return model.shown[kSourceSide] ? kSourceSide : kResultSide; }

  void fit() {
    const QRectF area = sides().area(firstSide());
    if (area.isEmpty()) return;
    camera.across = (plane.width() - plane.spacing[plane.across]) / 2;
    camera.up = (plane.height() - plane.spacing[plane.up]) / 2;
    camera.unitsPerPixel = kMargin * std::max(plane.width() / area.width(), plane.height() / area.height());
  }

  [[nodiscard]] QPointF place(const QRectF& area, double across, double up) const {
    const QPointF middle = area.center();
    return {middle.x() + (across - camera.across) / camera.unitsPerPixel,
            middle.y() - (up - camera.up) / camera.unitsPerPixel};
  }
  [[nodiscard]] QPointF toPane(double across, double up, std::size_t side) const {
    return place(sides().area(side), across, up);
  }
  [[nodiscard]] std::array<double, 2> toPlane(const QPointF& p, std::size_t side) const {
    const QPointF middle = sides().area(side).center();
    return {camera.across + (p.x() - middle.x()) * camera.unitsPerPixel,
            camera.up - (p.y() - middle.y()) * camera.unitsPerPixel};
  }

  // The line of a profile, if it lies in this plane.
  [[nodiscard]] const ProfileLine* line() const {
    return model.profiling && model.profile && model.profile->axis == plane.normal ? &*model.profile : nullptr;
  }
  // Which of a point's two indices runs across.
  [[nodiscard]] std::size_t acrossPlace() const { return plane.across < plane.up ? 0 : 1; }
  [[nodiscard]] ProfileTool::Place placeOn(std::size_t side) const {
    return [this, side](const SlicePoint& point) {
      return toPane(plane.acrossOf(point[acrossPlace()]), plane.upOf(point[1 - acrossPlace()]), side);
    };
  }
  [[nodiscard]] SlicePoint slicePoint(const QPointF& p) const {
    const auto [across, up] = toPlane(p, dragSide);
    SlicePoint point;
    point[acrossPlace()] = plane.acrossIndex(across);
    point[1 - acrossPlace()] = plane.upIndex(up);
    return point;
  }
  [[nodiscard]] ProfileTool::Part linePart(const QPointF& p) const {
    return line() ? ProfileTool::partAt(*line(), p, placeOn(sideAt(p)), em(&pane, 0.5)) : ProfileTool::Part::None;
  }
  void beginLine(const QPointF& p) {
    const ProfileTool::Part part = linePart(p);
    drag = part == ProfileTool::Part::None ? Drag::NewLine : Drag::Line;
    if (drag == Drag::Line) tool.begin(*line(), part, plane.normal, slicePoint(p));
  }
  // By whole voxels as the arrows say on the screen. False: there is no line here.
  [[nodiscard]] bool moveLine(int key, bool secondEnd) const {
    if (!line()) return false;
    const bool sideways = key == Qt::Key_Left || key == Qt::Key_Right;
    const double way = key == Qt::Key_Right || key == Qt::Key_Up ? 1 : -1;
    SlicePoint by{};
    by[sideways ? acrossPlace() : 1 - acrossPlace()] = (sideways ? plane.acrossFlipped : plane.upFlipped) ? -way : way;
    Q_EMIT pane.profileDragged(moved(*line(), plane, by, secondEnd));
    Q_EMIT pane.profileDropped();
    return true;
  }

  // Brings the pictures up to date for `scale` physical pixels a logical one.
  void updateLayers(double scale) {
    SliceCamera physical = camera;
    physical.unitsPerPixel /= scale;
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
      const QRectF area = sides().area(std::min(layer, kResultSide));
      layers[layer].update(content(layer), plane, physical, area.width() * scale, area.height() * scale);
    }
  }
  [[nodiscard]] SliceContent content(std::size_t layer) const {
    if (layer == kDifference) {
      const auto& difference = model.difference[plane.normal];
      if (!model.differs() || !difference) return {};
      return {{difference, &difference->values}, 0, 0, model.differenceWindow(), model.differenceColors()};
    }
    if (!model.shown[layer] || model.differs()) return {};
    const ViewModel::Slice slice = model.slice(layer, plane.normal);
    return {slice.volume, slice.at, model.component, model.window[model.windowSide(layer)], model.sliceColors};
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

  void paintPicture(QPainter& painter, const SliceSides& sides, std::size_t side) {
    const std::size_t number = model.differs() ? kDifference : side;
    const QImage& image = layers[number].image();
    if (!sides.seen(side) || image.isNull()) return;
    const QRectF extent = layers[number].extent(), area = sides.area(side);
    const QRectF target(toPane(extent.left(), extent.bottom(), side), toPane(extent.right(), extent.top(), side));
    painter.save();
    painter.setClipRegion(sides.part(side));
    const double ratio = painter.transform().m11() * painter.device()->devicePixelRatioF();
    if (model.linear && ratio == std::floor(ratio)) {
      const auto pixels = [&](const QRectF& box) { return QRectF(box.topLeft() * ratio, box.size() * ratio); };
      stretched[number].update(image, pixels(target), pixels(area).toAlignedRect());
      const QImage& large = stretched[number].image();
      painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
      painter.drawImage(QRectF(QPointF(stretched[number].corner()) / ratio, QSizeF(large.size()) / ratio), large);
    } else {
      painter.setRenderHint(QPainter::SmoothPixmapTransform, model.linear);
      painter.drawImage(target, image);
    }
    painter.restore();
  }

  void paint(QPainter& painter) {
    painter.fillRect(pane.rect(), viewBackground());
    if (!model.source) return;
    const SliceSides sides = this->sides();
    for (const std::size_t side : {kSourceSide, kResultSide}) paintPicture(painter, sides, side);
    if (model.both() && model.compare.how == CompareLook::How::Swipe) paintDivider(painter, sides.dividerX());

    SliceOverlay drawing{.plane = plane,
                         .model = model,
                         .view = view,
                         .focused = pane.hasFocus(),
                         .status = words(),
                         .unitsPerPixel = camera.unitsPerPixel};
    for (const std::size_t side : {kSourceSide, kResultSide}) {
      // At one place one of them stands for both.
      if (!sides.seen(side) || (model.overlaid() && !drawing.sides.empty())) continue;
      drawing.sides.push_back({side, sides.area(side), pane.positionOf(model.crosshair, side), sides.name(side)});
    }
    if (line()) {
      for (const SliceOverlay::Side& side : drawing.sides) {
        painter.save();
        painter.setClipRect(side.area);
        ProfileTool::paint(painter, *line(), placeOn(side.side), em(&pane, 1));
        painter.restore();
      }
    }
    drawing.paint(painter);
  }

  void paintDivider(QPainter& painter, double x) const {
    const double line = em(&pane, 1), grip = 0.45 * line;
    const QPointF middle(x, 0.62 * pane.height());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const auto& [color, width] : {std::pair(viewBackground(), 0.25 * line), std::pair(viewText(), 0.1 * line)}) {
      painter.setPen(QPen(color, width));
      painter.drawLine(QPointF(x, 0), QPointF(x, pane.height()));
    }
    painter.setBrush(viewBackground());
    painter.drawEllipse(middle, grip, grip);
    painter.setPen(Qt::NoPen);
    painter.setBrush(viewText());
    for (const double way : {-1.0, 1.0})
      painter.drawPolygon(
          QPolygonF({middle + QPointF(way * 0.75 * grip, 0), middle + QPointF(way * 0.2 * grip, -0.5 * grip),
                     middle + QPointF(way * 0.2 * grip, 0.5 * grip)}));
    painter.restore();
  }

  // In the corner: what is shown, and how large the difference is.
  [[nodiscard]] QString words() const {
    const auto& difference = model.difference[plane.normal];
    if (!model.differs() || !difference) return status;
    const QString norms = shortNorms(difference->norms);
    return status.isEmpty() ? norms : norms + QStringLiteral(" · ") + status;
  }

  void showCursor(const QPointF& p) const {
    const bool onLine = model.source && linePart(p) != ProfileTool::Part::None;
    pane.setCursor(onLine ? Qt::SizeAllCursor : onDivider(p) ? Qt::SplitHCursor : Qt::CrossCursor);
  }

  void moveDivider(double divider) const { Q_EMIT pane.dividerMoved(std::clamp(divider, 0.0, 1.0)); }

  void dragTo(const QPointF& p) {
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
  impl_->tellUnderMouse();
}

void SlicePane::mouseReleaseEvent(QMouseEvent* event) {
  const bool still = (event->position() - impl_->dragFrom).manhattanLength() < QApplication::startDragDistance();
  if (event->button() == Qt::RightButton && impl_->drag == Impl::Drag::Window && still)
    Q_EMIT menuRequested(event->globalPosition().toPoint());
  // Where no line was drawn it was a click.
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
void SlicePane::enterEvent(QEnterEvent*) { Q_EMIT activated(); }
void SlicePane::focusInEvent(QFocusEvent*) {
  update();
  Q_EMIT activated();
}
void SlicePane::focusOutEvent(QFocusEvent*) { update(); }

}  // namespace sscope
