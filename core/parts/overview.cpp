#include "core/parts/overview.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <tbb/parallel_for.h>

#include "core/base/stopwatch.h"
#include "core/parts/plane_reader.h"
#include "core/volume/rounding.h"
#include "core/volume/volume_brick.h"

namespace sscope::reach {

namespace {

using Extents = std::array<std::int64_t, 3>;

Extents extentsOf(const VolumeShape& shape) { return {shape.nx, shape.ny, shape.nz}; }

Extents blocksIn(const Extents& extent, const Extents& block) {
  Extents count{};
  for (std::size_t a = 0; a < 3; ++a) count[a] = (extent[a] + block[a] - 1) / block[a];
  return count;
}

ElementType typeOf(const VolumeOutline& outline) {
  const bool color = outline.shape.components == 3 || outline.shape.components == 4;
  const bool narrow = outline.type == ElementType::u8 || outline.type == ElementType::u16;
  return color && narrow ? outline.type : ElementType::f32;
}

Volume roomFor(const VolumeOutline& outline, const Extents& block) {
  const Extents count = blocksIn(extentsOf(outline.shape), block);
  Geometry geometry = outline.geometry;
  std::array<double, 3> middle{};
  for (std::size_t a = 0; a < 3; ++a) {
    middle[a] = static_cast<double>(block[a] - 1) / 2;
    geometry.spacing[a] *= static_cast<double>(block[a]);
  }
  geometry.origin = outline.geometry.toPhysical(middle);
  return {{count[0], count[1], count[2], outline.shape.components}, typeOf(outline), geometry};
}

// Some planes of the volume as one by themselves.
Volume planesOf(SparseVolume& whole, const Range& planes) {
  VolumeShape shape = whole.volume().shape();
  (whole.axis() == 2 ? shape.nz : whole.axis() == 1 ? shape.ny : shape.nx) = planes.size();
  return {shape,
          whole.volume().type(),
          {},
          {std::shared_ptr<std::byte>(), whole.planesFrom(planes.begin, planes.end).data()}};
}

void putMeans(const std::vector<float>& means, std::int64_t component, std::int64_t firstBlock, Volume& overview) {
  const std::int64_t components = overview.shape().components;
  dispatch(overview.type(), [&](auto tag) {
    using T = decltype(tag);
    T* out = overview.elements<T>().data() + firstBlock * components + component;
    bool saturated = false;
    for (const float mean : means) {
      *out = roundSaturate<T>(static_cast<double>(mean), saturated);
      out += components;
    }
  });
}

// Of all planes seen so far.
class Tally {
 public:
  void add(const VolumeStatistics& part, std::int64_t elements) {
    const std::int64_t finite = elements - part.nonFinite;
    all_.nonFinite += part.nonFinite;
    if (finite == 0) return;
    all_.minimum = counted_ == 0 ? part.minimum : std::min(all_.minimum, part.minimum);
    all_.maximum = counted_ == 0 ? part.maximum : std::max(all_.maximum, part.maximum);
    counted_ += finite;
    all_.mean += (part.mean - all_.mean) * (static_cast<double>(finite) / static_cast<double>(counted_));
  }
  [[nodiscard]] const VolumeStatistics& all() const { return all_; }

 private:
  VolumeStatistics all_;
  std::int64_t counted_ = 0;
};

// On all threads, added in the order of the planes, so that the mean does not depend on who was first.
void addStatistics(SparseVolume& volume, const Range& planes, Tally& tally, const Control& control) {
  std::vector<VolumeStatistics> found(static_cast<std::size_t>(planes.size()));
  tbb::parallel_for(std::int64_t{0}, planes.size(), [&](std::int64_t plane) {
    const std::int64_t at = planes.begin + plane;
    found[static_cast<std::size_t>(plane)] = statistics(planesOf(volume, {at, at + 1}), {control.stop, {}});
  });
  const std::int64_t elements = volume.volume().shape().elements() / volume.planes();
  for (const VolumeStatistics& one : found) tally.add(one, elements);
}

std::string paceText(double share, double bytes, double seconds) {
  constexpr double kSettled = 0.5;  // seconds before a rate says anything
  std::string text = "overview";
  if (share > 0 && seconds > kSettled) {
    text += fmt::format(", {:.0f} MiB/s, {:.0f} s left", bytes * share / (1 << 20) / seconds,
                        std::ceil(seconds / share - seconds));
  }
  return text;
}

}  // namespace

std::array<std::int64_t, 3> overviewBlock(const VolumeOutline& outline, std::int64_t mostBytes, std::size_t axis,
                                          std::int64_t mostPlanes) {
  const Extents extent = extentsOf(outline.shape);
  const std::int64_t voxelBytes = outline.shape.components * static_cast<std::int64_t>(bytesOf(typeOf(outline)));
  const std::int64_t longest = *std::ranges::max_element(extent);
  Extents block{1, 1, 1};
  for (std::int64_t edge = 1; edge <= longest; ++edge) {
    for (std::size_t a = 0; a < 3; ++a) block[a] = std::min(edge, extent[a]);
    block[axis] = std::min(block[axis], std::max<std::int64_t>(mostPlanes, 1));
    const Extents count = blocksIn(extent, block);
    if (count[0] * count[1] * count[2] * voxelBytes <= mostBytes) break;
  }
  return block;
}

Overview overviewOf(VolumeSource& source, SparseVolume& volume, const std::array<std::int64_t, 3>& block,
                    const Control& control) {
  const VolumeOutline outline = outlineOf(volume.volume());
  const std::size_t axis = volume.axis();
  auto means = std::make_shared<Volume>(roomFor(outline, block));
  std::vector<std::vector<Range>> layers;
  for (std::int64_t begin = 0; begin < volume.planes(); begin += block[axis])
    layers.push_back({{begin, std::min(volume.planes(), begin + block[axis])}});
  const std::int64_t perLayer = means->shape().voxels() / static_cast<std::int64_t>(layers.size());
  Tally tally;
  const Stopwatch watch;
  PlaneReader reader(source, volume, layers, {});
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    const double share = static_cast<double>(layer) / static_cast<double>(layers.size());
    control.report(share, paceText(share, static_cast<double>(outline.bytes()), watch.seconds()));
    reader.await(layer, control);
    const Volume planes = planesOf(volume, layers[layer].front());
    addStatistics(volume, layers[layer].front(), tally, control);
    BrickBlocks blocks{block, blocksIn(extentsOf(planes.shape()), block), 0, 1};
    for (; blocks.component < outline.shape.components; ++blocks.component)
      putMeans(blockMeans(planes, blocks, control), blocks.component, static_cast<std::int64_t>(layer) * perLayer,
               *means);
    reader.done(layer);
  }
  return {std::move(means), block, tally.all()};
}

}  // namespace sscope::reach
