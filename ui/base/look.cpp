#include "ui/base/look.h"

#include <QAbstractButton>
#include <QApplication>
#include <QFontMetricsF>
#include <QLabel>
#include <QPalette>
#include <QScrollArea>
#include <QStyle>
#include <cmath>

#include "ui/base/clear_style.h"

namespace sscope {

namespace {

QColor mixed(const QColor& a, const QColor& b, float share) {
  return QColor::fromRgbF(a.redF() * (1 - share) + b.redF() * share, a.greenF() * (1 - share) + b.greenF() * share,
                          a.blueF() * (1 - share) + b.blueF() * share);
}

QPalette paletteOf(const QColor& window, const QColor& base, const QColor& text, const QColor& accent) {
  const QColor button = mixed(window, text, window.lightness() < 128 ? 0.16F : 0.05F);
  QPalette palette(button, window);  // the shades for borders and bevels follow from these
  palette.setColor(QPalette::Window, window);
  palette.setColor(QPalette::WindowText, text);
  palette.setColor(QPalette::Base, base);
  palette.setColor(QPalette::AlternateBase, mixed(base, text, 0.04F));
  palette.setColor(QPalette::Text, text);
  palette.setColor(QPalette::Button, button);
  palette.setColor(QPalette::ButtonText, text);
  palette.setColor(QPalette::ToolTipBase, mixed(base, text, 0.06F));
  palette.setColor(QPalette::ToolTipText, text);
  palette.setColor(QPalette::PlaceholderText, mixed(text, base, 0.5F));
  palette.setColor(QPalette::Highlight, accent);
  palette.setColor(QPalette::HighlightedText, Qt::white);
  palette.setColor(QPalette::Link, accent);
  for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, mixed(text, window, 0.55F));
  palette.setColor(QPalette::Disabled, QPalette::Highlight, mixed(window, text, 0.2F));
  return palette;
}

// Recolors itself when the palette changes.
class QuietLabel : public QLabel {
 public:
  QuietLabel(const QString& text, QWidget* parent) : QLabel(text, parent) { recolor(); }

 protected:
  void changeEvent(QEvent* event) override {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !recoloring_) recolor();
  }

 private:
  void recolor() {
    recoloring_ = true;
    QPalette quiet = parentWidget() ? parentWidget()->palette() : QApplication::palette();
    quiet.setColor(QPalette::WindowText, mixed(quiet.color(QPalette::WindowText), quiet.color(QPalette::Window), 0.4F));
    setPalette(quiet);
    recoloring_ = false;
  }
  bool recoloring_ = false;
};

}  // namespace

int em(const QWidget* widget, double factor) {
  return static_cast<int>(std::lround(QFontMetricsF(widget->font()).height() * factor));
}

bool darkPalette(const QWidget* widget) {
  return widget->palette().color(QPalette::Window).lightnessF() <
         widget->palette().color(QPalette::WindowText).lightnessF();
}

QColor quietColor(const QWidget* widget) {
  return mixed(widget->palette().color(QPalette::WindowText), widget->palette().color(QPalette::Window), 0.4F);
}

QLabel* quietLabel(const QString& text, QWidget* parent) { return new QuietLabel(text, parent); }

QLabel* headingLabel(const QString& text, QWidget* parent) {
  auto* label = new QuietLabel(text, parent);
  QFont font = label->font();
  font.setBold(true);
  font.setPointSizeF(font.pointSizeF() * 0.9);
  label->setFont(font);
  return label;
}

QScrollArea* upDownScroll(QWidget* content, QWidget* parent) {
  auto* scroll = new QScrollArea(parent);
  scroll->setWidget(content);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  return scroll;
}

void accentWhenChecked(QAbstractButton* button) {
  QObject::connect(button, &QAbstractButton::toggled, button, [button](bool checked) {
    QPalette palette;  // nothing set: as the parent's
    if (checked) {
      palette.setColor(QPalette::Button, button->parentWidget()->palette().color(QPalette::Highlight));
      palette.setColor(QPalette::ButtonText, button->parentWidget()->palette().color(QPalette::HighlightedText));
    }
    button->setPalette(palette);
  });
}

void applyAppearance(QApplication& application, Appearance appearance) {
  if (appearance == Appearance::System) {
    // What the desktop takes Fusion for, it takes Fusion with seen outlines for.
    if (application.style()->name() == QLatin1String("fusion")) application.setStyle(new ClearStyle);
    application.setPalette(QPalette());
    return;
  }
  application.setStyle(new ClearStyle);
  const QColor accent(0, 114, 178);  // Okabe-Ito blue
  application.setPalette(
      appearance == Appearance::Dark
          ? paletteOf(QColor(37, 39, 42), QColor(56, 59, 64), QColor(222, 224, 227), accent.lighter(115))
          : paletteOf(QColor(243, 244, 246), QColor(255, 255, 255), QColor(32, 34, 38), accent));
}

}  // namespace sscope
