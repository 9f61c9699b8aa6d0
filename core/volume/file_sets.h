#pragma once
// Which files an input consists of and which files an output writes, so that outputs never replace inputs.

#include <filesystem>
#include <string>
#include <vector>

#include "core/volume/volume_io.h"

namespace sscope {

// An optional interface of a VolumeIo; core/io implements it.
class FileSets {
 public:
  virtual ~FileSets() = default;
  // Every file that VolumeIo::read(path) would read: header and data, all slices of a pattern, all files of a folder.
  // Leaves out what it cannot determine (from a damaged header); does not throw for bad input.
  [[nodiscard]] virtual std::vector<std::filesystem::path> filesRead(const std::string& path) const = 0;
  // Every file that VolumeIo::write(path) would write: header and data.
  [[nodiscard]] virtual std::vector<std::filesystem::path> filesWritten(const std::filesystem::path& path) const = 0;
};

// The same for any VolumeIo; only `path` if it does not implement FileSets.
[[nodiscard]] inline std::vector<std::filesystem::path> filesRead(const VolumeIo& io, const std::string& path) {
  const auto* sets = dynamic_cast<const FileSets*>(&io);
  return sets ? sets->filesRead(path) : std::vector<std::filesystem::path>{path};
}
[[nodiscard]] inline std::vector<std::filesystem::path> filesWritten(const VolumeIo& io,
                                                                     const std::filesystem::path& path) {
  const auto* sets = dynamic_cast<const FileSets*>(&io);
  return sets ? sets->filesWritten(path) : std::vector<std::filesystem::path>{path};
}

}  // namespace sscope
