#include "ui/views/volume_pane.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>

#include <QApplication>
#include <QContextMenuEvent>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTimer>
#include <QWheelEvent>

#include "ui/base/text.h"
#include "ui/views/slice_plane.h"
#include "ui/views/view_style.h"
#include "ui/views/volume_renderer.h"

namespace sscope {

namespace {
using namespace std::chrono_literals;
constexpr auto kQuiet = 180ms;  // without new results before the volume is drawn again
constexpr auto kRest = 140ms;   // without camera motion before the picture is refined
}  // namespace

struct VolumePane::Impl {
  enum class Drag { None, Rotate, Pan, Zoom };

  VolumePane& pane;
  const ViewModel& model;
  VolumeRenderer renderer{};
  CameraPose camera{};
  bool framed = false;      // the camera was set for the present data
  bool moved = false;       // by the user: the camera no longer follows the size
  double framedAspect = 1;  // of a side, when the camera was set
  VolumePicture picture{};
  bool waiting = false;
  QString status{};
  QTimer quiet{}, rest{};
  std::uint64_t contents = 0;              // counts changes other than of the camera
  std::uint64_t oldest = 0;                // older pictures show other data
  std::weak_ptr<const Volume> pictured{};  // the source of the picture, or of the next one
  bool announcedRefining = false;
  FrameClock frames{};
  bool unseen = false;  // the picture belongs to a motion and was not painted yet
  Drag drag = Drag::None;
  QPointF last{}, pressed{};

  [[nodiscard]] std::array<bool, 2> shown() const { return model.shown; }
  [[nodiscard]] bool both() const { return model.shown[0] && model.shown[1]; }

  [[nodiscard]] VolumeRenderer::Request request(bool moving, double scale) const {
    return {.volumes = {model.sourceArray, model.result},
            .component = model.component,
            .modality = model.modality,
            .shown = model.shown,
            .colors = model.colors,
            .windows = model.window,
            .look = model.volumeLook,
            .slices = {model.sliceLook(kSourceSide), model.sliceLook(kResultSide)},
            .camera = camera,
            .pixels = (QSizeF(pane.size()) * scale).toSize().expandedTo(QSize(2, 2)),
            .effort = moving ? VolumeRenderer::Effort::Moving : VolumeRenderer::Effort::Refining,
            .contents = contents};
  }

  void ask(bool moving) {
    if (!pane.isVisible() || !model.source || pane.size().isEmpty()) return;
    frameIfNeeded();
    waiting = true;
    renderer.request(request(moving, pane.devicePixelRatioF()));
    if (moving) {
      frames.asked(std::chrono::steady_clock::now());
      rest.start();
    } else {
      rest.stop();
    }
    announceRefining();
  }

  void announceRefining() {
    const bool now = pane.isVisible() && pane.refining();
    if (std::exchange(announcedRefining, now) != now) Q_EMIT pane.refiningChanged(now);
  }

  // For new data; and for another size or a second side, unless the user moved the camera.
  void frameIfNeeded() {
    if (!framed || (!moved && framedAspect != sideAspect())) frame();
  }

  void frame() {
    const VolumeShape& shape = model.source->shape();
    const Geometry& geometry = model.source->geometry();
    const std::array extent{shape.nx, shape.ny, shape.nz};
    std::array<Vector3, 8> corners{};
    Vector3 half{};
    for (std::size_t a = 0; a < 3; ++a) half[a] = static_cast<double>(extent[a] - 1) / 2;
    for (std::size_t corner = 0; corner < corners.size(); ++corner) {
      Vector3 index = half;
      for (std::size_t a = 0; a < 3; ++a)
        index[a] += ((corner >> a & 1U) != 0 ? 0.5 : -0.5) * static_cast<double>(extent[a]);
      corners[corner] = geometry.toPhysical(index);
    }
    framedAspect = sideAspect();
    camera = startPose(geometry.toPhysical(half), 1, framedAspect);
    camera.fit(corners, framedAspect);
    framed = true;
    moved = false;
  }

  [[nodiscard]] double sideAspect() const {
    const double width = both() ? pane.width() / 2.0 : pane.width();
    return width / std::max(1, pane.height());
  }

  [[nodiscard]] QRectF sideRect(std::size_t side, const QSizeF& size) const {
    QRectF area(QPointF(0, 0), size);
    if (!both()) return area;
    area.setWidth(size.width() / 2);
    if (side == kResultSide) area.moveLeft(size.width() / 2);
    return area;
  }

  [[nodiscard]] QPointF toPane(const Vector3& point, const QRectF& area) const {
    const auto [x, y] = camera.project(point);
    return {area.center().x() + x * area.height() / 2, area.center().y() - y * area.height() / 2};
  }

