#pragma once
// The text header of NRRD files (teem.sourceforge.net/nrrd/format.html), as far as our axes and positions go.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/io/base/decoder.h"

namespace sscope::io {

struct NrrdHeader {
  std::map<std::string, std::string> fields;                     // names in small letters without blanks
  std::vector<std::pair<std::string, std::string>> annotations;  // "key:=value", in order
  std::int64_t dataOffset = 0;                                   // of the voxels in this file, after the empty line

  // Without white space around it; words that mean the same in any letters are in small ones ("type", "space").
  [[nodiscard]] std::string field(const std::string& name) const;
};

// Throws Error(BadData) when the file does not start with an NRRD header.
[[nodiscard]] NrrdHeader parseNrrdHeader(const std::string& path);

// Annotations of our own: the space of a file that is not one of a patient, and the axes whose step nobody gave.
inline constexpr const char *kNrrdSpace = "nrrd.space", *kNrrdAssumed = "stencilscope.assumed";

struct NrrdData {
  std::string file;   // empty for attached voxels
  bool gzip = false;  // how the voxels are encoded
};
// Moves the annotations that say how the file was made and what its values mean out of the fields.
void takeNrrdTexts(VolumeInfo& info);
// The header of a volume up to and including the empty line.
[[nodiscard]] std::string formatNrrdHeader(const VolumeOutline& volume, const Metadata& metadata, const NrrdData& data);

}  // namespace sscope::io
