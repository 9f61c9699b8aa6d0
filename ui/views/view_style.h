#pragma once
// Colors and small drawings that the panes share. The picture's surroundings are dark in both palettes, as reading
// rooms are, so that grays look the same whatever the desktop.

#include <cstddef>

#include <QColor>
#include <QPainter>
#include <QRectF>
#include <QString>

namespace sscope {

[[nodiscard]] QColor viewBackground();
[[nodiscard]] QColor viewText();
// Of physical axis 0..2: sagittal, coronal, axial; crosshair lines and plane marks carry it.
[[nodiscard]] QColor axisColor(std::size_t physicalAxis);

// Text of one line with a dark rim that stays readable on any gray; returns the rectangle it took.
[[nodiscard]] QRectF rimmedTextRect(const QPainter& painter, const QRectF& area, int flags, const QString& text);
QRectF drawRimmedText(QPainter& painter, const QRectF& area, int flags, const QString& text, const QColor& color);
// A small rounded label; `anchor` is the corner of `area` it sits in.
void drawChip(QPainter& painter, const QRectF& area, Qt::Alignment corner, const QString& text, const QColor& ink);

// "10 mm", or "10 voxels" where the unit is unknown: a round length of at most `longest`.
struct ScaleBar {
  double length = 0;
  QString text;
};
[[nodiscard]] ScaleBar roundScaleBar(double longest, const QString& unit);

}  // namespace sscope
