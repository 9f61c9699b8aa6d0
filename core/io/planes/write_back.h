#pragma once
// What of a file is on its way to the disk.

#include <cstdint>
#include <deque>
#include <filesystem>

#include "core/base/control.h"
#include "core/io/base/descriptor.h"

namespace sscope::io {

// Asks the system to store pieces of a file as they are written, and lets no more be on their way than come to the disk
// within some hundredths of a second: a file that is given up is gone only when these are there.
class WriteBack {
 public:
  // A piece has been written. May wait for earlier ones.
  void begin(const Descriptor& file, std::int64_t offset, std::int64_t bytes);
  // Waits until all of the file, written by anyone of this machine, is on its disk; errors name `shown`. Throws
  // Error(Io), also for pieces before, and Canceled within 100 ms unless the disk takes longer for a megabyte.
  void flush(const Descriptor& file, std::int64_t bytes, const std::filesystem::path& shown, const Control& control);

 private:
  struct Piece {
    std::int64_t offset = 0, bytes = 0;
  };
  void store(const Descriptor& file, const Piece& piece, unsigned how);

  std::deque<Piece> onTheWay_;  // oldest first
  std::int64_t bytes_ = 0, most_ = kMost;
  int failed_ = 0;  // errno of the first piece that did not come to the disk

  static constexpr std::int64_t kLeast = std::int64_t{1} << 20, kMost = std::int64_t{8} << 20;
};

}  // namespace sscope::io
