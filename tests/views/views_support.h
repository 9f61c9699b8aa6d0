#pragma once
// What the tests of pictures share.

#include <functional>
#include <memory>

#include <QColor>
#include <QEvent>
#include <QImage>
#include <QPoint>
#include <QString>
#include <QWidget>

#include "core/volume/volume.h"
#include "tests/support/qstring.h"

namespace sscope::test {

// Runs the event loop until `done` holds or `milliseconds` have passed; whether it holds.
bool waitFor(const std::function<bool()>& done, int milliseconds = 20000);
// Shows the widget at this size and waits until it is painted.
void showAt(QWidget& widget, const QSize& size);
// The widget as it is on the screen, OpenGL included.
[[nodiscard]] QImage pictureOf(QWidget& widget);
void sendKey(QWidget& widget, int key, Qt::KeyboardModifiers modifiers = {});
void sendMouse(QWidget& widget, QEvent::Type type, const QPointF& at, Qt::MouseButton button = Qt::LeftButton,
               Qt::KeyboardModifiers modifiers = {});
// The colors of a light or a dark look, the same on every machine.
void usePalette(QWidget& widget, bool dark);
// Keeps a picture for people to look at where SSCOPE_TEST_PICTURES names a folder.
void keepPicture(const QImage& image, const QString& name);

// The mean lightness 0..255 of a square of 2 * radius + 1 pixels.
[[nodiscard]] double lightnessAround(const QImage& image, const QPoint& center, int radius = 2);
[[nodiscard]] bool closeTo(QRgb pixel, const QColor& color, int tolerance = 6);
// How many pixels are within `tolerance` of a color.
[[nodiscard]] int countOf(const QImage& image, const QColor& color, int tolerance = 6);

// A volume of `background` with one voxel of `value`.
[[nodiscard]] std::shared_ptr<const Volume> markedVolume(const VolumeShape& shape,
                                                         const std::array<std::int64_t, 3>& at, float background,
                                                         float value, Geometry geometry = {});

}  // namespace sscope::test
