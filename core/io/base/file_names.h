#pragma once
// Names of files: natural order, numbered names, and slices named by a pattern ("slice_%03d.png" or "slice_*.tif").

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sscope::io {

// Natural order: slice_2 before slice_10.
[[nodiscard]] bool naturallyBefore(const std::string& a, const std::string& b);

// `pattern` with its first "%d" (a width and a leading zero allowed) replaced by `number`; the pattern itself when it
// has none. No other printf conversion is interpreted.
[[nodiscard]] std::string numberedName(const std::string& pattern, std::int64_t number);
[[nodiscard]] bool hasPlaceForNumber(const std::string& pattern);

// Whether the file name holds a printf number or a glob and no file has exactly that name.
[[nodiscard]] bool isSlicePattern(const std::string& path);

// The files that match, in natural order. Throws Error(NotFound) when there are none.
[[nodiscard]] std::vector<std::filesystem::path> filesOfPattern(const std::string& pattern);

// The pattern of the images in a folder where more than half of the files, hidden ones aside, have the same image
// extension (PNG, TIFF, JPEG, BMP); empty for any other folder.
[[nodiscard]] std::string picturesOf(const std::string& folder);

// "12 .txt files, 3 .png files and 1 file without an extension": a summary of a folder for users.
[[nodiscard]] std::string filesText(const std::string& folder);

// The other file of an Analyze or NIfTI pair (`x.hdr`, `x.img`, packed or not, in upper or lower case), without `.gz`;
// empty for other names.
[[nodiscard]] std::string partnerOfPair(const std::string& path);
// Whether a path names the header of such a pair.
[[nodiscard]] bool isPairHeader(const std::string& path);

// The data file that belongs to a written .nhdr or .mhd header; empty for single-file formats.
[[nodiscard]] std::filesystem::path dataBesideHeader(const std::filesystem::path& path);

// Throws Error(Unsupported) when a header names data outside its own folder, Error(NotFound) when the data are missing,
// Error(BadData) when they are no regular file or the header itself.
void requireDataInside(const std::string& headerPath, const std::string& name);

}  // namespace sscope::io
