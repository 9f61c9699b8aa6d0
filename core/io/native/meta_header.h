#pragma once
// The text header of MetaImage files (.mha, .mhd), as far as images go.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/io/base/convert.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

// Fields of ours, numbered from 0: pieces, in quotes, of the text that says how the file was made, and of that which
// says what its values mean.
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
  std::string provenance, meaning;  // how it was made and what its values mean, as it says itself
  std::vector<std::string> list;    // the lines after "ElementDataFile = LIST"

  [[nodiscard]] bool attached() const;
  [[nodiscard]] double elements() const;  // as double: absurd claims do not overflow
  [[nodiscard]] double storedBytes() const { return elements() * static_cast<double>(bytesOf(stored)); }
};

// Throws Error(BadData, Unsupported) when it is not an image or is inconsistent.
[[nodiscard]] MetaHeader parseMetaHeader(const std::string& path);

}  // namespace sscope::io
