#pragma once
// Input or output of one level of the transform: an array whose corner, the averages, may be stored elsewhere.

#include <algorithm>
#include <cstdint>

#include "core/cpu/wavelet/dwt/dwt_transform.h"

namespace sscope::cpu {

template <class Pointer>
struct StridedPlace {
  Pointer data = nullptr;
  Index3 stride{1, 0, 0};
  bool streaming = false;  // so large that non-temporal stores are used

  [[nodiscard]] Pointer at(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return data + x * stride[0] + y * stride[1] + z * stride[2];
  }
};

// Elements with all coordinates below `corner` lie in `inner`, the others in `outer`.
template <class Pointer>
struct LevelData {
  StridedPlace<Pointer> inner, outer;
  Index3 corner{};
  Index3 present{};  // the extents that exist in inner; beyond them the last elements are repeated

  // The place of row (y, z) from x on: x < corner[0] and x >= corner[0] may differ.
  [[nodiscard]] const StridedPlace<Pointer>& place(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return x < corner[0] && y < corner[1] && z < corner[2] ? inner : outer;
  }
  [[nodiscard]] Pointer at(std::int64_t x, std::int64_t y, std::int64_t z) const {
    const StridedPlace<Pointer>& where = place(x, y, z);
    if (&where == &outer) return outer.at(x, y, z);
    return inner.at(std::min(x, present[0] - 1), std::min(y, present[1] - 1), std::min(z, present[2] - 1));
  }
  // Whether elements x.. of the row are contiguous.
  [[nodiscard]] bool contiguous(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return place(x, y, z).stride[0] == 1;
  }
};

}  // namespace sscope::cpu
