#include "ui/views/slice_pane.h"

#include <cmath>

#include "ui/views/slice_pane_impl.h"
#include "ui/views/view_style.h"

namespace sscope {

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

void SlicePane::setWordsWithoutData(const QString& text) {
  impl_->wordsWithoutData = text;
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

void SlicePane::enterEvent(QEnterEvent*) { Q_EMIT activated(); }
void SlicePane::focusInEvent(QFocusEvent*) {
  update();
  Q_EMIT activated();
}
void SlicePane::focusOutEvent(QFocusEvent*) { update(); }

}  // namespace sscope

#include "moc_slice_pane.cpp"
