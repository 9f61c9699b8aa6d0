#pragma once
// One level of a pyramid that is written plane by plane, and those below it.

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "core/base/control.h"
#include "core/io/base/descriptor.h"
#include "core/io/zarr/zarr_layout.h"

namespace sscope::io {

// Half a plane, or a quarter: what takes the place of blocks of 2 voxels along each axis that has several.
class ZarrHalver {
 public:
  ZarrHalver(const ZarrLayout& layout, const ZarrLevel& level);
  // The blocks of one plane, or of two that follow each other; `second` may be empty. Empty in between.
  [[nodiscard]] std::span<const std::byte> halve(std::span<const std::byte> first, std::span<const std::byte> second);

 private:
  const ZarrLayout& layout_;
  ZarrLevel level_;
  std::vector<std::byte> out_;
};

// A new file of a store, from its folder down: where that was removed meanwhile, as of a job that is ended, nothing is
// made. Throws Error(Io), naming `shown`.
void putIntoStore(const Descriptor& folder, const std::string& key, std::span<const std::byte> bytes,
                  const std::filesystem::path& shown);

class ZarrLevelWriter {
 public:
  // Level `number` of the layout, into the store's folder, which must stay open. `shown` names the store in errors.
  ZarrLevelWriter(const ZarrLayout& layout, std::size_t number, const Descriptor& folder, std::filesystem::path shown);

  // The next planes, as a Volume holds them. Throws Error(Io), Canceled.
  void write(std::span<const std::byte> planes, const Control& control);
  // There are no more.
  void finish(const Control& control);

 private:
  void writeRow(const Control& control);
  void writeChunk(const std::array<std::int64_t, 3>& place, std::int64_t component);
  void passOn(std::span<const std::byte> plane, bool last, const Control& control);

  const ZarrLayout& layout_;
  std::size_t number_;
  const Descriptor& folder_;
  std::filesystem::path shown_;
  std::string made_;  // the folder that was made last
  ZarrLevel level_, chunk_;
  std::size_t planeBytes_;
  std::int64_t done_ = 0;       // planes that were given
  std::vector<std::byte> row_;  // planes of the row of chunks that is on its way
  std::vector<std::byte> odd_;  // a plane that waits for the next one
  std::vector<std::byte> values_, packed_;
  ZarrHalver halver_;
  std::unique_ptr<ZarrLevelWriter> below_;
};

}  // namespace sscope::io
