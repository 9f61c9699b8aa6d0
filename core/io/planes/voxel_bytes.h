#pragma once
// The bytes of all voxels of a volume, before they are converted.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "core/base/control.h"
#include "core/io/planes/located.h"

namespace sscope::io {

class VoxelBytes {
 public:
  virtual ~VoxelBytes() = default;
  // Whether bytes before those that were read last cost no more than others.
  [[nodiscard]] virtual bool anyOrder() const = 0;
  // From the byte `offset` of the voxels on. Throws Error, naming the file, and Canceled.
  virtual void read(std::int64_t offset, std::span<std::byte> out, const Control& control) = 0;
  // Throws Error(NotFound, BadData) if the file is another than when it was opened.
  virtual void requireUnchanged() {}
};

// Voxels that are not packed, read by this process as they lie in one file: no decoder runs, and nothing is mapped that
// another process could cut off. `name` is the name that the user gave. Throws Error(BadData) where the file is too
// short, Error(Unsupported) where it is no regular file, Error(NotFound, Io).
[[nodiscard]] std::unique_ptr<VoxelBytes> storedBytes(const std::string& name, const StoredVoxels& voxels);

// The bytes of a located volume that is not decoded by planes, unpacked by this process where they are packed: for the
// reader program. Throws as storedBytes, and Error(BadData) for a stream that cannot hold the voxels.
[[nodiscard]] std::unique_ptr<VoxelBytes> openBytes(const LocatedVolume& located, const std::string& name,
                                                    const Control& control);

// Opened for reading; invalid where it is no regular file or cannot be opened (see errno). Never waits.
[[nodiscard]] Descriptor openRegular(const std::filesystem::path& file);

}  // namespace sscope::io
