#pragma once
// Our own format: voxels in `name.raw`, everything about them in `name.json` (see docs/manual/file-formats.md).

#include <filesystem>
#include <vector>

#include "core/io/base/decoder.h"
#include "core/io/base/stored_voxels.h"
#include "core/volume/volume.h"

namespace sscope::io {

// The two names that belong to either of them: x.json and x.raw; x.raw.json goes with x.raw.
struct RawPair {
  std::filesystem::path header, data;
};
[[nodiscard]] RawPair rawPairOf(const std::filesystem::path& path);

// The header and the data file that it names. Throws Error when it is no such header.
[[nodiscard]] std::vector<std::filesystem::path> rawJsonFiles(const std::filesystem::path& path);

// `path` names the header or the data.
[[nodiscard]] VolumeInfo readRawJson(const std::string& path, const AllocateVoxels& allocate, const Control& control);
// The same, for reading by slabs.
[[nodiscard]] LocatedVolume locateRawJson(const std::string& path);

// The text of a header, whose voxels are in `dataFile` beside it.
[[nodiscard]] std::string formatRawHeader(const VolumeOutline& volume, const Metadata& metadata,
                                          const std::string& dataFile);
void writeRawJson(const std::filesystem::path& path, const VolumeOutline& volume, const VoxelPieces& voxels,
                  const WriteOptions& options, const Control& control);

}  // namespace sscope::io
