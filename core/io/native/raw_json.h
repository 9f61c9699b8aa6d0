#pragma once
// Voxels without a header of their own: our format with voxels in `name.raw` and their description in `name.json` (see
// docs/manual/file-formats.md), and files whose layout a person gives.

#include <filesystem>
#include <string>
#include <vector>

#include "core/io/planes/located.h"
#include "core/volume/raw_layout.h"

namespace sscope::io {

// The two names that belong to either of them: x.json and x.raw; x.raw.json goes with x.raw.
struct RawPair {
  std::filesystem::path header, data;
};
[[nodiscard]] RawPair rawPairOf(const std::filesystem::path& path);

// The header and the data file that it names. Throws Error when it is no such header.
[[nodiscard]] std::vector<std::filesystem::path> rawJsonFiles(const std::filesystem::path& path);

// `path` names the header or the data. Throws Error(BadData, NotFound, Unsupported).
[[nodiscard]] LocatedVolume locateRawJson(const std::string& path);

// Throws Error(BadData) for a file that is too short; a longer one adds a notice.
[[nodiscard]] LocatedVolume locateRawLayout(const std::string& path, const RawLayout& layout);

// The text of a header whose voxels are in `dataFile` beside it.
[[nodiscard]] std::string formatRawHeader(const VolumeOutline& volume, const Metadata& metadata,
                                          const std::string& dataFile);

}  // namespace sscope::io
