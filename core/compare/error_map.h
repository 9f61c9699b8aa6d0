#pragma once
// Where two results differ: a volume of their differences on a logarithmic scale, for display.

#include <array>
#include <cstdint>

#include "core/base/control.h"
#include "core/volume/geometry.h"
#include "core/volume/volume.h"

namespace sscope::compare {

enum class ErrorUnit : std::uint8_t {
  Absolute,    // the absolute difference
  LastPlaces,  // units of the last place (ulpsBetween)
};

struct ErrorMap {
  // f32, one component: the common logarithm of the largest error of a voxel's components. Equal voxels, and errors
  // below the window, have the value of its lower end; NaN or Inf in one result only has the upper end plus 1.
  Volume values;
  std::array<double, 2> window{0, 1};  // whole powers of ten, at most kMostDecades
  bool anyError = false;
};
inline constexpr int kMostDecades = 12;

// Of results of one type and shape (else Error(Usage)); takes four bytes per voxel. Throws Error(Memory), and Canceled
// within 100 ms.
[[nodiscard]] ErrorMap errorMap(const Volume& first, const Volume& second, ErrorUnit unit, const Geometry& geometry,
                                const Control& control);

}  // namespace sscope::compare
