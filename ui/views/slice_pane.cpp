#include "ui/views/slice_pane_impl.h"

#include <QPolygonF>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "ui/base/text.h"
#include "ui/views/difference_slices.h"
#include "ui/views/slice_overlay.h"
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

namespace {

using How = CompareLook::How;

}  // namespace

QRectF SliceSides::area(std::size_t side) const {
  if (!model.both() || model.overlaid()) return pane;
  QRectF half = pane;
  half.setWidth(pane.width() / 2);
  if (side == kResultSide) half.moveRight(pane.right());
  return half;
}

std::size_t SliceSides::at(const QPointF& position) const {
  if (!model.both()) return model.shown[kResultSide] ? kResultSide : kSourceSide;
  switch (model.compare.how) {
    case How::Side: return position.x() >= area(kResultSide).left() ? kResultSide : kSourceSide;
    case How::Swipe: return position.x() >= dividerX() ? kResultSide : kSourceSide;
    case How::Flicker: return model.flickered ? kSourceSide : kResultSide;
    case How::Checkerboard: {
      const double length = fieldLength();
      const auto column = static_cast<std::int64_t>(std::floor((position.x() - slice.left()) / length));
      const auto row = static_cast<std::int64_t>(std::floor((position.y() - slice.top()) / length));
      return (column + row) % 2 == 0 ? kSourceSide : kResultSide;
    }
    case How::Difference: break;
  }
  return kResultSide;
}

bool SliceSides::seen(std::size_t side) const {
  if (!model.shown[side]) return false;
  if (!model.both()) return true;
  if (model.compare.how == How::Flicker) return (side == kSourceSide) == model.flickered;
  return model.compare.how != How::Difference || side == kResultSide;
}

QRegion SliceSides::part(std::size_t side) const {
  if (!model.overlaid()) return area(side).toAlignedRect();
  const QRect whole = pane.toAlignedRect();
  if (model.compare.how == How::Checkerboard) return fields(side);
  if (model.compare.how != How::Swipe) return whole;
  QRect part = whole;
  const int divider = static_cast<int>(std::lround(dividerX()));
  side == kSourceSide ? part.setRight(divider - 1) : part.setLeft(divider);
  return part;
}

double SliceSides::fieldLength() const {
  return std::max(4.0, std::max(slice.width(), slice.height()) / model.compare.fields);
}

// Whole pixels, so that neighbors share an edge. Ordered by rows and columns, as QRegion requires.
QRegion SliceSides::fields(std::size_t side) const {
  const double length = fieldLength();
  const auto edges = [&](double from, double first, double last) {
    const auto begin = static_cast<std::int64_t>(std::floor((std::max(first, from) - from) / length));
    std::vector<std::pair<std::int64_t, int>> found;
    for (std::int64_t i = begin; from + static_cast<double>(i - 1) * length < last; ++i)
      found.emplace_back(i, static_cast<int>(std::lround(from + static_cast<double>(i) * length)));
    return found;
  };
  const auto columns = edges(slice.left(), pane.left(), std::min(pane.right(), slice.right()));
  const auto rows = edges(slice.top(), pane.top(), std::min(pane.bottom(), slice.bottom()));
  std::vector<QRect> rectangles;
  for (std::size_t r = 0; r + 1 < rows.size(); ++r)
    for (std::size_t c = 0; c + 1 < columns.size(); ++c) {
      const bool source = (rows[r].first + columns[c].first) % 2 == 0;
      if (source != (side == kSourceSide)) continue;
      rectangles.emplace_back(QPoint(columns[c].second, rows[r].second),
                              QPoint(columns[c + 1].second - 1, rows[r + 1].second - 1));
    }
  QRegion region;
  region.setRects(rectangles.data(), static_cast<int>(rectangles.size()));
  return region;
}

QString SliceSides::name(std::size_t side) const {
  const QString& own = model.names[side];
  if (!model.overlaid()) return own;
  switch (model.compare.how) {
    case How::Swipe: return Words::tr("%1 | %2").arg(model.names[kSourceSide], model.names[kResultSide]);
    case How::Checkerboard: return Words::tr("%1 and %2").arg(model.names[kSourceSide], model.names[kResultSide]);
    case How::Difference: {
      switch (model.compare.difference) {
        case DifferenceKind::Absolute:
          return Words::tr("|%1 − %2|").arg(model.names[kResultSide], model.names[kSourceSide]);
        case DifferenceKind::Relative:
          return Words::tr("(%1 − %2) / |%2|").arg(model.names[kResultSide], model.names[kSourceSide]);
        case DifferenceKind::Signed: break;
      }
      return Words::tr("%1 − %2").arg(model.names[kResultSide], model.names[kSourceSide]);
    }
    default: return own;
  }
}

bool SliceSides::onDivider(const QPointF& position, double reach) const {
  return model.both() && model.compare.how == How::Swipe && std::abs(position.x() - dividerX()) <= reach;
}

void SlicePane::Impl::paintPicture(QPainter& painter, const SliceSides& sides, std::size_t side) {
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

void SlicePane::Impl::paint(QPainter& painter) {
  painter.fillRect(pane.rect(), viewBackground());
  if (!model.source) {
    painter.setPen(viewText());
    painter.drawText(pane.rect(), Qt::AlignCenter | Qt::TextWordWrap, wordsWithoutData);
    return;
  }
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
    // Overlaid sides have one overlay.
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

void SlicePane::Impl::paintDivider(QPainter& painter, double x) const {
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

QString SlicePane::Impl::words() const {
  const auto& difference = model.difference[plane.normal];
  if (!model.differs() || !difference) return status;
  const QString norms = shortNorms(difference->norms);
  return status.isEmpty() ? norms : norms + QStringLiteral(" · ") + status;
}

void SlicePane::Impl::updateLayers(double scale) {
  SliceCamera physical = camera;
  physical.unitsPerPixel /= scale;
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    const QRectF area = sides().area(std::min(layer, kResultSide));
    layers[layer].update(content(layer), plane, physical, area.width() * scale, area.height() * scale);
  }
}

SliceContent SlicePane::Impl::content(std::size_t layer) const {
  if (layer == kDifference) {
    const auto& difference = model.difference[plane.normal];
    if (!model.differs() || !difference) return {};
    return {{difference, &difference->values}, 0, 0, model.differenceWindow(), model.differenceColors()};
  }
  if (!model.shown[layer] || model.differs()) return {};
  const ViewModel::Slice slice = model.slice(layer, plane.normal);
  SliceContent content{slice.volume, slice.at, model.component, model.window[model.windowSide(layer)],
                       model.sliceColors};
  if (layer == kSourceSide && !model.isExact(plane.normal)) content.block = model.overview->block;
  return content;
}

}  // namespace sscope

#include "moc_slice_pane.cpp"
