#pragma once
// The text header of NRRD files (teem.sourceforge.net/nrrd/format.html), as far as our axes and positions go, and the
// meaning of their axes: space, points in time or channels; their positions and units.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/io/base/input_file.h"
#include "core/io/planes/located.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

struct NrrdHeader {
  std::map<std::string, std::string> fields;                     // names in lower case without blanks
  std::vector<std::pair<std::string, std::string>> annotations;  // "key:=value", in order
  std::vector<std::string> list;                                 // names of data files behind "data file: LIST"
  std::int64_t dataOffset = 0;                                   // of the voxels in this file, after the empty line

  // Without white space around it; values that are case-insensitive ("type", "space") are in lower case.
  [[nodiscard]] std::string field(const std::string& name) const;
};

// Throws Error(BadData) when the file does not start with an NRRD header, Error(Unsupported) for other versions.
[[nodiscard]] NrrdHeader parseNrrdHeader(const InputFile& file);

// Our own annotations: the space of a file that is not a patient space, and the axes whose step is assumed.
inline constexpr const char *kNrrdSpace = "nrrd.space", *kNrrdAssumed = "stencilscope.assumed";

struct NrrdData {
  std::string file;   // empty for attached voxels
  bool gzip = false;  // how the voxels are encoded
};
// Moves the annotations about the provenance of the file and the meaning of its values out of the fields.
void takeNrrdTexts(VolumeInfo& info);
// The header of a volume up to and including the empty line.
[[nodiscard]] std::string formatNrrdHeader(const VolumeOutline& volume, const Metadata& metadata, const NrrdData& data);

struct NrrdAxes {
  VolumeInfo info;     // without type and format
  FrameLayout layout;  // the order of the file
};

// `bytes`: size of an element. Up to three axes in space, and before or behind them one of points in time and one of
// channels. Throws Error(BadData, Unsupported) where the header contradicts itself or its axes cannot be these.
[[nodiscard]] NrrdAxes nrrdAxes(const NrrdHeader& header, const std::string& path, std::size_t bytes);

}  // namespace sscope::io
