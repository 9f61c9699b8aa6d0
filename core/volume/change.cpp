#include "core/volume/change.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "core/base/error.h"
#include "core/volume/array_view.h"
#include "core/volume/element_type.h"

namespace sscope {

namespace {

// Elements between two checks of the stop token.
constexpr std::int64_t kConvertedAtOnce = std::int64_t{1} << 20;

template <class Out>
void convertPiece(const Volume& from, ConvertedVolume& to, std::int64_t begin, std::int64_t end) {
  dispatch(from.type(), [&](auto tag) {
    using In = decltype(tag);
    const auto in = from.elements<In>();
    const auto out = to.volume.elements<Out>();
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      if constexpr (std::is_floating_point_v<Out>) {
        if constexpr (std::numeric_limits<Out>::digits >= std::numeric_limits<In>::digits) {
          out[i] = static_cast<Out>(in[i]);
        } else {
          const auto value = static_cast<double>(in[i]);
          out[i] = narrowed<Out>(value);
          const bool outside = std::isinf(out[i]) && !std::isinf(value), gone = value != 0 && out[i] == 0;
          to.saturated += outside ? 1 : 0;
          to.nonzero += value != 0 ? 1 : 0;
          to.vanished += gone ? 1 : 0;
          to.rounded += !outside && !gone && value == value && static_cast<double>(out[i]) != value ? 1 : 0;
        }
      } else {
        const auto value = static_cast<double>(in[i]);
        const bool number = !std::isnan(value);
        bool outside = false;
        out[i] = roundSaturate<Out>(value, outside);
        to.rounded += number && std::floor(value) != value ? 1 : 0;
        to.saturated += number && outside ? 1 : 0;
        to.notNumbers += number ? 0 : 1;
      }
    }
  });
}

}  // namespace

ConvertedVolume converted(const Volume& volume, ElementType type, const Control& control) {
  ConvertedVolume result;
  result.volume = Volume(volume.shape(), type, volume.geometry());
  const std::int64_t count = volume.shape().elements();
  for (std::int64_t begin = 0; begin < count; begin += kConvertedAtOnce) {
    control.check();
    dispatch(type, [&](auto tag) {
      convertPiece<decltype(tag)>(volume, result, begin, std::min(begin + kConvertedAtOnce, count));
    });
    control.report(static_cast<double>(begin) / static_cast<double>(count), "converting");
  }
  return result;
}

void requireWithin(const Box& box, const VolumeShape& shape) {
  const std::array<std::int64_t, 3> extent{shape.nx, shape.ny, shape.nz};
  for (std::size_t a = 0; a < 3; ++a)
    if (box.begin[a] < 0 || box.end[a] > extent[a] || box.begin[a] >= box.end[a])
      throw Error(ErrorKind::Usage,
                  "the crop from " + std::to_string(box.begin[a]) + " to " + std::to_string(box.end[a]) + " along " +
                      "xyz"[a] + " does not fit the data, which have " + std::to_string(extent[a]) + " voxels there",
                  "count from 0; the end is not included");
}

void ConvertedVolume::add(const ConvertedVolume& other) {
  saturated += other.saturated;
  notNumbers += other.notNumbers;
  rounded += other.rounded;
  nonzero += other.nonzero;
  vanished += other.vanished;
}

Volume cropped(const Volume& volume, const Box& box, const Control& control) {
  const VolumeShape& shape = volume.shape();
  requireWithin(box, shape);
  Geometry geometry = volume.geometry();
  geometry.origin = geometry.toPhysical(
      {static_cast<double>(box.begin[0]), static_cast<double>(box.begin[1]), static_cast<double>(box.begin[2])});
  Volume result({box.size(0), box.size(1), box.size(2), shape.components}, volume.type(), geometry);
  const std::size_t voxel = static_cast<std::size_t>(shape.components) * bytesOf(volume.type());
  const std::size_t row = static_cast<std::size_t>(box.size(0)) * voxel;
  std::byte* out = result.data();
  for (std::int64_t z = box.begin[2]; z < box.end[2]; ++z) {
    control.check();
    for (std::int64_t y = box.begin[1]; y < box.end[1]; ++y, out += row)
      std::memcpy(out, volume.data() + static_cast<std::size_t>((z * shape.ny + y) * shape.nx + box.begin[0]) * voxel,
                  row);
  }
  return result;
}

namespace {

// Planes per call: few calls with little memory.
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

std::shared_ptr<const Volume> logarithmOf(const Volume& volume) {
  double least = std::numeric_limits<double>::infinity();
  dispatch(volume.type(), [&](auto tag) {
    for (const auto element : volume.elements<decltype(tag)>())
      if (const auto value = static_cast<double>(element); value > 0) least = std::min(least, value);
  });
  if (std::isinf(least)) return nullptr;
  const double floor = std::log10(least) - 1;
  auto out = std::make_shared<Volume>(volume.shape(), ElementType::f32, volume.geometry());
  dispatch(volume.type(), [&](auto tag) {
    const auto from = volume.elements<decltype(tag)>();
    const auto to = out->template elements<float>();
    for (std::size_t i = 0; i < to.size(); ++i) {
      const auto value = static_cast<double>(from[i]);
      to[i] = static_cast<float>(value <= 0 ? floor : std::log10(value));
    }
  });
  return out;
}

}  // namespace sscope
