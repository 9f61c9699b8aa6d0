#include "core/io/native/raw_layout_read.h"

#include <bit>

#include "core/io/base/chunked_file.h"
#include "core/io/base/file_error.h"

namespace sscope::io {

LocatedVolume locateRawLayout(const std::string& path, const RawLayout& layout) {
  LocatedVolume located;
  VolumeInfo& info = located.info;
  info.shape = {layout.extent[0], layout.extent[1], layout.extent[2], layout.components};
  info.type = layout.type;
  info.geometry.unit = "";
  info.metadata.inSpace = false;
  info.geometry.steps.fill(StepSource::Assumed);
  info.format = "raw";
  requireMemory(path, claimedBytes(info), 0);
  const std::int64_t there = sizeOfFile(path, path);
  requireBytes(layout, printable(path), there);
  const std::int64_t wanted = layout.offset + static_cast<std::int64_t>(layout.bytes());
  if (there > wanted) info.notices.push_back(std::to_string(there - wanted) + " bytes behind the voxels were left out");
  StoredVoxels& voxels = located.voxels;
  voxels.file = path;
  voxels.offset = layout.offset;
  voxels.type = storedAs(layout.type);
  voxels.swapped = layout.bigEndian == (std::endian::native == std::endian::little);
  voxels.layout = framesOf(info.shape, info.shape.components);
  voxels.chosen = allOf(info.shape);
  return located;
}

VolumeInfo readRawLayout(const std::string& path, const RawLayout& layout, const AllocateVoxels& allocate,
                         const Control& control) {
  LocatedVolume located = locateRawLayout(path, layout);
  VolumeInfo& info = located.info;
  const bool swapped = located.voxels.swapped;
  info.plain = {path, layout.offset, swapped};
  std::byte* out = allocate(info);
  if (out == nullptr) return info;
  const std::span<std::byte> bytes(out, static_cast<std::size_t>(claimedBytes(info)));
  readChunked(path, path, layout.offset, bytes, control);
  if (swapped) swapBytes(bytes, bytesOf(info.type), control);
  return info;
}

}  // namespace sscope::io
