#pragma once
// Measures and shades that all panels share. Lengths follow the font, colors the palette.

#include <QColor>
#include <QString>
#include <initializer_list>

class QAbstractButton;
class QApplication;
class QLabel;
class QScrollArea;
class QSplitter;
class QVBoxLayout;
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

// Sets the object name, by which tests and settings find a widget, and what screen readers call it.
template <class Widget>
Widget* named(Widget* widget, const char* name, const QString& spoken = {}) {
  widget->setObjectName(QLatin1String(name));
  if (!spoken.isEmpty()) widget->setAccessibleName(spoken);
  return widget;
}
// A layout without margins; the style's spacing if none is given.
template <class Layout>
Layout* bareLayout(QWidget* widget, int spacing = -1) {
  auto* layout = new Layout(widget);
  layout->setContentsMargins(0, 0, 0, 0);
  if (spacing >= 0) layout->setSpacing(spacing);
  return layout;
}
// A column of controls; its margin and its spacing are `gap` lines of text, the margin above may differ.
[[nodiscard]] QVBoxLayout* controlColumn(QWidget* widget, double gap, double above);

struct SplitPart {
  QWidget* widget;
  int stretch;
  double size;  // at first, in lines of text
};
// Parts that the user can resize but not hide.
[[nodiscard]] QSplitter* splitter(Qt::Orientation orientation, std::initializer_list<SplitPart> parts, QWidget* parent);

// Makes the widget's font bold.
void embolden(QWidget* widget);

// Shows a checked button in the accent color: sunken buttons are hard to see in dark palettes.
void accentWhenChecked(QAbstractButton* button);

enum class Appearance { System, Light, Dark };
// System leaves style and palette to the desktop; the others set the Fusion style with our palette.
void applyAppearance(QApplication& application, Appearance appearance);

}  // namespace sscope
