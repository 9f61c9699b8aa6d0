#pragma once
// A TIFF file as it is stored: the chain of its directories and tags that libtiff does not know, such as those of
// microscopes. libtiff treats a truncated chain as complete, and tags with truncated values as missing.

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "core/io/tiff/tiff_calibration.h"

namespace sscope::io {

class TiffTags {
 public:
  explicit TiffTags(const std::string& path);

  struct Tag {
    std::uint64_t type = 0, count = 0;
    std::uint64_t at = 0;  // where its values lie in the file
  };
  // In the directory at this place; empty where it is missing or cut off.
  [[nodiscard]] std::optional<Tag> find(std::uint64_t directory, std::uint64_t name);
  // Of that many bytes in the file's order; empty where the file ends before them.
  [[nodiscard]] std::optional<std::uint64_t> whole(std::uint64_t offset, std::size_t bytes);
  [[nodiscard]] std::optional<double> real(std::uint64_t offset);  // of 8 bytes
  // Fewer where the file ends before; of text those before a zero.
  [[nodiscard]] std::string bytes(std::uint64_t offset, std::size_t count);
  [[nodiscard]] std::string text(std::uint64_t offset, std::size_t bytes);
  [[nodiscard]] bool bigEndian() const { return bigEndian_; }

  // Throws Error(BadData) when a directory, its link to the next one or the values that give the pixel size lie outside
  // the file, and when the chain comes back to itself.
  void requireChain();

 private:
  std::optional<std::uint64_t> firstDirectory();
  std::optional<std::uint64_t> entries(std::uint64_t directory);
  bool describesPixels(std::uint64_t directory);

  std::string path_;
  std::ifstream file_;
  bool bigEndian_ = false;
  std::size_t word_ = 4, counted_ = 2, entryBytes_ = 12;  // bytes of an offset, of the number of entries, of an entry
};

struct MicroscopeTags {
  TiffCalibration calibration;
  TiffOrder order;  // of its planes, but for channels in the samples of a pixel
};

// Zeiss LSM, whose pages alternate with small copies.
[[nodiscard]] std::optional<MicroscopeTags> readLsm(TiffTags& tags, std::uint64_t directory);
// MetaMorph's stacks: one page, behind whose pixels those of all others lie.
[[nodiscard]] std::optional<MicroscopeTags> readStk(TiffTags& tags, std::uint64_t directory);

}  // namespace sscope::io
