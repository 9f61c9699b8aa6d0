#pragma once
// A dense array: an image (nz = 1) or a volume.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/base/control.h"
#include "core/volume/array_view.h"
#include "core/volume/element_type.h"
#include "core/volume/geometry.h"

namespace sscope {

struct VolumeShape {
  std::int64_t nx = 0, ny = 0, nz = 1;
  int components = 1;

  [[nodiscard]] std::int64_t voxels() const { return nx * ny * nz; }
  [[nodiscard]] std::int64_t elements() const { return voxels() * components; }
  [[nodiscard]] int dimensions() const { return nz > 1 ? 3 : 2; }
  // "193x229x193" or "512x512x3 components".
  [[nodiscard]] std::string text() const;
  bool operator==(const VolumeShape&) const = default;
};

// Dense, x fastest, components interleaved innermost. Moves, never copies by accident (see clone()).
class Volume {
 public:
  Volume() = default;
  // Uninitialized memory aligned to 64 bytes. Throws Error(Usage) for extents < 1 and Error(Memory) if there is not
  // enough memory.
  Volume(const VolumeShape& shape, ElementType type, Geometry geometry = {});
  // Adopts memory owned by `owner` (for example a shared mapping), at least shape.elements() long.
  Volume(const VolumeShape& shape, ElementType type, Geometry geometry, std::shared_ptr<std::byte> owner);

  Volume(Volume&&) noexcept = default;
  Volume& operator=(Volume&&) noexcept = default;
  Volume(const Volume&) = delete;
  Volume& operator=(const Volume&) = delete;
  [[nodiscard]] Volume clone() const;

  [[nodiscard]] bool empty() const { return data_ == nullptr; }
  [[nodiscard]] const VolumeShape& shape() const { return shape_; }
  [[nodiscard]] ElementType type() const { return type_; }
  [[nodiscard]] const Geometry& geometry() const { return geometry_; }
  void setGeometry(Geometry geometry) { geometry_ = std::move(geometry); }
  [[nodiscard]] std::int64_t bytes() const { return shape_.elements() * static_cast<std::int64_t>(bytesOf(type_)); }

  [[nodiscard]] std::byte* data() { return data_.get(); }
  [[nodiscard]] const std::byte* data() const { return data_.get(); }
  // All elements as T. Throws Error(Usage) unless T is the element type.
  template <class T>
  [[nodiscard]] std::span<T> elements() {
    requireType(ElementTypeOf<T>::value);
    return {reinterpret_cast<T*>(data_.get()), static_cast<std::size_t>(shape_.elements())};
  }
  template <class T>
  [[nodiscard]] std::span<const T> elements() const {
    requireType(ElementTypeOf<T>::value);
    return {reinterpret_cast<const T*>(data_.get()), static_cast<std::size_t>(shape_.elements())};
  }

  [[nodiscard]] ArrayView view();
  [[nodiscard]] ConstArrayView view() const;
  [[nodiscard]] ArraySpec spec() const;
  // One element as double; indices must be in range.
  [[nodiscard]] double value(std::int64_t x, std::int64_t y, std::int64_t z, int component = 0) const;

 private:
  void requireType(ElementType type) const;

  VolumeShape shape_;
  ElementType type_ = ElementType::f32;
  Geometry geometry_;
  std::shared_ptr<std::byte> data_;
};

// A dense interleaved view of `spec` over memory.
[[nodiscard]] ArrayView denseView(const ArraySpec& spec, std::byte* data);
[[nodiscard]] ConstArrayView denseView(const ArraySpec& spec, const std::byte* data);

// Summary of one volume over all components; non-finite elements are counted and left out of the rest.
struct VolumeStatistics {
  double minimum = 0, maximum = 0, mean = 0;
  std::int64_t nonFinite = 0;
};
[[nodiscard]] VolumeStatistics statistics(const Volume& volume, const Control& control = {});

// The memory of destroyed volumes, kept for the next ones of the same size: fresh pages take as long as a small filter
// (6 ms for 64 MiB).

// Volumes outlive their pool and may be dropped by any thread.
class VolumePool {
 public:
  VolumePool();

  // Uninitialized, as Volume's own. `alike`: the number of volumes of this size that are used together, and the maximum
  // that is kept. Memory of other sizes is released. Throws as Volume's constructor.
  [[nodiscard]] Volume make(const VolumeShape& shape, ElementType type, const Geometry& geometry, std::size_t alike);
  // Unused bytes that are kept: at most a GiB, and at most an eighth of the machine's free memory at the time.
  [[nodiscard]] std::int64_t kept() const;
  void release();

 private:
  struct Shelf;
  std::shared_ptr<Shelf> shelf_;
};

}  // namespace sscope
