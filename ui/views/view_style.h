#pragma once
// Colors and small drawings of the panes. The background is dark in both palettes, as in radiology reading rooms, so
// that grays look the same on every desktop.

#include <cstddef>

#include <QColor>
#include <QPainter>
#include <QRectF>
#include <QString>

namespace sscope {

[[nodiscard]] QColor viewBackground();
[[nodiscard]] QColor viewText();
// The color of physical axis 0..2: sagittal, coronal, axial; of crosshair lines and plane marks.
[[nodiscard]] QColor axisColor(std::size_t physicalAxis);

// A line of text on a dark, translucent plate that keeps it readable on any picture, aligned in `area` by `flags` of
// Qt::Alignment: its rectangle, and drawing it, which returns the rectangle.
[[nodiscard]] QRectF labelRect(const QPainter& painter, const QRectF& area, int flags, const QString& text);
QRectF drawLabel(QPainter& painter, const QRectF& area, int flags, const QString& text, const QColor& color);
void drawPlate(QPainter& painter, const QRectF& box);
// The text, elided at the end if its label would be wider than `width`.
[[nodiscard]] QString fittingText(const QPainter& painter, const QString& text, double width);

// The unit of lengths if the physical unit is unknown.
enum class GridPoint { Voxel, Pixel, Site };
// "10 mm", or "10 voxels" if the unit is unknown: a round length of at most `longest`.
struct ScaleBar {
  double length = 0;
  QString text;
};
[[nodiscard]] ScaleBar roundScaleBar(double longest, const QString& unit, GridPoint point = GridPoint::Voxel);
// Its rectangle in the lower left corner of `area`, with a bar of `length` pixels; and drawing it.
[[nodiscard]] QRectF scaleBarRect(const QPainter& painter, const QRectF& area, const ScaleBar& bar, double length);
void drawScaleBar(QPainter& painter, const QRectF& box, const ScaleBar& bar, double length);

}  // namespace sscope
