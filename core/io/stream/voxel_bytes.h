#pragma once
// The bytes of all voxels of a file, before they are converted.

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/base/control.h"
#include "core/io/base/stored_voxels.h"

namespace sscope::io {

class VoxelBytes {
 public:
  virtual ~VoxelBytes() = default;
  // Whether bytes before those that were read last cost no more than others.
  [[nodiscard]] virtual bool anyOrder() const = 0;
  // From the byte `offset` of the voxels on. Throws Error, naming the file, and Canceled.
  virtual void read(std::int64_t offset, std::span<std::byte> out, const Control& control) = 0;
  // Throws Error(NotFound, BadData) if the file is another than when it was opened.
  virtual void requireUnchanged() = 0;
};

// Read by this process as they lie in the file: bytes need no decoder, and nothing is mapped that somebody else could
// cut off. `name` is what the user named. Throws Error(BadData) where the file is too short for voxels that are not
// packed, Error(Unsupported) where it is no regular file, Error(NotFound, Io).
[[nodiscard]] std::unique_ptr<VoxelBytes> storedBytes(const std::string& name, const StoredVoxels& voxels);

}  // namespace sscope::io
