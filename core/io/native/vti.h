#pragma once
// VTK XML image data.

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/base/convert.h"
#include "core/io/base/input_file.h"
#include "core/io/planes/located.h"

namespace sscope::io {

// VTK's names of the types of numbers, in the order of Stored.
inline constexpr std::array<std::string_view, 10> kVtiTypes{"UInt8", "Int8",    "UInt16",  "Int16", "UInt32",
                                                            "Int32", "Float32", "Float64", "Int64", "UInt64"};
[[nodiscard]] inline std::optional<Stored> vtiType(std::string_view name) {
  const auto known = std::ranges::find(kVtiTypes, name);
  if (known == kVtiTypes.end()) return {};
  return static_cast<Stored>(known - kVtiTypes.begin());
}

// Arrays that are appended raw: VTK's writers and ours make these; other .vti files are read whole, by VTK
// (core/io/reader/decode_vti.cpp). Throws Error(Unsupported) for compressed or encoded voxels, several pieces and
// 64-bit integers, and as requireVtiArrays.
[[nodiscard]] LocatedVolume locateVti(const InputFile& file);

// Checks that the file holds the arrays that its header promises: VTK fills up what is missing with zeros, and reads
// base64 up to the first invalid character. Checks lengths, numbers written as text, and base64; compressed data are
// checked by their decoder. Throws Error(BadData) where an array is shorter or longer than the extent of its piece,
// where pieces or extents make no sense, and where the file does not end as it should. Other files pass.
void requireVtiArrays(const InputFile& file);

// The geometry of the first value from that of the image: an extent need not begin at zero, and values of cells lie in
// the middle of the cells.
[[nodiscard]] Geometry vtiPlaced(Geometry geometry, const std::array<double, 6>& extent, bool points);

// Takes the texts about provenance and meaning, in arrays of the FieldData.
void takeTextsOfVti(const InputFile& file, VolumeInfo& info);

// The notice for the arrays that are not read.
[[nodiscard]] std::string otherArraysNotice(const std::string& read, const std::vector<std::string>& others);

// The text before the voxels, whose number of bytes (u64) comes first, and that after them.
[[nodiscard]] std::string formatVtiHeader(const VolumeOutline& volume, const Metadata& metadata);
inline constexpr std::string_view kVtiEnd = "\n</AppendedData>\n</VTKFile>\n";

}  // namespace sscope::io
