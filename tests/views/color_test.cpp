#include <cmath>

#include "tests/support/catch.h"
#include "ui/charts/color_scale.h"

using namespace sscope;

namespace {

// Relative luminance of sRGB (IEC 61966-2-1), then L* of CIE 1976.
double lightness(const QColor& color) {
  const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  const double y = 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
  return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

bool near(const QColor& color, int red, int green, int blue) {
  constexpr int kFit = 8;  // what the polynomials are away from the tables
  return std::abs(color.red() - red) <= kFit && std::abs(color.green() - green) <= kFit &&
         std::abs(color.blue() - blue) <= kFit;
}

}  // namespace

TEST_CASE("color maps are those that their names promise") {
  // Entries 0, 128 and 255 of the authors' tables.
  CHECK(near(mapColor(ColorMap::Magma, 0), 0, 0, 4));
  CHECK(near(mapColor(ColorMap::Magma, 0.5), 183, 55, 121));
  CHECK(near(mapColor(ColorMap::Magma, 1), 252, 253, 191));
  CHECK(near(mapColor(ColorMap::Inferno, 0), 0, 0, 4));
  CHECK(near(mapColor(ColorMap::Inferno, 0.5), 188, 55, 84));
  CHECK(near(mapColor(ColorMap::Inferno, 1), 252, 255, 164));
  CHECK(near(mapColor(ColorMap::Cividis, 0), 0, 34, 78));
  CHECK(near(mapColor(ColorMap::Cividis, 0.5), 125, 124, 120));
  CHECK(near(mapColor(ColorMap::Cividis, 1), 255, 234, 70));
  // Moreland's ends and middle.
  CHECK(near(mapColor(ColorMap::CoolWarm, 0), 59, 76, 192));
  CHECK(near(mapColor(ColorMap::CoolWarm, 0.5), 221, 221, 221));
  CHECK(near(mapColor(ColorMap::CoolWarm, 1), 180, 4, 38));
}

TEST_CASE("lightness grows along maps of magnitudes and from the middle of diverging ones") {
  for (const ColorMap map :
       {ColorMap::Gray, ColorMap::Magnitude, ColorMap::Magma, ColorMap::Inferno, ColorMap::Cividis}) {
    CAPTURE(static_cast<int>(map));
    for (int i = 0; i < 40; ++i)
      CHECK(lightness(mapColor(map, (i + 1) / 40.0)) > lightness(mapColor(map, i / 40.0)) - 0.6);
  }
  for (int i = 0; i < 20; ++i) {
    const double near = i / 40.0, far = (i + 1) / 40.0;
    for (const double way : {-1.0, 1.0}) {
      CHECK(lightness(mapColor(ColorMap::Diverging, 0.5 + way * far)) >
            lightness(mapColor(ColorMap::Diverging, 0.5 + way * near)));
      CHECK(lightness(mapColor(ColorMap::CoolWarm, 0.5 + way * far)) <
            lightness(mapColor(ColorMap::CoolWarm, 0.5 + way * near)));
    }
  }
}

TEST_CASE("inversion and gamma bend a map, and its steps are fine enough for it") {
  const ColorUse use{ColorMap::Inferno, true, 2};
  CHECK(usedColor(use, 0.25) == mapColor(ColorMap::Inferno, 0.5));
  CHECK(usedColor(use, 0) == mapColor(ColorMap::Inferno, 1));
  CHECK(colorSteps({ColorMap::Magma}).size() == 256);
  CHECK(colorSteps({ColorMap::Magma}).front() == mapColor(ColorMap::Magma, 0).rgb());
  const auto steps = colorSteps({ColorMap::Gray, false, 2});
  CHECK(steps.size() > 256);
  CHECK(steps.back() == 0xFFFFFFFF);
  int widest = 0;
  for (std::size_t i = 32; i < steps.size(); ++i) widest = std::max(widest, qBlue(steps[i]) - qBlue(steps[i - 1]));
  CHECK(widest == 1);  // but for the darkest few
  CHECK(colorMapNamed("coolWarm") == ColorMap::CoolWarm);
  CHECK(colorMapNamed("unheard of") == ColorMap::Gray);
}
