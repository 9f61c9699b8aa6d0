#pragma once
// Colors for numbers, with even steps of lightness for color-blind people and gray printers, and the bar that shows
// them.

#include <QColor>
#include <QWidget>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sscope {

// 0 dark to 1 bright (viridis of matplotlib, S. van der Walt and N. Smith).
[[nodiscard]] QColor magnitudeColor(double share);

enum class ColorMap {
  Gray,
  Magnitude,  // as magnitudeColor()
  Diverging,  // dark in the middle, where zero is; cold below, warm above
  Cyclic,     // the same color at both ends, for angles
  Magma,
  Inferno,
  Cividis,
  CoolWarm,  // light in the middle; blue below, red above
};
[[nodiscard]] QColor mapColor(ColorMap map, double share);
// The same in 256 steps, 0xffRRGGBB.
using ColorTable = std::array<std::uint32_t, 256>;
[[nodiscard]] const ColorTable& colorTable(ColorMap map);
// By its name in settings: "viridis", "blueOrange"; gray for unknown names.
[[nodiscard]] ColorMap colorMapNamed(std::string_view name);

// A color map with its settings.
struct ColorUse {
  ColorMap map = ColorMap::Gray;
  bool invert = false;  // from the last color to the first
  double gamma = 1;     // > 0; the color is that of share^(1 / gamma)
  bool operator==(const ColorUse&) const = default;
};
[[nodiscard]] QColor usedColor(const ColorUse& use, double share);
// Colors in even steps of the share, enough that the gamma loses no step of 8 bits.
[[nodiscard]] std::vector<std::uint32_t> colorSteps(const ColorUse& use);

// The color of a tap: blue below zero, orange above (Okabe and Ito), toward the background at zero. share: of the
// largest magnitude, -1..1.
[[nodiscard]] QColor tapColor(double share, const QColor& zero);
// Black or white, whichever is readable on it.
[[nodiscard]] QColor inkOn(const QColor& background);

// The legend of a color map.
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
