#pragma once
// How slices show source and result together.

#include <optional>

#include "core/volume/slice_difference.h"

namespace sscope {

struct CompareLook {
  enum class How { Side, Swipe, Flicker, Checkerboard, Difference };
  How how = How::Side;
  DifferenceKind difference = DifferenceKind::Signed;
  std::optional<double> range;  // the largest difference that has a color of its own; empty: found from the slices
  double divider = 0.5;         // of the swipe, as a share of a view's width
  double seconds = 0.5;         // of the flicker, for each picture
  int fields = 8;               // of the checkerboard, along the longer edge of a slice
  bool oneWindow = false;       // at one place, a result whose window is automatic takes that of the source
  bool operator==(const CompareLook&) const = default;
};

}  // namespace sscope
