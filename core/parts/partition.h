#pragma once
// Outputs cut into parts: for devices that share a job, for ranks, and for volumes larger than memory. What a part
// reads of the input follows from Workload::reach, and what computes it from Workload::restrictedTo.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/volume/array_view.h"

namespace sscope::reach {

// [begin, end) of `count` planes.
struct Planes {
  std::int64_t begin = 0, end = 0;
  [[nodiscard]] std::int64_t count() const { return end - begin; }
  bool operator==(const Planes&) const = default;
};

// `parts` ranges that follow each other, equal but for one plane, longer ones first. With more parts than planes the
// last ones are empty. parts >= 1.
[[nodiscard]] std::vector<Planes> evenly(std::int64_t planes, std::int64_t parts);

// Ranges proportional to `weights` (>= 0, not all 0), rounded so that they follow each other and cover all planes. A
// weight above 0 gets at least one plane as long as there are enough.
[[nodiscard]] std::vector<Planes> weighted(std::int64_t planes, std::span<const double> weights);

using sscope::slowestAxis;

// The whole of an array, but for `planes` along `axis`.
[[nodiscard]] Box slab(const std::array<std::int64_t, 4>& extent, std::size_t axis, const Planes& planes);

// The part of an array in a box, as a view of the same memory.
[[nodiscard]] ArrayView partOf(const ArrayView& whole, const Box& box);
[[nodiscard]] ConstArrayView partOf(const ConstArrayView& whole, const Box& box);

}  // namespace sscope::reach
