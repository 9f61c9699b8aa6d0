#pragma once
// How the levels of a brick become color and opacity.

#include <array>
#include <vector>

#include "ui/charts/color_scale.h"
#include "core/volume/volume_brick.h"

namespace sscope {

struct TransferFunction {
  struct Color {
    double level;
    std::array<double, 3> rgb;
  };
  struct Opacity {
    double level;
    double opacity;  // over a hundredth of the brick's diagonal
  };
  std::vector<Color> colors;
  std::vector<Opacity> opacities;
  // The first and the last level are neighbors, as of angles: nothing lies between two voxels.
  bool cyclic = false;
};

// Data of one sign: what lies above the background (Otsu's threshold) appears, the brighter the denser. Data of both
// signs: zero is clear, the strongest tenth appears, positive warm and negative cold.
[[nodiscard]] TransferFunction defaultTransferFunction(const VolumeBrick& brick);
// The colors of a map. What is far from the background is dense: the bright end of magnitudes, both ends of a diverging
// map; angles are equally thin everywhere.
[[nodiscard]] TransferFunction mappedTransferFunction(ColorMap map);

}  // namespace sscope