  void paintCrosshair(QPainter& painter, const QRectF& area) const {
    const Geometry& geometry = model.source->geometry();
    const VolumeShape& shape = model.source->shape();
    const std::array extent{shape.nx, shape.ny, shape.nz};
    Vector3 index{};
    for (std::size_t a = 0; a < 3; ++a) index[a] = static_cast<double>(model.crosshair[a]);
    const auto axes = indexAxesOf(geometry);
    for (std::size_t physical = 0; physical < 3; ++physical) {
      const std::size_t axis = axes[physical];
      Vector3 from = index, to = index;
      const double reach = 0.05 * static_cast<double>(extent[axis]);
      from[axis] -= reach;
      to[axis] += reach;
      painter.setPen(QPen(axisColor(physical), 1.6, Qt::SolidLine, Qt::RoundCap));
      painter.drawLine(toPane(geometry.toPhysical(from), area), toPane(geometry.toPhysical(to), area));
    }
  }

  // Three short axes with the letters of their positive ends, or x, y, z of the index if the data show no patient.
  void paintTriad(QPainter& painter, const QRectF& area) const {
    const bool patient = model.source->geometry().unit == "mm" && model.inSpace && !model.plainAxes;
    const std::array<QString, 3> names =
        patient ? std::array<QString, 3>{QStringLiteral("L"), QStringLiteral("P"), QStringLiteral("S")}
                : std::array<QString, 3>{QStringLiteral("x"), QStringLiteral("y"), QStringLiteral("z")};
    const double line = QFontMetricsF(painter.font()).height();
    const double length = 1.5 * line;
    const QPointF middle(area.left() + 2.6 * line, area.bottom() - 4.2 * line);  // above the scale bar
    std::array<std::pair<double, std::size_t>, 3> order;
    for (std::size_t a = 0; a < 3; ++a) order[a] = {camera.back[a], a};
    std::ranges::sort(order);  // the far ends first
    for (const auto& [depth, a] : order) {
      Vector3 direction{0, 0, 0};
      direction[a] = 1;
      const QPointF tip(dot(direction, camera.right()), -dot(direction, camera.up));
      QColor color = axisColor(a);
      if (depth < 0) color = color.darker(150);
      painter.setPen(QPen(color, 1.8, Qt::SolidLine, Qt::RoundCap));
      painter.drawLine(middle, middle + length * tip);
      const QPointF letter = middle + (length + 0.55 * line) * tip;
      drawLabel(painter, QRectF(letter.x() - line, letter.y() - line, 2 * line, 2 * line), Qt::AlignCenter, names[a],
                depth < 0 ? color.lighter(120) : color);
    }
  }

  // Valid in the plane of the focus. Returns its rectangle; empty: there is none.
  QRectF paintScaleBar(QPainter& painter, const QRectF& inner) const {
    const double unitsPerPixel = 2 * camera.halfHeight() / std::max(1, pane.height());
    const double width = both() ? inner.width() / 2 : inner.width();
    const ScaleBar bar = roundScaleBar(unitsPerPixel * width * 0.3, unitText(model.source->geometry().unit),
                                       model.plainAxes ? GridPoint::Site : GridPoint::Voxel);
    if (bar.length <= 0) return {};
    const double length = bar.length / unitsPerPixel;
    const QRectF box = scaleBarRect(painter, inner, bar, length);
    drawScaleBar(painter, box, bar, length);
    return box;
  }

