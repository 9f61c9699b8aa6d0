#include "core/volume/change_planes.h"

#include <algorithm>

#include "core/volume/array_view.h"

namespace sscope {

namespace {

// So many planes at once that few calls are made, and little memory is taken.
constexpr std::int64_t kBytesAtOnce = std::int64_t{16} << 20;

}  // namespace

VolumeOutline changedOutline(const VolumeInfo& info, const PlanesChange& change) {
  const Box& box = change.box;
  requireWithin(box, info.shape);
  Geometry geometry = info.geometry;
  geometry.origin = geometry.toPhysical(
      {static_cast<double>(box.begin[0]), static_cast<double>(box.begin[1]), static_cast<double>(box.begin[2])});
  return {{box.size(0), box.size(1), box.size(2), info.shape.components}, change.type, geometry};
}

ConvertedVolume changePlanes(VolumeSource& source, const PlanesChange& change,
                             const std::function<void(std::int64_t begin, std::span<const std::byte> voxels)>& take,
                             const Control& control) {
  const VolumeInfo& info = source.info();
  requireWithin(change.box, info.shape);
  const VolumeShape& shape = info.shape;
  const std::size_t axis = slowestAxis({shape.nx, shape.ny, shape.nz, shape.components});
  VolumeShape some = shape;
  std::int64_t& planes = axis == 2 ? some.nz : axis == 1 ? some.ny : some.nx;
  const std::int64_t plane = shape.elements() / planes * static_cast<std::int64_t>(bytesOf(info.type));
  const std::int64_t atOnce = std::clamp<std::int64_t>(kBytesAtOnce / plane, 1, planes);
  const std::int64_t first = change.box.begin[axis], last = change.box.end[axis];
  ConvertedVolume counts;
  for (std::int64_t begin = first; begin < last; begin += atOnce) {
    const auto share = [&](std::int64_t at) {
      return static_cast<double>(at - first) / static_cast<double>(last - first);
    };
    const std::int64_t end = std::min(last, begin + atOnce);
    const Control part = control.part(share(begin), share(end));
    planes = end - begin;
    Volume read(some, info.type, info.geometry);
    source.read(begin, end, {read.data(), static_cast<std::size_t>(read.bytes())}, part);
    Box box = change.box;
    box.begin[axis] = 0;
    box.end[axis] = planes;
    read = cropped(read, box, part);
    if (change.type != info.type) {
      ConvertedVolume one = converted(read, change.type, part);
      counts.add(one);
      read = std::move(one.volume);
    }
    take(begin - first, {read.data(), static_cast<std::size_t>(read.bytes())});
  }
  return counts;
}

}  // namespace sscope
