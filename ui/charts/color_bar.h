#pragma once
// The legend of a color map.

#include <QWidget>
#include <array>

#include "ui/charts/color_scale.h"

namespace sscope {

class ColorBar : public QWidget {
  Q_OBJECT
 public:
  explicit ColorBar(QWidget* parent = nullptr);
  // window: the values of the first and the last color; their common logarithms where `logarithmic`.
  void setScale(const ColorUse& colors, const std::array<double, 2>& window, bool logarithmic = false);
  void setScale(ColorMap map, const std::array<double, 2>& window, bool logarithmic = false) {
    setScale(ColorUse{map}, window, logarithmic);
  }
  [[nodiscard]] bool logarithmic() const { return logarithmic_; }
  [[nodiscard]] ColorMap map() const { return colors_.map; }
  [[nodiscard]] const std::array<double, 2>& window() const { return window_; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  [[nodiscard]] QString endText(std::size_t end) const;
  void drawDecades(QPainter& painter, const QRectF& strip) const;

  ColorUse colors_;
  std::array<double, 2> window_{0, 1};
  bool logarithmic_ = false;
};

}  // namespace sscope
