#pragma once
// The XML before the voxels of VTK image data whose array is appended raw: what VTK's own writers and ours make. Other
// .vti files are for VTK to read, as a whole.

#include <array>
#include <string>
#include <vector>

#include "core/io/base/stored_voxels.h"

namespace sscope::io {

// Throws Error(Unsupported) for compressed or encoded voxels, several pieces and 64-bit integers, Error(BadData) where
// the file ends too early or makes no sense.
[[nodiscard]] LocatedVolume locateVti(const std::string& path);

// The geometry, whose origin is that of the image, of the first value: an extent need not begin at zero, and values of
// cells lie in their middle.
[[nodiscard]] Geometry vtiPlaced(Geometry geometry, const std::array<double, 6>& extent, bool points);

// What the file says of how it was made and what its values mean, in arrays of its FieldData.
void takeTextsOfVti(const std::string& path, VolumeInfo& info);

// The notice for the arrays that are not read; empty where there is one only.
[[nodiscard]] std::string otherArraysNotice(const std::string& read, const std::vector<std::string>& others);

}  // namespace sscope::io
