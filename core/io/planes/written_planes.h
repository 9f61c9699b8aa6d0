#pragma once
// Some planes of a file that is written, to be read again.

#include <cstdint>
#include <map>
#include <span>

#include "core/base/control.h"
#include "core/io/base/descriptor.h"
#include "core/io/planes/file_layout.h"

namespace sscope::io {

// Keeps a number of the bytes of the first plane, the last and up to seven between them as they are written.
class WrittenPlanes {
 public:
  // Planes begin and on have been written; `voxels` as of placePlanes().
  void note(const FileLayout& layout, std::int64_t begin, std::span<const std::byte> voxels);
  // Reads the noted planes and compares. Throws Error(Io), naming layout.path, where the file holds others, and
  // Canceled.
  void check(const FileLayout& layout, const Descriptor& file, const Control& control) const;

 private:
  std::map<std::int64_t, std::uint64_t> sums_;  // by plane
};

}  // namespace sscope::io
