#include "core/io/planes/decoded_planes.h"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "core/io/process/protocol.h"
#include "core/volume/array_view.h"

namespace sscope::io {

namespace {

std::int64_t planesOf(const VolumeShape& s) {
  const std::array<std::int64_t, 4> extent = {s.nx, s.ny, s.nz, s.components};
  return extent[slowestAxis(extent)];
}

std::int64_t planeBytesOf(const VolumeInfo& info) {
  return info.shape.elements() / planesOf(info.shape) * static_cast<std::int64_t>(sscope::bytesOf(info.type));
}

}  // namespace

void sendPlanes(const DecodedPlanes& planes, std::int64_t begin, const TakeBytes& take, const Control& control) {
  // Chunks that hold several planes are unpacked once for so many, where these are not too much to be held.
  constexpr std::int64_t kAtOnce = std::int64_t{8} << 20, kMostTogether = std::int64_t{128} << 20;
  const std::int64_t all = planesOf(planes.info.shape), planeBytes = planeBytesOf(planes.info);
  const std::int64_t share = planes.together * planeBytes <= kMostTogether ? planes.together : 1;
  const std::int64_t most = std::max<std::int64_t>(1, kAtOnce / planeBytes / share) * share;
  std::vector<std::byte> buffer;
  for (std::int64_t first = begin, last = begin; first < all; first = last) {
    last = std::min(all, (first / share) * share + most);
    buffer.resize(static_cast<std::size_t>((last - first) * planeBytes));
    planes.read(first, last, buffer, control);
    for (std::size_t done = 0; done < buffer.size(); done += kLongestFrame)
      take(std::span<const std::byte>(buffer).subspan(done, std::min(kLongestFrame, buffer.size() - done)));
  }
}

LocatedVolume locatedPlanes(const std::string& file, VolumeInfo info) {
  LocatedVolume located{std::move(info), {}};
  StoredVoxels& voxels = located.voxels;
  voxels.file = file;
  voxels.packing = Packing::Planes;
  voxels.runBytes = planeBytesOf(located.info);
  voxels.type = storedAs(located.info.type);
  voxels.layout = framesOf(located.info.shape, located.info.shape.components);
  voxels.chosen = allOf(located.info.shape);
  return located;
}

}  // namespace sscope::io
