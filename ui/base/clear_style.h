#pragma once
// Fusion, with check boxes, radio buttons and text fields whose outlines are seen in dark palettes as well: Fusion
// makes outlines darker than the window, which a dark one hides.

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
