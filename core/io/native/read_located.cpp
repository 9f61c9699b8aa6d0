#include "core/io/native/read_located.h"

#include <algorithm>
#include <vector>

#include "core/io/base/chunked_file.h"
#include "core/io/base/file_error.h"

namespace sscope::io {

std::int64_t requireBytes(const std::string& file, const std::string& shown, std::int64_t offset, double bytes) {
  const auto there = std::max<std::int64_t>(0, sizeOfFile(file, shown) - offset);
  if (static_cast<double>(there) < bytes)
    throw damaged(shown, "it is cut off: only " + bytesText(static_cast<double>(there)) + " of its " +
                             bytesText(bytes) + " of voxels are there");
  return there - static_cast<std::int64_t>(bytes);
}

VolumeInfo readLocated(LocatedVolume located, const std::string& shown, const AllocateVoxels& allocate,
                       const Control& control) {
  VolumeInfo& info = located.info;
  const StoredVoxels& voxels = located.voxels;
  const auto same = sameElementType(voxels.type);
  const bool wide = isWide(voxels.type);
  const bool asStored = same == info.type && voxels.layout.frames == 1;
  const std::size_t storedBytes = bytesOf(voxels.type);
  const double needed =
      static_cast<double>(info.shape.voxels()) * info.shape.components * static_cast<double>(storedBytes);
  const auto read = [&](std::span<std::byte> out) {
    readChunked(voxels.file, shown, voxels.offset, out, control);
    if (voxels.swapped) swapBytes(out, storedBytes, control);
  };
  std::vector<std::byte> stored;
  const auto readAside = [&] {
    requireMemory(shown, 2 * needed, 0);
    stored.resize(static_cast<std::size_t>(needed));
    read(stored);
  };
  if (asStored) info.plain = {voxels.file, voxels.offset, voxels.swapped};
  if (wide) {
    static_cast<void>(requireBytes(voxels.file, shown, voxels.offset, needed));
    // The values decide the type, so they are read first.
    readAside();
    info.notices.push_back(takeNarrowest(voxels.type, stored, info.type));
  }
  std::byte* out = allocate(info);
  static_cast<void>(requireBytes(voxels.file, shown, voxels.offset, needed));
  if (out == nullptr) return info;
  if (asStored) {
    read({out, static_cast<std::size_t>(needed)});
    return info;
  }
  if (!wide) readAside();
  std::vector<std::byte> converted(static_cast<std::size_t>(claimedBytes(info)));
  convert(voxels.type, stored, info.type, converted.data(), voxels.scale);
  scatter(voxels.layout, 0, converted, bytesOf(info.type), out);
  return info;
}

}  // namespace sscope::io
