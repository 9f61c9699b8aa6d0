#pragma once
// How a volume lies in an OME-Zarr store that is written: its arrays, one for each level of a pyramid, and the texts
// that describe them.

#include <array>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/io/zarr/zarr_codecs.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

// Of a level. Planes lie across the slowest axis that has more than one voxel, and have rows and columns; those of an
// image have one row.
struct ZarrLevel {
  std::int64_t planes = 1, rows = 1, columns = 1;
  std::array<int, 3> halved{};  // how often the steps along x, y and z were doubled
};

struct ZarrLayout {
  VolumeOutline volume;
  WriteOptions options;
  std::string name;
  ZarrPacking packing = ZarrPacking::none;
  std::size_t slowest = 2;  // the axis across which planes lie
  std::size_t space = 3;    // axes of space: x, y, and z where it has slices or a place of its own
  std::int64_t frames = 1, channels = 1;
  std::vector<ZarrLevel> levels;                                  // the full resolution first
  std::int64_t chunkPlanes = 1, chunkRows = 1, chunkColumns = 1;  // at most

  // Of a chunk of a level: no more than the level has.
  [[nodiscard]] ZarrLevel chunkOf(const ZarrLevel& level) const;
  // One number for each axis of the array, of planes, rows and columns and what comes before them.
  [[nodiscard]] std::vector<std::int64_t> arrayOf(std::int64_t frame, std::int64_t channel, std::int64_t plane,
                                                  std::int64_t row, std::int64_t column) const;
  // "0/c/0/0/1", of a chunk at this place of the grid.
  [[nodiscard]] std::string chunkKey(std::size_t level, std::int64_t component,
                                     const std::array<std::int64_t, 3>& place) const;
};

// The extents of chunks are such that a row of them, across all planes that they share, takes some megabytes.
[[nodiscard]] ZarrLayout layOutZarr(const std::filesystem::path& path, const VolumeOutline& volume,
                                    const WriteOptions& options);

struct ZarrText {
  std::string key;  // of the file
  std::string text;
};
// The descriptions of the store. `ranges`: the least and the largest value of each channel.
[[nodiscard]] std::vector<ZarrText> describeStore(const ZarrLayout& layout,
                                                  const std::vector<std::array<double, 2>>& ranges);

}  // namespace sscope::io
