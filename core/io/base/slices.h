#pragma once
// Stacks of 2D images named by a pattern: "slice_%03d.png" or "slice_*.tif".

#include <filesystem>
#include <string>
#include <vector>

#include "core/io/base/decoder.h"

namespace sscope::io {

// Whether the file name holds a printf number or a glob and no file has exactly that name.
[[nodiscard]] bool isSlicePattern(const std::string& path);

// The files that match, in natural order. Throws Error(NotFound) when there are none.
[[nodiscard]] std::vector<std::filesystem::path> filesOfPattern(const std::string& pattern);

// The pattern of the images in a folder where more than half of the files, hidden ones aside, have the same image
// extension (PNG, TIFF, JPEG, BMP); empty for any other folder.
[[nodiscard]] std::string picturesOf(const std::string& folder);

// "12 .txt files, 3 .png files and 1 file without an extension": a summary of a folder for users.
[[nodiscard]] std::string filesText(const std::string& folder);

// Stacks the files along z with `decodeSlice`; all must agree in size, type and components. The spacing between slices
// is unknown: it becomes 1, with a notice.
[[nodiscard]] VolumeInfo readSlices(const std::string& pattern, const Decode& decodeSlice,
                                    const AllocateVoxels& allocate, const Control& control);

}  // namespace sscope::io
