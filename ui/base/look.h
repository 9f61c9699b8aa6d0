#pragma once
// Measures and shades that all panels share. Lengths follow the font, colors the palette.

#include <QColor>
#include <QString>

class QAbstractButton;
class QApplication;
class QLabel;
class QScrollArea;
class QWidget;

namespace sscope {

// `factor` times the height of a line of the widget's font.
[[nodiscard]] int em(const QWidget* widget, double factor);
[[nodiscard]] bool darkPalette(const QWidget* widget);
// The text color mixed with the background, for captions, units and absent items.
[[nodiscard]] QColor quietColor(const QWidget* widget);
// A caption in the quiet color; follows palette changes.
[[nodiscard]] QLabel* quietLabel(const QString& text, QWidget* parent);
// A small heading inside a panel.
[[nodiscard]] QLabel* headingLabel(const QString& text, QWidget* parent);

// `content` in a frameless area that scrolls only vertically.
[[nodiscard]] QScrollArea* upDownScroll(QWidget* content, QWidget* parent);

// Shows a checked button in the accent color: sunken buttons are hard to see in dark palettes.
void accentWhenChecked(QAbstractButton* button);

enum class Appearance { System, Light, Dark };
// System leaves style and palette to the desktop; the others set the Fusion style with our palette.
void applyAppearance(QApplication& application, Appearance appearance);

}  // namespace sscope
