#pragma once
// How the levels of a brick become color and opacity.

#include <array>
#include <vector>

#include "core/volume/transfer_curve.h"
#include "ui/charts/color_scale.h"

namespace sscope {

struct TransferFunction {
  struct Color {
    double level;
    std::array<double, 3> rgb;
    bool operator==(const Color&) const = default;
  };
  struct Opacity {
    double level;
    double opacity;  // over a hundredth of the brick's diagonal
    bool operator==(const Opacity&) const = default;
  };
  std::vector<Color> colors;
  std::vector<Opacity> opacities;
  bool shaded = true;
  // Nothing lies between two voxels, as of labels, or of angles, whose first and last level are neighbors.
  bool nearest = false;
  bool operator==(const TransferFunction&) const = default;
};

[[nodiscard]] TransferFunction ofLevels(const TransferCurve& curve, const LevelCounts& levels);
// The colors of a map. What is far from the background is dense: the bright end of magnitudes, both ends of a diverging
// map; angles are equally thin everywhere.
[[nodiscard]] TransferFunction mappedTransferFunction(ColorMap map);

}  // namespace sscope
