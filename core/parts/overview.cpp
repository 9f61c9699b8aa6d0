#include "core/parts/overview.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <tbb/parallel_for.h>

#include "core/base/error.h"
#include "core/parts/slab_stream.h"
#include "core/volume/rounding.h"
#include "core/volume/selection.h"
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

// By the middle of each block along an axis, the voxel of the level that is nearest to it.
std::vector<std::int64_t> nearestIn(const VolumeInfo& level, const VolumeInfo& whole, std::size_t axis,
                                    std::int64_t block) {
  const std::int64_t voxels = extentsOf(whole.shape)[axis], there = extentsOf(level.shape)[axis];
  const auto n = static_cast<double>(voxels), m = static_cast<double>(there);
  const Geometry &g = whole.geometry, &l = level.geometry;
  // Of the level's voxels, in those of the volume: evenly over it, or where the file says, if that covers it.
  double step = n / m, first = (step - 1) / 2, shift = 0;
  for (std::size_t row = 0; row < 3; ++row) shift += g.direction[3 * row + axis] * (l.origin[row] - g.origin[row]);
  shift /= g.spacing[axis];
  const double said = l.spacing[axis] / g.spacing[axis];
  if (g.steps[axis] != StepSource::Assumed && l.steps[axis] != StepSource::Assumed && g.unit == l.unit &&
      g.direction == l.direction && std::abs(said * m - n) <= 1.5 * said && std::abs(shift) <= said) {
    step = said;
    first = shift;
  }
  std::vector<std::int64_t> nearest;
  for (std::int64_t begin = 0; begin < voxels; begin += block) {
    const double middle = static_cast<double>(begin + std::min(voxels, begin + block) - 1) / 2;
    nearest.push_back(std::clamp<std::int64_t>(std::llround((middle - first) / step), 0, there - 1));
  }
  return nearest;
}

Overview overviewFrom(const LoadedVolume& level, const VolumeOutline& outline, const VolumeInfo& whole) {
  constexpr double kHardlyMore = 0.25;  // a level of 250 voxels of 999 stands for blocks of 4
  const Extents extent = extentsOf(outline.shape), there = extentsOf(level.info.shape);
  Overview overview;
  std::array<std::vector<std::int64_t>, 3> nearest;
  for (std::size_t a = 0; a < 3; ++a) {
    const double ratio = static_cast<double>(extent[a]) / static_cast<double>(there[a]);
    overview.block[a] = std::max<std::int64_t>(1, std::llround(std::ceil(ratio - kHardlyMore)));
    nearest[a] = nearestIn(level.info, whole, a, overview.block[a]);
  }
  auto means = std::make_shared<Volume>(roomFor(outline, overview.block));
  const auto components = static_cast<std::int64_t>(outline.shape.components);
  const auto fill = [&](const auto* from, auto* to) {
    tbb::parallel_for(std::size_t{0}, nearest[2].size(), [&](std::size_t z) {
      auto* out = to + static_cast<std::int64_t>(z * nearest[1].size() * nearest[0].size()) * components;
      for (const std::int64_t y : nearest[1])
        for (const std::int64_t x : nearest[0]) {
          const auto* in = from + ((nearest[2][z] * there[1] + y) * there[0] + x) * components;
          for (std::int64_t c = 0; c < components; ++c, ++out)
            *out = std::isfinite(static_cast<double>(in[c])) ? static_cast<std::decay_t<decltype(*out)>>(in[c]) : 0;
        }
    });
  };
  dispatch(level.volume.type(), [&](auto tag) {
    using T = decltype(tag);
    const T* const from = level.volume.elements<T>().data();
    if (means->type() == level.volume.type())
      fill(from, means->elements<T>().data());
    else
      fill(from, means->elements<float>().data());
  });
  overview.means = std::move(means);
  return overview;
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
  SlabPlan layers{.thick = block[axis], .slabs = {}, .needed = {}};
  for (std::int64_t begin = 0; begin < volume.planes(); begin += block[axis]) {
    layers.slabs.push_back({begin, std::min(volume.planes(), begin + block[axis])});
    layers.needed.push_back({layers.slabs.back()});
  }
  const std::int64_t perLayer = means->shape().voxels() / std::ssize(layers.slabs);
  Tally tally;
  const auto addLayer = [&](std::size_t layer, const std::function<void()>&, const Control& one) {
    const Volume planes = planesOf(volume, layers.slabs[layer]);
    addStatistics(volume, layers.slabs[layer], tally, one);
    BrickBlocks blocks{block, blocksIn(extentsOf(planes.shape()), block), 0, 1};
    for (; blocks.component < outline.shape.components; ++blocks.component)
      putMeans(blockMeans(planes, blocks, one), blocks.component, static_cast<std::int64_t>(layer) * perLayer, *means);
    return std::vector<Volume>();
  };
  streamSlabs({source, volume, layers, {}, {}, 0, "overview layer"}, addLayer, control);
  return {std::move(means), block, tally.all()};
}

std::optional<Overview> levelOverview(VolumeIo& io, const std::string& path, const VolumeInfo& info,
                                      std::int64_t mostBytes, const Control& control) {
  constexpr std::int64_t kSoonRead = std::int64_t{64} << 20;
  const VolumeOutline outline{info.shape, info.type, info.geometry};
  const auto voxelBytes = info.shape.components * static_cast<std::int64_t>(bytesOf(typeOf(outline)));
  try {
    Selection selection = parseSelection(path);
    if (!selection.correction.axes.empty()) return std::nullopt;
    // What a person says of the steps is said of the full resolution.
    selection.correction = {};
    const VolumeInfo whole = selection.name() == path ? info : io.probe(selection.name(), control);
    for (int level = 1; level < info.levels; ++level) {
      selection.level = level;
      const VolumeInfo found = io.probe(selection.name(), control);
      if (found.shape.voxels() * voxelBytes > std::min(mostBytes, kSoonRead)) continue;
      const LoadedVolume loaded = io.read(selection.name(), control);
      const bool fits = typeOf(outline) == ElementType::f32 || typeOf(outline) == loaded.volume.type();
      if (!fits || loaded.info.shape.components != info.shape.components) return std::nullopt;
      Overview overview = overviewFrom(loaded, outline, whole);
      overview.level = level;
      return overview;
    }
  } catch (const Canceled&) {
    throw;
  } catch (const Error&) {
    // Nothing is lost by it.
  }
  return std::nullopt;
}

}  // namespace sscope::reach
