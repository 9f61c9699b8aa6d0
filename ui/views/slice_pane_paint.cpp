// What a slice pane paints.

#include <QPolygonF>
#include <cmath>
#include <utility>

#include "ui/views/difference_words.h"
#include "ui/views/slice_overlay.h"
#include "ui/views/slice_pane_impl.h"
#include "ui/views/view_style.h"

namespace sscope {

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
