#include "ui/views/slice_overlay.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QFontMetricsF>

#include "ui/base/text.h"
#include "ui/views/view_style.h"

namespace sscope {

namespace {

constexpr std::array kAxisNames{"x", "y", "z"};

QString viewName(VolumeViews::View view, const SlicePlane& plane, const ViewModel& model) {
  if (model.plainAxes)
    return Words::tr("%1%2 plane").arg(QLatin1String(kAxisNames[plane.across]), QLatin1String(kAxisNames[plane.up]));
  if (plane.extent[2] == 1) return Words::tr("image");
  switch (view) {
    case VolumeViews::View::Axial: return Words::tr("axial");
    case VolumeViews::View::Coronal: return Words::tr("coronal");
    case VolumeViews::View::Sagittal: return Words::tr("sagittal");
    case VolumeViews::View::Volume: break;
  }
  return Words::tr("3D");
}

// The color of the lines that mark the plane normal to an index axis.
std::size_t physicalAxis(const ViewModel& model, std::size_t axis) {
  const auto axes = indexAxesOf(model.source->geometry());
  for (std::size_t physical = 0; physical < 3; ++physical)
    if (axes[physical] == axis) return physical;
  return axis;
}

}  // namespace

void SliceOverlay::paintCrosshair(QPainter& painter, const Side& side) const {
  const double gap = 0.9 * QFontMetricsF(painter.font()).height();
  const QPointF c = side.crosshair;
  const QRectF& area = side.area;
  // A whole number of physical pixels, so that all lines are equally thick at any scale of the screen.
  const double ratio = painter.transform().m11() * painter.device()->devicePixelRatioF();
  const double thickness = std::max(1.0, std::floor(ratio)) / ratio;
  const auto color = [&](std::size_t axis) {
    QColor of = axisColor(physicalAxis(model, axis));
    of.setAlpha(190);
    return of;
  };
  painter.save();
  painter.setClipRect(area);
  // In pieces: for tall areas QPainter uses other threads and waits for them.
  constexpr double kPiece = 64;
  const auto line = [&](std::size_t axis, const QRectF& box) {
    if (!box.isValid() || !box.intersects(area)) return;
    const QRectF seen = box & area;
    for (double top = seen.top(); top < seen.bottom(); top += kPiece)
      painter.fillRect(QRectF(seen.left(), top, seen.width(), std::min(kPiece, seen.bottom() - top)), color(axis));
  };
  const double left = c.x() - thickness / 2, top = c.y() - thickness / 2;
  // The vertical line is where the plane normal to `across` cuts this one.
  line(plane.across, QRectF(QPointF(left, area.top()), QPointF(left + thickness, c.y() - gap)));
  line(plane.across, QRectF(QPointF(left, c.y() + gap), QPointF(left + thickness, area.bottom())));
  line(plane.up, QRectF(QPointF(area.left(), top), QPointF(c.x() - gap, top + thickness)));
  line(plane.up, QRectF(QPointF(c.x() + gap, top), QPointF(area.right(), top + thickness)));
  painter.restore();
}

bool SliceOverlay::isFree(const QRectF& box) const {
  return std::ranges::none_of(labels, [&](const QRectF& other) { return other.intersects(box); });
}

QString SliceOverlay::nameOf(const Side& side) const {
  const QString name = side.name.isEmpty() ? model.names[side.side] : side.name;
  const bool ofSource = side.side == kSourceSide || model.overlaid();
  if (!model.overview || !ofSource) return name;
  if (model.isExact(plane.normal)) return Words::tr("%1 · exact").arg(name);
  if (const int level = model.overview->level; level > 0) return Words::tr("%1 · level %2").arg(name).arg(level);
  const auto& block = model.overview->block;
  return Words::tr("%1 · means of %2×%3×%4").arg(name).arg(block[0]).arg(block[1]).arg(block[2]);
}

void SliceOverlay::paintName(QPainter& painter, const Side& side, const QRectF& inner) {
  constexpr int kFlags = Qt::AlignRight | Qt::AlignTop;
  const QString name = fittingText(painter, nameOf(side), inner.width());
  // Below the title if both do not fit into one line.
  const double line = 1.2 * QFontMetricsF(painter.font()).height();
  for (const double down : {0.0, line}) {
    const QRectF area = inner.adjusted(0, down, 0, 0);
    if (!isFree(labelRect(painter, area, kFlags, name))) continue;
    labels.push_back(drawLabel(painter, area, kFlags, name, viewText()));
    break;
  }
}

// Left out if there is no space: the opposite edge shows the other letter.
void SliceOverlay::paintLetters(QPainter& painter, const QRectF& inner) {
  const double line = 1.2 * QFontMetricsF(painter.font()).height();
  const auto letter = [&](std::size_t edge, int flags, double down) {
    if (plane.letters[edge] == ' ') return true;
    const QString text(QLatin1Char(plane.letters[edge]));
    const QRectF area = inner.adjusted(0, down, 0, 0);
    if (!isFree(labelRect(painter, area, flags, text))) return false;
    labels.push_back(drawLabel(painter, area, flags, text, viewText()));
    return true;
  };
  letter(0, Qt::AlignLeft | Qt::AlignVCenter, 0);
  letter(1, Qt::AlignRight | Qt::AlignVCenter, 0);
  if (!letter(2, Qt::AlignHCenter | Qt::AlignTop, 0)) letter(2, Qt::AlignHCenter | Qt::AlignTop, line);
  letter(3, Qt::AlignHCenter | Qt::AlignBottom, 0);
}

void SliceOverlay::paintTitle(QPainter& painter, const QRectF& inner) {
  const bool flat = plane.extent[2] == 1;
  const QColor color = flat ? viewText() : axisColor(physicalAxis(model, plane.normal));
  QString text = viewName(view, plane, model);
  const QLatin1String normal(kAxisNames[plane.normal]);
  if (model.plainAxes) {
    text += QStringLiteral("  %1 = %2").arg(normal).arg(model.crosshair[plane.normal]);
  } else if (!flat) {
    // The index as in the readout, and the last index.
    text += QStringLiteral("  %1 = %2 (0…%3)")
                .arg(normal)
                .arg(model.crosshair[plane.normal])
                .arg(plane.extent[plane.normal] - 1);
  }
  const double mark = 0.55 * QFontMetricsF(painter.font()).ascent();
  text = fittingText(painter, text, inner.width() - 2.2 * mark);
  QRectF box = labelRect(painter, inner, Qt::AlignLeft | Qt::AlignTop, text);
  box.setWidth(box.width() + 2.2 * mark);
  drawPlate(painter, box);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawEllipse(QPointF(box.left() + 1.3 * mark, box.center().y()), mark * 0.6, mark * 0.6);
  painter.setPen(viewText());
  painter.drawText(box.adjusted(2.2 * mark, 0, 0, 0), Qt::AlignCenter, text);
  painter.restore();
  labels.push_back(box);
}

void SliceOverlay::paintScaleBar(QPainter& painter, const QRectF& inner) {
  const ScaleBar bar = roundScaleBar(unitsPerPixel * inner.width() * 0.3, unitText(model.source->geometry().unit),
                                     model.plainAxes        ? GridPoint::Site
                                     : plane.extent[2] == 1 ? GridPoint::Pixel
                                                            : GridPoint::Voxel);
  if (bar.length <= 0) return;
  const double length = bar.length / unitsPerPixel;
  const QRectF box = scaleBarRect(painter, inner, bar, length);
  if (!isFree(box)) return;
  drawScaleBar(painter, box, bar, length);
  labels.push_back(box);
}

std::vector<QRectF> SliceOverlay::paint(QPainter& painter) {
  labels.clear();
  if (!model.source || sides.empty()) return labels;
  const double pad = 0.5 * QFontMetricsF(painter.font()).height();
  for (const Side& side : sides) paintCrosshair(painter, side);
  const QRectF last = sides.back().area;
  for (const Side& side : sides) {
    const QRectF inner = side.area.adjusted(pad, pad, -pad, -pad);
    const bool first = side.side == sides.front().side;
    if (first) paintTitle(painter, inner);
    paintName(painter, side, inner);
    const bool late = model.readingLong && side.side == kResultSide && model.awaited(plane.normal);
    const QString words = late ? Words::tr("earlier slice: the device is busy") : status;
    if (side.side == sides.back().side && !words.isEmpty()) {
      constexpr int kFlags = Qt::AlignRight | Qt::AlignBottom;
      const QString fitting = fittingText(painter, words, inner.width());
      if (isFree(labelRect(painter, inner, kFlags, fitting)))
        labels.push_back(drawLabel(painter, inner, kFlags, fitting, viewText()));
    }
    if (first) paintScaleBar(painter, inner);
    paintLetters(painter, inner);
    if (model.slice(side.side, plane.normal).volume) continue;
    // For data larger than memory, slices across the planes of the file are computed on request.
    const bool never = model.overview && model.overview->means->shape().nz > 1 && plane.normal != 2;
    const QString none = fittingText(
        painter, (never ? Words::tr("no %1 yet: X computes it") : Words::tr("no %1 yet")).arg(model.names[side.side]),
        inner.width());
    if (isFree(labelRect(painter, inner, Qt::AlignCenter, none)))
      labels.push_back(drawLabel(painter, inner, Qt::AlignCenter, none, viewText().darker(130)));
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
  if (sides.size() == 2) {
    painter.setPen(QPen(QColor(70, 76, 84), 1));
    painter.drawLine(last.topLeft(), last.bottomLeft());
  }
  if (focused) {
    const QRectF all = sides.front().area.united(last);
    QColor color = viewText();
    color.setAlpha(110);
    painter.setPen(QPen(color, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(all.adjusted(0.5, 0.5, -1, -1));
  }
  return labels;
}

}  // namespace sscope
