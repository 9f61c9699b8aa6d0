#pragma once
// Non-owning, strided views of dense data: what engines read and write.

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/volume/element_type.h"

namespace sscope {

// Axes 0..2 are x, y, z; axis 3 is the component (innermost in memory for interleaved volumes).
// Extents count elements, strides are in elements and may be any non-zero value.
template <class Byte>
struct BasicArrayView {
  ElementType type = ElementType::f32;
  Byte* data = nullptr;
  std::array<std::int64_t, 4> extent{0, 0, 0, 1};
  std::array<std::int64_t, 4> stride{1, 0, 0, 1};

  [[nodiscard]] std::int64_t elements() const { return extent[0] * extent[1] * extent[2] * extent[3]; }
  [[nodiscard]] std::int64_t offset(std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t c = 0) const {
    return x * stride[0] + y * stride[1] + z * stride[2] + c * stride[3];
  }
  template <class T>
  [[nodiscard]] auto* as() const {
    using Target = std::conditional_t<std::is_const_v<Byte>, const T, T>;
    return reinterpret_cast<Target*>(data);
  }
  operator BasicArrayView<const std::byte>() const { return {type, data, extent, stride}; }
};

using ArrayView = BasicArrayView<std::byte>;
using ConstArrayView = BasicArrayView<const std::byte>;

// Type and extents of an array, without data.
struct ArraySpec {
  ElementType type = ElementType::f32;
  std::array<std::int64_t, 4> extent{0, 0, 0, 1};  // x, y, z, components

  [[nodiscard]] std::int64_t elements() const { return extent[0] * extent[1] * extent[2] * extent[3]; }
  [[nodiscard]] std::int64_t bytes() const { return elements() * static_cast<std::int64_t>(bytesOf(type)); }
  bool operator==(const ArraySpec&) const = default;
};

// The slowest axis that can be cut: z of volumes, y of images.
[[nodiscard]] constexpr std::size_t slowestAxis(const std::array<std::int64_t, 4>& extent) {
  if (extent[2] > 1) return 2;
  return extent[1] > 1 ? 1 : 0;
}

// A half-open box of voxels.
struct Box {
  std::array<std::int64_t, 3> begin{0, 0, 0};
  std::array<std::int64_t, 3> end{0, 0, 0};

  [[nodiscard]] std::int64_t size(int axis) const {
    return end[static_cast<std::size_t>(axis)] - begin[static_cast<std::size_t>(axis)];
  }
  [[nodiscard]] std::int64_t voxels() const { return size(0) * size(1) * size(2); }
  bool operator==(const Box&) const = default;
};

// The part of an array in a box, as a view of the same memory.
template <class View>
[[nodiscard]] View viewOfBox(View whole, const Box& box) {
  whole.data += whole.offset(box.begin[0], box.begin[1], box.begin[2]) * static_cast<std::int64_t>(bytesOf(whole.type));
  whole.extent = {box.size(0), box.size(1), box.size(2), whole.extent[3]};
  return whole;
}

}  // namespace sscope
