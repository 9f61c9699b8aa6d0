#include "ui/views/slice_overlay.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QFontMetricsF>

#include "ui/views/view_style.h"

namespace sscope {

namespace {

constexpr std::array kAxisNames{"x", "y", "z"};

QString viewName(VolumeViews::View view, const SlicePlane& plane, const ViewModel& model) {
  if (model.plainAxes)
    return QLatin1String(kAxisNames[plane.across]) + QLatin1String(kAxisNames[plane.up]) + QStringLiteral(" plane");
  if (plane.extent[2] == 1) return QStringLiteral("image");
  switch (view) {
    case VolumeViews::View::Axial: return QStringLiteral("axial");
    case VolumeViews::View::Coronal: return QStringLiteral("coronal");
    case VolumeViews::View::Sagittal: return QStringLiteral("sagittal");
    case VolumeViews::View::Volume: break;
  }
  return QStringLiteral("3D");
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
  const auto pen = [&](std::size_t axis) {
    QColor color = axisColor(physicalAxis(model, axis));
    color.setAlpha(190);
    return QPen(color, thickness);
  };
  painter.save();
  painter.setClipRect(area);
  painter.setRenderHint(QPainter::Antialiasing, false);
  // The vertical line is where the plane normal to `across` cuts this one.
  painter.setPen(pen(plane.across));
  painter.drawLine(QPointF(c.x(), area.top()), QPointF(c.x(), c.y() - gap));
  painter.drawLine(QPointF(c.x(), c.y() + gap), QPointF(c.x(), area.bottom()));
  painter.setPen(pen(plane.up));
  painter.drawLine(QPointF(area.left(), c.y()), QPointF(c.x() - gap, c.y()));
  painter.drawLine(QPointF(c.x() + gap, c.y()), QPointF(area.right(), c.y()));
  painter.restore();
}

void SliceOverlay::paintLabels(QPainter& painter, const Side& side, const QRectF& inner) const {
  const bool flat = plane.extent[2] == 1;
  const QFontMetricsF metrics(painter.font());
  QRectF title;
  if (side.side == sides.front().side) title = paintTitle(painter, inner, flat);
  const QString& name = model.names[side.side];
  // Below the title where both do not fit into one line.
  constexpr int kNameFlags = Qt::AlignRight | Qt::AlignTop;
  const bool below = title.right() + 0.5 * metrics.height() > rimmedTextRect(painter, inner, kNameFlags, name).left();
  const QRectF nameArea = below ? inner.adjusted(0, 1.2 * metrics.height(), 0, 0) : inner;
  const QRectF nameBox = drawRimmedText(painter, nameArea, kNameFlags, name, viewText());
  if (!model.slice(side.side, plane.normal).volume)
    drawRimmedText(painter, inner, Qt::AlignCenter, QStringLiteral("no %1 yet").arg(name), viewText().darker(150));

  // A plate behind each letter: the crosshair's lines run through the same places.
  const auto letter = [&](std::size_t edge, const QRectF& area, int flags) {
    if (plane.letters[edge] == ' ') return;
    const QString text(QLatin1Char(plane.letters[edge]));
    const QRectF box = rimmedTextRect(painter, area, flags, text);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(0, 0, 0, 130));
    painter.drawEllipse(box.center(), 0.55 * metrics.height(), 0.55 * metrics.height());
    painter.restore();
    drawRimmedText(painter, area, flags, text, viewText());
  };
  letter(0, inner, Qt::AlignLeft | Qt::AlignVCenter);
  letter(1, inner, Qt::AlignRight | Qt::AlignVCenter);
  // Below the words where the side is too narrow for all of them in one line.
  const double middle = inner.center().x(), room = metrics.height();
  const bool crowded = title.right() > middle - room || nameBox.left() < middle + room;
  letter(2, crowded ? inner.adjusted(0, 1.2 * metrics.height(), 0, 0) : inner, Qt::AlignHCenter | Qt::AlignTop);
  letter(3, inner, Qt::AlignHCenter | Qt::AlignBottom);
}

QRectF SliceOverlay::paintTitle(QPainter& painter, const QRectF& inner, bool flat) const {
  const QColor color = flat ? viewText() : axisColor(physicalAxis(model, plane.normal));
  QString text = viewName(view, plane, model);
  const QLatin1String normal(kAxisNames[plane.normal]);
  if (model.plainAxes) {
    text += QStringLiteral("  %1 = %2").arg(normal).arg(model.crosshair[plane.normal]);
  } else if (!flat) {
    // The index as the readout has it, and the last one there is.
    text += QStringLiteral("  %1 = %2 (0…%3)")
                .arg(normal)
                .arg(model.crosshair[plane.normal])
                .arg(plane.extent[plane.normal] - 1);
  }
  const double mark = 0.55 * QFontMetricsF(painter.font()).ascent();
  const QRectF box =
      drawRimmedText(painter, inner.adjusted(1.8 * mark, 0, 0, 0), Qt::AlignLeft | Qt::AlignTop, text, viewText());
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(QColor(0, 0, 0, 140), 1));
  painter.setBrush(color);
  painter.drawEllipse(QPointF(inner.left() + 0.6 * mark, box.center().y()), mark * 0.6, mark * 0.6);
  painter.restore();
  return box;
}

void SliceOverlay::paintScaleBar(QPainter& painter, const QRectF& inner) const {
  ScaleBar bar =
      roundScaleBar(unitsPerPixel * inner.width() * 0.3, QString::fromStdString(model.source->geometry().unit));
  if (bar.length <= 0) return;
  if (model.plainAxes) bar.text.replace(QLatin1String("voxel"), QLatin1String("site"));
  const double length = bar.length / unitsPerPixel;
  const double tick = 0.25 * QFontMetricsF(painter.font()).height();
  const QRectF text = drawRimmedText(painter, inner.adjusted(0, 0, 0, -1.5 * tick), Qt::AlignLeft | Qt::AlignBottom,
                                     bar.text, viewText());
  const double y = text.bottom() + tick;
  const auto strokes = [&] {
    painter.drawLine(QPointF(inner.left(), y), QPointF(inner.left() + length, y));
    painter.drawLine(QPointF(inner.left(), y - tick / 2), QPointF(inner.left(), y + tick / 2));
    painter.drawLine(QPointF(inner.left() + length, y - tick / 2), QPointF(inner.left() + length, y + tick / 2));
  };
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(QColor(0, 0, 0, 150), 4, Qt::SolidLine, Qt::RoundCap));
  strokes();
  painter.setPen(QPen(viewText(), 1.6, Qt::SolidLine, Qt::RoundCap));
  strokes();
  painter.restore();
}

void SliceOverlay::paint(QPainter& painter) const {
  if (!model.source || sides.empty()) return;
  const double pad = 0.5 * QFontMetricsF(painter.font()).height();
  for (const Side& side : sides) {
    const QRectF inner = side.area.adjusted(pad, pad, -pad, -pad);
    paintCrosshair(painter, side);
    paintLabels(painter, side, inner);
  }
  paintScaleBar(painter, sides.front().area.adjusted(pad, pad, -pad, -pad));
  const QRectF last = sides.back().area;
  drawChip(painter, last.adjusted(pad, pad, -pad, -pad), Qt::AlignRight | Qt::AlignBottom, status, viewText());
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
}

}  // namespace sscope