  void paint(QPainter& painter, const QSizeF& size) const {
    const QRectF all(QPointF(0, 0), size);
    if (picture.image.isNull()) {
      painter.fillRect(all, viewBackground());
    } else {
      painter.setRenderHint(QPainter::SmoothPixmapTransform);
      painter.drawImage(all, picture.image);
    }
    if (!model.source) return;
    painter.setRenderHint(QPainter::Antialiasing);
    const double pad = 0.5 * QFontMetricsF(painter.font()).height();
    const QRectF inner = all.adjusted(pad, pad, -pad, -pad);
    const QRectF title = drawLabel(painter, inner, Qt::AlignLeft | Qt::AlignTop, VolumePane::tr("3D"), viewText());
    for (const std::size_t side : {kSourceSide, kResultSide}) {
      if (!model.shown[side]) continue;
      const QRectF area = sideRect(side, size);
      painter.save();
      painter.setClipRect(area);
      if (framed) paintCrosshair(painter, area);
      painter.restore();
      const QString& name = model.names[side];
      const QRectF within = area.adjusted(pad + (area.left() > 0 ? 0 : title.right()), pad, -pad, -pad);
      drawLabel(painter, within, Qt::AlignRight | Qt::AlignTop, fittingText(painter, name, within.width()), viewText());
    }
    if (framed) paintTriad(painter, inner);
    const QRectF bar = framed ? paintScaleBar(painter, inner) : QRectF();
    if (const QString words = pane.words(); !words.isEmpty()) {
      constexpr int kFlags = Qt::AlignRight | Qt::AlignBottom;
      const QString fitting = fittingText(painter, words, inner.width());
      // Above the scale bar if both do not fit side by side.
      const bool meets = labelRect(painter, inner, kFlags, fitting).intersects(bar);
      drawLabel(painter, meets ? inner.adjusted(0, 0, 0, bar.top() - inner.bottom() - pad / 2) : inner, kFlags, fitting,
                viewText());
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (both()) {
      painter.setPen(QPen(QColor(70, 76, 84), 1));
      painter.drawLine(QPointF(size.width() / 2, 0), QPointF(size.width() / 2, size.height()));
    }
    if (pane.hasFocus()) {
      QColor color = viewText();
      color.setAlpha(110);
      painter.setPen(QPen(color, 1));
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(all.adjusted(0.5, 0.5, -1, -1));
    }
  }

  // The picture is the finest one of the current contents: no refinement follows.
  void takeFinest() {
    waiting = false;
    quiet.stop();
    rest.stop();
    pane.update();
    announceRefining();
  }

  void cameraMoved() {
    moved = true;
    pane.update();  // the marks follow at once
    ask(true);
  }
};

VolumePane::VolumePane(const ViewModel& model, QWidget* parent)
    : QWidget(parent), impl_(std::make_unique<Impl>(*this, model)) {
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setCursor(Qt::OpenHandCursor);
  impl_->quiet.setSingleShot(true);
  impl_->quiet.setInterval(kQuiet);
  impl_->rest.setSingleShot(true);
  impl_->rest.setInterval(kRest);
  connect(&impl_->quiet, &QTimer::timeout, this, [this] {
    impl_->waiting = false;
    impl_->ask(false);
    impl_->announceRefining();
  });
  connect(&impl_->rest, &QTimer::timeout, this, [this] {
    impl_->frames.rested();
    impl_->ask(false);
  });
  connect(&impl_->renderer, &VolumeRenderer::drawn, this, [this](const VolumePicture& picture) {
    if (picture.contents < impl_->oldest) return;
    const bool other = impl_->picture.insights != picture.insights;
    impl_->picture = picture;
    impl_->unseen = picture.moving;
    if (picture.complete) impl_->waiting = false;
    update();
    if (other) Q_EMIT insightsChanged();
    Q_EMIT pictureShown();
    impl_->announceRefining();
  });
}

VolumePane::~VolumePane() = default;

bool VolumePane::refining() const { return impl_->waiting || impl_->quiet.isActive() || impl_->rest.isActive(); }

void VolumePane::resetCamera() {
  impl_->framed = false;
  impl_->ask(false);
  update();
}

QString VolumePane::words() const {
  if (!impl_->model.source) return {};
  const bool older = impl_->picture.contents != impl_->contents;
  if (impl_->picture.image.isNull() && (older || impl_->picture.note.isEmpty())) return tr("drawing");
  QStringList words;
  if (older) {
    words << tr("earlier picture");
  } else {
    if (!impl_->status.isEmpty()) words << impl_->status;
    if (!impl_->picture.note.isEmpty()) words << impl_->picture.note;
  }
  if (const auto seconds = impl_->frames.median(); seconds && impl_->picture.moving)
    words << tr("%1 a frame").arg(secondsText(*seconds));
  return words.join(QStringLiteral(" · "));
}

void VolumePane::refreshVolumes() {
  ++impl_->contents;
  // Never shows a picture of other data.
  if (std::exchange(impl_->pictured, impl_->model.source).lock() != impl_->model.source) {
    impl_->picture = {};
    impl_->oldest = impl_->contents;
  }
  impl_->waiting = true;
  holdBack();
  update();
}

void VolumePane::refreshLook() {
  if (impl_->quiet.isActive()) return;  // a picture of newer data follows
  ++impl_->contents;
  impl_->ask(true);
  update();
}

std::shared_ptr<const VolumeInsight> VolumePane::insight(std::size_t side) const {
  return impl_->picture.insights.at(side);
}

void VolumePane::playVolumes() {
  impl_->ask(true);
  update();
}

void VolumePane::holdBack() {
  if (!refining()) return;
  impl_->renderer.interrupt();
  impl_->quiet.start();
  impl_->announceRefining();
}

void VolumePane::refreshMarks() { update(); }

void VolumePane::setStatusText(const QString& text) {
  if (std::exchange(impl_->status, text) != text) update();
}

QImage VolumePane::renderToImage(double scale) {
  const QSize pixels = (QSizeF(size()) * scale).toSize().expandedTo(QSize(1, 1));
  QImage image(pixels, QImage::Format_RGB32);
  image.fill(viewBackground());
  bool found = false;
  if (impl_->model.source) {
    impl_->frameIfNeeded();
    VolumePicture picture = impl_->renderer.drawNow(impl_->request(false, scale));
    found = impl_->picture.insights != picture.insights;
    impl_->picture = std::move(picture);
  }
  QPainter painter(&image);
  painter.scale(scale, scale);
  impl_->paint(painter, QSizeF(size()));
  painter.end();
  if (impl_->model.source && scale == devicePixelRatioF()) {
    impl_->takeFinest();
  } else {
    impl_->ask(false);  // one of the screen's resolution
  }
  if (found) Q_EMIT insightsChanged();
  return image;
}

void VolumePane::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  impl_->paint(painter, QSizeF(size()));
  if (std::exchange(impl_->unseen, false)) impl_->frames.shown(std::chrono::steady_clock::now());
}

std::optional<double> VolumePane::frameSeconds() const { return impl_->frames.median(); }

void VolumePane::resizeEvent(QResizeEvent*) {
  impl_->quiet.start();
  impl_->announceRefining();
}
void VolumePane::showEvent(QShowEvent*) {
  impl_->quiet.start();
  impl_->announceRefining();
}
void VolumePane::hideEvent(QHideEvent*) { impl_->announceRefining(); }

void VolumePane::mousePressEvent(QMouseEvent* event) {
  impl_->last = impl_->pressed = event->position();
  const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
  if (event->button() == Qt::LeftButton) impl_->drag = shift ? Impl::Drag::Pan : Impl::Drag::Rotate;
  if (event->button() == Qt::MiddleButton) impl_->drag = Impl::Drag::Pan;
  if (event->button() == Qt::RightButton) impl_->drag = Impl::Drag::Zoom;
  setCursor(Qt::ClosedHandCursor);
}

void VolumePane::mouseMoveEvent(QMouseEvent* event) {
  if (impl_->drag == Impl::Drag::None || !impl_->framed) return;
  const QPointF by = event->position() - std::exchange(impl_->last, event->position());
  const double half = std::max(1.0, height() / 2.0);
  switch (impl_->drag) {
    case Impl::Drag::Rotate: impl_->camera.rotate(1.6 * by.x() / half, -1.6 * by.y() / half); break;
    case Impl::Drag::Pan: impl_->camera.pan(by.x() / half, -by.y() / half); break;
    case Impl::Drag::Zoom: impl_->camera.distance *= std::exp(by.y() / half); break;
    case Impl::Drag::None: break;
  }
  impl_->cameraMoved();
}

void VolumePane::mouseReleaseEvent(QMouseEvent* event) {
  const bool still = (event->position() - impl_->pressed).manhattanLength() < QApplication::startDragDistance();
  if (event->button() == Qt::RightButton && still) Q_EMIT menuRequested(event->globalPosition().toPoint());
  impl_->drag = Impl::Drag::None;
  setCursor(Qt::OpenHandCursor);
}

void VolumePane::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) Q_EMIT maximizeRequested();
}

