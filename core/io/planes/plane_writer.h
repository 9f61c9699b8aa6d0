#pragma once
// Planes written to their places in a file that exists already, by one process or several at once.

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <span>

#include "core/base/control.h"
#include "core/io/base/descriptor.h"
#include "core/io/planes/file_layout.h"

namespace sscope::io {

// Asks the system to store pieces of a file as they are written, and limits those that are on their way to what reaches
// the disk within some hundredths of a second: a file that is given up is gone only when these are stored.
class WriteBack {
 public:
  // A piece has been written. May wait for earlier ones.
  void begin(const Descriptor& file, std::int64_t offset, std::int64_t bytes);
  // Waits until all of the file, written by any process of this machine, is on its disk; errors name `shown`. Throws
  // Error(Io), also for earlier pieces, and Canceled within 100 ms unless the disk takes longer for a megabyte.
  void flush(const Descriptor& file, std::int64_t bytes, const std::filesystem::path& shown, const Control& control);

 private:
  struct Piece {
    std::int64_t offset = 0, bytes = 0;
  };
  void store(const Descriptor& file, const Piece& piece, unsigned how);

  static constexpr std::int64_t kLeast = std::int64_t{1} << 20, kMost = std::int64_t{8} << 20;
  std::deque<Piece> onTheWay_;  // oldest first
  std::int64_t bytes_ = 0, most_ = kMost;
  int failed_ = 0;  // errno of the first piece that did not reach the disk
};

// Keeps checksums of the first plane, the last one and up to seven between them as they are written, to compare them
// with the file.
class WrittenPlanes {
 public:
  // Planes begin and on have been written; `voxels` as for placePlanes().
  void note(const FileLayout& layout, std::int64_t begin, std::span<const std::byte> voxels);
  // Reads the noted planes and compares. Throws Error(Io), naming layout.path, where they differ, and Canceled.
  void check(const FileLayout& layout, const Descriptor& file, const Control& control) const;

 private:
  std::map<std::int64_t, std::uint64_t> sums_;  // by plane
};

class PlaneWriter {
 public:
  // `file` is the file of layout.data under its temporary name; only planes that are written change it. `store`: planes
  // are on their way to the disk as soon as they are written. Throws Error(Io), naming layout.path.
  PlaneWriter(const std::filesystem::path& file, FileLayout layout, bool store = true);

  [[nodiscard]] const FileLayout& layout() const { return layout_; }
  // Planes begin and on, as a Volume holds them. Where planes are stored at once, waits until all but the last few
  // megabytes are. For one thread at a time, but other writers may work in the same file. Throws Error(Io), Canceled.
  void write(std::int64_t begin, std::span<const std::byte> voxels, const Control& control);
  // Reads some of the planes that this writer has stored. Throws Error(Io) where the file differs, Canceled.
  void check(const Control& control) const { written_.check(layout_, file_, control); }
  // Waits until all that was written to the file, by any process of this machine, is on its disk. Throws as
  // WriteBack::flush.
  void flush(const Control& control) { writeBack_.flush(file_, layout_.fileBytes(), layout_.path, control); }

 private:
  FileLayout layout_;
  Descriptor file_;
  WriteBack writeBack_;
  WrittenPlanes written_;
  bool store_;
};

// Writes all of `bytes` at `offset`; errors name `shown`. Throws Error(Io).
void writeAt(const Descriptor& file, std::int64_t offset, std::span<const std::byte> bytes,
             const std::filesystem::path& shown);

}  // namespace sscope::io
