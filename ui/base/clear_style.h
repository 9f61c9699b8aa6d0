#pragma once
// The Fusion style with visible outlines of check boxes, radio buttons and text fields in dark palettes, where Fusion's
// dark outlines disappear.

#include <QProxyStyle>

namespace sscope {

class ClearStyle : public QProxyStyle {
 public:
  ClearStyle();
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                          const QWidget* widget) const override;
};

}  // namespace sscope
