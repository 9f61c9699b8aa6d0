#pragma once
// Stacks of 2D pictures named by a pattern: "slice_%03d.png" or "slice_*.tif".

#include <filesystem>
#include <string>
#include <vector>

#include "core/io/decoder.h"

namespace sscope::io {

// A printf number or a glob in the file name, and no file of exactly that name.
[[nodiscard]] bool isSlicePattern(const std::string& path);

// The files that match, in natural order. Throws Error(NotFound) when there are none.
[[nodiscard]] std::vector<std::filesystem::path> filesOfPattern(const std::string& pattern);

// A folder of pictures: more than half of its files, hidden ones aside, are of one of the formats of pictures (PNG,
// TIFF, JPEG, BMP) and have one extension. The pattern of these pictures; empty for any other folder.
[[nodiscard]] std::string picturesOf(const std::string& folder);

// "12 .txt files, 3 .png files and 1 file without an extension": what lies in a folder, for people.
[[nodiscard]] std::string filesText(const std::string& folder);

// Stacks the files along z with `decodeSlice`; all must agree in size, type and components. The gap between slices is
// unknown: 1, with a notice.
[[nodiscard]] VolumeInfo readSlices(const std::string& pattern, const Decode& decodeSlice,
                                    const AllocateVoxels& allocate, const Control& control);

}  // namespace sscope::io
