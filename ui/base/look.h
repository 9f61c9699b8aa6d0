#pragma once
// The few measures and shades every panel shares. Lengths follow the font, colors the palette.

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
// Text color mixed halfway into the background: captions, units, what is absent.
[[nodiscard]] QColor quietColor(const QWidget* widget);
// A caption in the quiet color that follows palette changes.
[[nodiscard]] QLabel* quietLabel(const QString& text, QWidget* parent);
// A small heading inside a panel.
[[nodiscard]] QLabel* headingLabel(const QString& text, QWidget* parent);

// `content` in a frameless area that scrolls up and down only.
[[nodiscard]] QScrollArea* upDownScroll(QWidget* content, QWidget* parent);

// Lets a checkable button show by the accent color that it is checked: a sunken one is hard to tell in dark palettes.
void accentWhenChecked(QAbstractButton* button);

enum class Appearance { System, Light, Dark };
// System leaves style and palette to the desktop; the others set the Fusion style with a palette of ours.
void applyAppearance(QApplication& application, Appearance appearance);

}  // namespace sscope
