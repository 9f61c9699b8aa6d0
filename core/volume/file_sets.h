#pragma once
// Which files an input consists of, and which an output becomes: for those who must not replace the one with the other.

#include <filesystem>
#include <string>
#include <vector>

#include "core/volume/volume_io.h"

namespace sscope {

// What a VolumeIo can say of files besides reading and writing them; core/io's can.
class FileSets {
 public:
  virtual ~FileSets() = default;
  // Every file that VolumeIo::read(path) would read: header and data, all slices of a pattern, all files of a folder.
  // What cannot be found out (a damaged header) is left out; bad input throws nothing.
  [[nodiscard]] virtual std::vector<std::filesystem::path> filesRead(const std::string& path) const = 0;
  // Every file that VolumeIo::write(path) would write: header and data.
  [[nodiscard]] virtual std::vector<std::filesystem::path> filesWritten(const std::filesystem::path& path) const = 0;
};

// The same for any VolumeIo; of one that cannot say it, `path` stands alone.
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
