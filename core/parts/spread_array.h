#pragma once
// Room for an array of which only some planes are here: an address for every element, and memory for those that are
// written. So a part of a computation reads the planes that it needs where they are in the whole.

#include <cstddef>

#include "core/volume/array_view.h"

namespace sscope::reach {

class SpreadArray {
 public:
  // Dense, x fastest, components innermost; zero where nothing was written. Throws Error(Memory) where the system gives
  // no addresses.
  explicit SpreadArray(const ArraySpec& spec);
  ~SpreadArray();
  SpreadArray(const SpreadArray&) = delete;
  SpreadArray& operator=(const SpreadArray&) = delete;

  [[nodiscard]] ArrayView view() const;
  // A plane along the slowest axis, and its size in bytes.
  [[nodiscard]] std::byte* plane(std::int64_t index) const { return data_ + index * planeBytes(); }
  [[nodiscard]] std::int64_t planeBytes() const { return spec_.bytes() / spec_.extent[slowestAxis(spec_.extent)]; }
  [[nodiscard]] const ArraySpec& spec() const { return spec_; }

 private:
  ArraySpec spec_;
  std::byte* data_ = nullptr;
};

}  // namespace sscope::reach
