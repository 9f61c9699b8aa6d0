#include "ui/base/look.h"

#include <QAbstractButton>
#include <QApplication>
#include <QFontMetricsF>
#include <QLabel>
#include <QPainter>
#include <QPalette>
#include <QProxyStyle>
#include <QScrollArea>
#include <QSplitter>
#include <QStyle>
#include <QStyleFactory>
#include <QStyleOption>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace sscope {

namespace {

QColor mixed(const QColor& a, const QColor& b, float share) {
  return QColor::fromRgbF(a.redF() * (1 - share) + b.redF() * share, a.greenF() * (1 - share) + b.greenF() * share,
                          a.blueF() * (1 - share) + b.blueF() * share);
}

bool isDark(const QPalette& palette) {
  return palette.color(QPalette::Window).lightnessF() < palette.color(QPalette::WindowText).lightnessF();
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

// At least 3 times as light or dark as the window.
QColor outline(const QStyleOption& option, float share) {
  if (!option.state.testFlag(QStyle::State_Enabled)) share *= 0.5F;
  return mixed(option.palette.color(QPalette::Window), option.palette.color(QPalette::WindowText), share);
}

constexpr float kMark = 0.62F, kFrame = 0.36F;

void drawIndicator(const QStyleOption& option, QPainter& painter, bool round) {
  const bool on = option.state.testFlag(QStyle::State_On), some = option.state.testFlag(QStyle::State_NoChange);
  const bool enabled = option.state.testFlag(QStyle::State_Enabled);
  const double side = std::min(option.rect.width(), option.rect.height()) - 1.0;
  QRectF box(0, 0, side, side);
  box.moveCenter(QRectF(option.rect).center());
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const bool filled = (on || some) && enabled;
  const QColor accent = option.palette.color(QPalette::Highlight);
  const bool pointed = option.state.testFlag(QStyle::State_MouseOver) || option.state.testFlag(QStyle::State_HasFocus);
  painter.setPen(QPen(outline(option, pointed && enabled ? 0.9F : kMark), 1.2));
  painter.setBrush(filled ? accent : option.palette.color(QPalette::Base));
  round ? painter.drawEllipse(box) : painter.drawRoundedRect(box, 0.18 * side, 0.18 * side);
  const QColor ink = filled ? option.palette.color(QPalette::HighlightedText) : outline(option, 1);
  if (round && on) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawEllipse(box.center(), 0.22 * side, 0.22 * side);
  } else if (on) {
    painter.setPen(QPen(ink, 0.14 * side, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const auto at = [&box](double x, double y) {
      return QPointF(box.left() + x * box.width(), box.top() + y * box.height());
    };
    const QPointF check[] = {at(0.24, 0.54), at(0.43, 0.72), at(0.77, 0.32)};
    painter.drawPolyline(check, 3);
  } else if (some) {
    painter.setPen(QPen(ink, 0.14 * side, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(QPointF(box.left() + 0.28 * side, box.center().y()),
                     QPointF(box.right() - 0.28 * side, box.center().y()));
  }
  painter.restore();
}

void drawFrame(const QStyleOption& option, QPainter& painter) {
  if (!isDark(option.palette) || option.state.testFlag(QStyle::State_HasFocus)) return;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(outline(option, kFrame), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
  painter.restore();
}

// The Fusion style with visible outlines of check boxes, radio buttons and text fields in dark palettes, where Fusion's
// dark outlines disappear. The wheel changes no combo box, so that scrolling a panel does not edit it.
class ClearStyle : public QProxyStyle {
 public:
  ClearStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override {
    switch (element) {
      case PE_IndicatorCheckBox:
      case PE_IndicatorItemViewItemCheck: drawIndicator(*option, *painter, false); return;
      case PE_IndicatorRadioButton: drawIndicator(*option, *painter, true); return;
      default: break;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if (element == PE_FrameLineEdit || element == PE_PanelButtonCommand) drawFrame(*option, *painter);
  }

  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                          const QWidget* widget) const override {
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (control == CC_ComboBox || control == CC_SpinBox) drawFrame(*option, *painter);
  }

  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* more) const override {
    return hint == SH_ComboBox_AllowWheelScrolling ? 0 : QProxyStyle::styleHint(hint, option, widget, more);
  }
};

}  // namespace

int em(const QWidget* widget, double factor) {
  return static_cast<int>(std::lround(QFontMetricsF(widget->font()).height() * factor));
}

bool darkPalette(const QWidget* widget) { return isDark(widget->palette()); }

QColor quietColor(const QWidget* widget) {
  return mixed(widget->palette().color(QPalette::WindowText), widget->palette().color(QPalette::Window), 0.4F);
}

QLabel* quietLabel(const QString& text, QWidget* parent) { return new QuietLabel(text, parent); }

QLabel* headingLabel(const QString& text, QWidget* parent) {
  auto* label = new QuietLabel(text, parent);
  embolden(label);
  QFont font = label->font();
  font.setPointSizeF(font.pointSizeF() * 0.9);
  label->setFont(font);
  return label;
}

QVBoxLayout* controlColumn(QWidget* widget, double gap, double above) {
  auto* column = new QVBoxLayout(widget);
  const int margin = em(widget, gap);
  column->setContentsMargins(margin, em(widget, above), margin, margin);
  column->setSpacing(margin);
  return column;
}

QSplitter* splitter(Qt::Orientation orientation, std::initializer_list<SplitPart> parts, QWidget* parent) {
  auto* split = new QSplitter(orientation, parent);
  QList<int> sizes;
  for (const SplitPart& part : parts) {
    split->addWidget(part.widget);
    split->setStretchFactor(split->count() - 1, part.stretch);
    sizes << em(parent, part.size);
  }
  split->setChildrenCollapsible(false);
  split->setSizes(sizes);
  return split;
}

void embolden(QWidget* widget) {
  QFont bold = widget->font();
  bold.setBold(true);
  widget->setFont(bold);
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
    // Where the desktop chose Fusion, its outlines become visible.
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
