#pragma once
// MetaImage files (.mha, .mhd), as far as images go. ITK's reader replaces missing voxels by zeros, and its writer
// ignores a full disk.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/base/input_file.h"
#include "core/io/planes/located.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

// Our own fields, numbered from 0: pieces, in quotes, of the text about the provenance of the file and of the text
// about the meaning of its values.
inline constexpr const char *kMetaProvenance = "StencilscopeProvenance", *kMetaMeaning = "StencilscopeMeaning";

struct MetaHeader {
  std::vector<std::int64_t> size;  // 1 to 10 axes, x fastest
  std::int64_t channels = 1;
  Stored stored = Stored::u8;
  Geometry geometry;
  bool binary = true, compressed = false, bigEndian = false;
  double slope = 1, intercept = 0;  // to intensities; reported, never applied
  std::int64_t headerBytes = 0;     // skipped at the start of every data file; -1: everything before the voxels
  std::int64_t dataOffset = 0;      // of attached voxels
  std::string data;                 // the value of ElementDataFile
  std::string provenance, meaning;  // the texts of our own fields
  std::vector<std::string> list;    // the lines after "ElementDataFile = LIST"

  [[nodiscard]] bool attached() const;
  [[nodiscard]] double elements() const;  // as double: absurd claims do not overflow
  [[nodiscard]] double storedBytes() const { return elements() * static_cast<double>(bytesOf(stored)); }
};

// Throws Error(BadData, Unsupported) when it is not an image or is inconsistent.
[[nodiscard]] MetaHeader parseMetaHeader(const InputFile& file);

// The data files that the header names, in order; a numbered row is its pattern. Throws as parseMetaHeader.
[[nodiscard]] std::vector<std::string> metaDataNames(const InputFile& file);

// Raw, zlib or text; voxels in the same file, another file, a numbered series or a list of files. Axes beyond the third
// are components, as are channels. Throws Error(BadData, Unsupported, NotFound).
[[nodiscard]] LocatedVolume locateMeta(const InputFile& file);

// The data file of a header that its voxels follow.
inline constexpr const char* kMetaAttached = "LOCAL";
// Room for the number of compressed bytes, which is known last.
inline constexpr std::string_view kMetaSizePlace = "000000000000000000";
// The text before the voxels. With `compress` it has room for the number of compressed bytes.
[[nodiscard]] std::string formatMetaHeader(const VolumeOutline& volume, const Metadata& metadata,
                                           const std::string& dataFile, bool compress);

}  // namespace sscope::io
