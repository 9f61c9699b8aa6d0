#pragma once
// What is seen of a volume larger than memory as a whole: the means of blocks of voxels.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/base/control.h"
#include "core/parts/sparse_volume.h"
#include "core/volume/volume.h"
#include "core/volume/volume_io.h"
#include "core/volume/volume_stream.h"

namespace sscope::reach {

struct Overview {
  // Of the finite values of every block, 0 where there are none: f32, or of colors (3 or 4 components of u8 or u16)
  // their own type. Lies where the volume lies: the spacing is that of the blocks, the origin the middle of the first
  // one.
  std::shared_ptr<const Volume> means;
  std::array<std::int64_t, 3> block{1, 1, 1};  // voxels; the last block of an axis may have fewer
  VolumeStatistics statistics;                 // of every voxel, not of the means
  // Not 0: no means, but the values that this level of the file's pyramid has there, and no statistics.
  int level = 0;
};

// The smallest blocks whose means take at most `mostBytes`, with the same edge along all axes that are long enough, but
// at most `mostPlanes` planes along `axis`.
[[nodiscard]] std::array<std::int64_t, 3> overviewBlock(const VolumeOutline& outline, std::int64_t mostBytes,
                                                        std::size_t axis, std::int64_t mostPlanes);

// Reads all planes once, through `volume`, which holds none at the end; with the rate and the time left as progress.
// Throws as VolumeSource::read, Error(Memory), Canceled.
[[nodiscard]] Overview overviewOf(VolumeSource& source, SparseVolume& volume, const std::array<std::int64_t, 3>& block,
                                  const Control& control);

// At once, of a file with a pyramid: the finest level that takes at most `mostBytes` as an overview, and no more than
// are read in a moment. Nothing where there is none, or where it cannot be read: who reads all voxels says why. `info`:
// of `path`. Throws Canceled.
[[nodiscard]] std::optional<Overview> levelOverview(VolumeIo& io, const std::string& path, const VolumeInfo& info,
                                                    std::int64_t mostBytes, const Control& control);

}  // namespace sscope::reach
