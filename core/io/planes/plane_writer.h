#pragma once
// Planes written to their places in a file that is there already, by one process or several at once.

#include <cstdint>
#include <filesystem>
#include <span>

#include "core/io/base/descriptor.h"
#include "core/io/planes/file_layout.h"
#include "core/io/planes/write_back.h"
#include "core/io/planes/written_planes.h"

namespace sscope::io {

class PlaneWriter {
 public:
  // `file` is the file of layout.data under its name so far, which stays as it is but for the planes that are written.
  // `store`: planes are on their way to the disk as soon as they are written. Throws Error(Io), naming layout.path.
  PlaneWriter(const std::filesystem::path& file, FileLayout layout, bool store = true);

  [[nodiscard]] const FileLayout& layout() const { return layout_; }
  // Planes begin and on, as a Volume holds them. Asks the system to store them, and waits until all but the last few
  // megabytes are. For one thread at a time, but other writers may be at work in the same file. Throws Error(Io),
  // Canceled.
  void write(std::int64_t begin, std::span<const std::byte> voxels, const Control& control);
  // Reads some of the planes again that this writer has written. Throws Error(Io) where the file holds others,
  // Canceled.
  void check(const Control& control) const;
  // Waits until all that was written to the file, by anyone of this machine, is on its disk. Throws as
  // WriteBack::flush.
  void flush(const Control& control);

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
