#pragma once
// Transforms whose results are computed slab by slab, each from an array of its own: the planes of the input that its
// sums read, of which the outer ones give results that are thrown away.

#include <cstdint>
#include <utility>
#include <vector>

#include "core/boundary/boundary.h"
#include "core/volume/array_view.h"
#include "core/volume/volume_io.h"
#include "core/wavelet/job/transform_job.h"

namespace sscope {

struct TransformSlab {
  std::vector<std::int64_t> planes;  // of the input: those of the slab's array, in its order; some may come twice
  std::int64_t first = 0;            // the plane of the array's result that is the slab's first
};

// Planes lie across the slowest axis of the input, as those of a VolumeSource.
class SlabTransform {
 public:
  virtual ~SlabTransform() = default;
  // Of the results of the whole.
  [[nodiscard]] virtual const VolumeOutline& outline() const = 0;
  // To which the input is converted, f32 or f64.
  [[nodiscard]] virtual ElementType arrayType() const = 0;
  // For some planes of the results of the whole.
  [[nodiscard]] virtual TransformSlab slabOf(const Range& own) const = 0;
  // Bytes that run() takes for an array of so many planes, its result included and the array not. Throws
  // Error(Unsupported) where slabs would not have the bits of the whole, and what preparing a plan throws.
  [[nodiscard]] virtual std::int64_t bytesToRun(std::int64_t planes, const Control& control) const = 0;
  // Bytes that each thread takes which compares that result with the reference.
  [[nodiscard]] virtual std::int64_t bytesToVerify(std::int64_t planes) const = 0;
  // `array` has the extents of the whole but for its planes; `verifiers`: threads that compare the result, 0: it is not
  // compared. Throws as runTransform().
  [[nodiscard]] virtual TransformResult run(const Volume& array, int verifiers, const Control& control) const = 0;
};

// These extents with so many planes.
[[nodiscard]] inline VolumeShape withPlanes(VolumeShape shape, std::int64_t planes) {
  (shape.nz > 1 ? shape.nz : shape.ny > 1 ? shape.ny : shape.nx) = planes;
  return shape;
}
// How many planes there are.
[[nodiscard]] inline std::int64_t planesOf(const VolumeShape& shape) {
  return shape.nz > 1 ? shape.nz : shape.ny > 1 ? shape.ny : shape.nx;
}
// One component of a volume of this shape.
[[nodiscard]] inline ArraySpec componentSpec(const VolumeShape& shape, ElementType type) {
  return {type, {shape.nx, shape.ny, shape.nz, 1}};
}
// Planes begin..end-1 of a periodic array of n.
[[nodiscard]] inline std::vector<std::int64_t> wrappedPlanes(std::int64_t begin, std::int64_t end, std::int64_t n) {
  std::vector<std::int64_t> planes;
  for (std::int64_t p = begin; p < end; ++p) planes.push_back(boundaryIndex(p, n, Boundary::wrap));
  return planes;
}

// With so many threads that compare, 0: none.
[[nodiscard]] inline EngineChoice verifiedBy(int verifiers, EngineChoice where) {
  where.verify = verifiers > 0;
  where.verifyThreads = verifiers;
  return where;
}

// Host memory of a plan for one component of an array, with the copies that plans make of arrays whose components lie
// side by side. Throws Error(Unsupported) where parts would not have the bits of the whole.
[[nodiscard]] std::int64_t planBytes(const EngineSet& engines, const VariantTable& variants, const Workload& workload,
                                     const EngineChoice& where, int components, const Control& control);

}  // namespace sscope
