#pragma once
// The Fusion style with visible outlines of check boxes, radio buttons and text fields in dark palettes, where Fusion's
// dark outlines disappear. The wheel changes no choice: it moves the panel in which choices come under the pointer.

#include <QProxyStyle>

namespace sscope {

class ClearStyle : public QProxyStyle {
 public:
  ClearStyle();
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                          const QWidget* widget) const override;
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* more) const override;
};

}  // namespace sscope
