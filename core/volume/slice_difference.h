#pragma once
// The difference of two slices and its norms, from all their voxels in double precision.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/volume/volume.h"

namespace sscope {

enum class DifferenceKind {
  Signed,    // d = result - source
  Absolute,  // |d|
  Relative,  // d / |source|; 0 where both are 0, NaN where only the source is 0
};

// Norms over the elements that are finite in both slices; d is always the signed difference.
struct DifferenceNorms {
  std::int64_t elements = 0;       // compared
  std::int64_t leftOut = 0;        // not finite in one of the two
  double meanAbsolute = 0;         // the L1 norm over `elements`
  double rootMeanSquare = 0;       // the L2 norm over the root of `elements`
  double maximum = 0;              // of |d|
  double relative = 0;             // the L2 norm of d divided by that of the source; infinite if only the source is 0
  double peak = 0;                 // 255 for 8-bit data, else the range of the source in the slice
  std::optional<double> decibels;  // PSNR: 20 log10(peak / RMS), infinite for equal slices; none if the peak is 0
  bool operator==(const DifferenceNorms&) const = default;
};

struct SliceDifference {
  Volume values;  // f64, one component, extent 1 along the axis; NaN where either slice is not finite
  DifferenceNorms norms;
};

// The difference of the slices across `axis` (0..2) at these indices, whose other extents must agree (else
// Error(Usage)). A missing component means the last one. Component -1 compares the first three components (fewer where
// there are fewer): `values` holds the means of their d or |d|, or the sum of d over that of |source|; the norms count
// them all.
[[nodiscard]] SliceDifference sliceDifference(const Volume& source, std::int64_t sourceAt, const Volume& result,
                                              std::int64_t resultAt, std::size_t axis, int component,
                                              DifferenceKind kind);

}  // namespace sscope
