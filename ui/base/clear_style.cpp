#include "ui/base/clear_style.h"

#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>
#include <algorithm>

namespace sscope {

namespace {

bool dark(const QPalette& palette) {
  return palette.color(QPalette::Window).lightnessF() < palette.color(QPalette::WindowText).lightnessF();
}

// The text's color, so far mixed into the window's that it is at least 3 times as light or dark as that.
QColor outline(const QStyleOption& option, float share) {
  const QPalette& palette = option.palette;
  const QColor text = palette.color(QPalette::WindowText), window = palette.color(QPalette::Window);
  if (!option.state.testFlag(QStyle::State_Enabled)) share *= 0.5F;
  return QColor::fromRgbF(window.redF() + (text.redF() - window.redF()) * share,
                          window.greenF() + (text.greenF() - window.greenF()) * share,
                          window.blueF() + (text.blueF() - window.blueF()) * share);
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
  if (!dark(option.palette) || option.state.testFlag(QStyle::State_HasFocus)) return;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(outline(option, kFrame), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
  painter.restore();
}

}  // namespace

ClearStyle::ClearStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void ClearStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const {
  switch (element) {
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck: drawIndicator(*option, *painter, false); return;
    case PE_IndicatorRadioButton: drawIndicator(*option, *painter, true); return;
    default: break;
  }
  QProxyStyle::drawPrimitive(element, option, painter, widget);
  if (element == PE_FrameLineEdit || element == PE_PanelButtonCommand) drawFrame(*option, *painter);
}

void ClearStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                    const QWidget* widget) const {
  QProxyStyle::drawComplexControl(control, option, painter, widget);
  if (control == CC_ComboBox || control == CC_SpinBox) drawFrame(*option, *painter);
}

int ClearStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* more) const {
  return hint == SH_ComboBox_AllowWheelScrolling ? 0 : QProxyStyle::styleHint(hint, option, widget, more);
}

}  // namespace sscope