// From the keyboard; the mouse zooms with the same button.
void VolumePane::contextMenuEvent(QContextMenuEvent* event) {
  if (event->reason() == QContextMenuEvent::Keyboard) Q_EMIT menuRequested(mapToGlobal(rect().center()));
}

void VolumePane::wheelEvent(QWheelEvent* event) {
  event->accept();
  if (!impl_->framed) return;
  impl_->camera.distance *= std::pow(1.15, -event->angleDelta().y() / 120.0);
  impl_->cameraMoved();
}

void VolumePane::keyPressEvent(QKeyEvent* event) {
  constexpr double kTurn = 0.13;  // radians a key press
  switch (event->key()) {
    case Qt::Key_Left: impl_->camera.rotate(-kTurn, 0); break;
    case Qt::Key_Right: impl_->camera.rotate(kTurn, 0); break;
    case Qt::Key_Up: impl_->camera.rotate(0, kTurn); break;
    case Qt::Key_Down: impl_->camera.rotate(0, -kTurn); break;
    case Qt::Key_Plus: impl_->camera.distance /= 1.15; break;
    case Qt::Key_Minus: impl_->camera.distance *= 1.15; break;
    default: QWidget::keyPressEvent(event); return;
  }
  impl_->cameraMoved();
}

void VolumePane::focusInEvent(QFocusEvent*) { update(); }
void VolumePane::focusOutEvent(QFocusEvent*) { update(); }

}  // namespace sscope

#include "moc_volume_pane.cpp"
