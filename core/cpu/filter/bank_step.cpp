#include "core/cpu/filter/bank_step.h"

#include <algorithm>
#include <limits>
#include "core/base/arithmetic.h"
#include "core/cpu/run/scratch.h"

namespace sscope::cpu {

namespace {

// Of tiles, so that the blocks of all groups fit in a whole number of times.
constexpr std::int64_t kRows = 15;

}  // namespace

template <class T>
BankStep<T>::BankStep(const FilterWorkload& workload, const PrecisionKernels<T>& kernels, const TileLimits& limits)
    : space_(workload, {0, 1, 2}, workload.operators()[0].size(), workload.operators()[0].anchor()), kernels_(kernels) {
  makeGroups(workload);
  const auto& hull = space_.hull();
  correlator_ = Correlator<T>(kernels, hull[0], hull[1], hull[2]);
  tile_ = chooseTile(limits);
  for (std::size_t a = 0; a < 3; ++a) count_[a] = divideUp(space_.extent()[a], tile_[a]);
  setStrides(tile_);
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(T));
  for (Group& group : groups_) {
    TunedShape shape = group.tile;
    shape.kx = hull[0];
    shape.ky = hull[1];
    shape.kz = hull[2];
    shape.inRow = row_ * kBytes;
    shape.inPlane = plane_ * kBytes;
    shape.fetchPlane = hull[2] > 1;
    group.block = TunedBlock::make<T>(kernels.level, shape);
  }
}

template <class T>
void BankStep<T>::makeGroups(const FilterWorkload& workload) {
  const auto all = std::ssize(workload.operators());
  std::vector<DenseTaps> dense;
  for (const Operator& op : workload.operators()) dense.push_back(op.stencil()->expanded());
  const auto append = [&](std::vector<T>& weights, std::int64_t first, std::int64_t filters) {
    const auto& size = dense[0].size;
    for (std::int64_t z = 0; z < size[2]; ++z)
      for (std::int64_t x = 0; x < size[0]; ++x)
        for (std::int64_t f = first; f < first + filters; ++f)
          for (std::int64_t y = 0; y < size[1]; ++y)
            weights.push_back(static_cast<T>(dense[static_cast<std::size_t>(f)].at(x, y, z)));
  };
  for (std::int64_t f = 0; f < all; ++f) append(weights_.emplace_back(), f, 1);
  for (std::int64_t first = 0; first < all; first += groups_.back().tile.filters) {
    Group& group = groups_.emplace_back();
    group.first = static_cast<std::size_t>(first);
    group.tile = tunedTile(kernels_.level, std::min(all - first, tunedFilters(kernels_.level)));
    append(group.weights, first, group.tile.filters);
  }
}

template <class T>
void BankStep<T>::setStrides(const Extent& tile) {
  const auto& hull = space_.hull();
  row_ = rowStride<T>(divideUp(tile[0], kernels_.lanes) * kernels_.lanes + hull[0] - 1);
  // An odd number of rows keeps the planes from falling into the same cache sets.
  plane_ = row_ * ((tile[1] + hull[1] - 1) | 1);
}

template <class T>
std::int64_t BankStep<T>::packedElements(const Extent& tile) const {
  const auto& hull = space_.hull();
  return rowStride<T>(divideUp(tile[0], kernels_.lanes) * kernels_.lanes + hull[0] - 1) *
         ((tile[1] + hull[1] - 1) | 1) * (tile[2] + hull[2] - 1);
}

// Multiply-adds of whole blocks, and the packing, in units of one multiply-add of a vector.
template <class T>
double BankStep<T>::cost(const Extent& tile, const TileLimits& limits) const {
  constexpr double kPacking = 1.5;  // per element
  const double taps = static_cast<double>(weights_[0].size());
  double arithmetic = 0;
  for (const Group& group : groups_) {
    const std::int64_t width = group.tile.vectors * kernels_.lanes;
    arithmetic += taps * static_cast<double>(group.tile.filters * tile[2] * divideUp(tile[1], group.tile.rows) *
                                             group.tile.rows * divideUp(tile[0], width) * group.tile.vectors);
  }
  std::int64_t tiles = space_.components();
  for (std::size_t a = 0; a < 3; ++a) tiles *= divideUp(space_.extent()[a], tile[a]);
  const auto elements = static_cast<double>(packedElements(tile));
  const double preferred = 0.5 * static_cast<double>(limits.cacheBytes), bytes = elements * sizeof(T);
  double result = (arithmetic + kPacking * elements) * static_cast<double>(divideUp(tiles, limits.threads));
  if (bytes > preferred) result *= 1 + bytes / preferred;
  if (bytes > static_cast<double>(limits.largestBytes)) result *= 1e6 * bytes;
  return result;
}

template <class T>
typename BankStep<T>::Extent BankStep<T>::chooseTile(const TileLimits& limits) const {
  const auto& extent = space_.extent();
  Extent best{};
  double least = std::numeric_limits<double>::infinity();
  for (const std::int64_t x : {16, 32, 64, 96, 128, 192, 256, 512})
    for (std::int64_t y = kRows; y <= 8 * kRows; y += kRows)
      for (const std::int64_t z : {1, 2, 4, 8, 12, 16, 24, 32, 48, 64}) {
        const Extent tile{std::min(x, extent[0]), std::min(y, extent[1]), std::min(z, extent[2])};
        if (const double now = cost(tile, limits); now < least) {
          least = now;
          best = tile;
        }
      }
  return best;
}

template <class T>
std::int64_t BankStep<T>::tiles() const {
  return count_[0] * count_[1] * count_[2] * space_.components();
}

// A strip of the compiled kernels, or the blocks of a group through the tile.
template <class T>
std::int64_t BankStep<T>::resultElements() const {
  std::int64_t most = rowStride<T>(divideUp(tile_[0], kernels_.lanes) * kernels_.lanes) * kRows;
  for (const Group& group : groups_)
    most = std::max(most, group.tile.filters * group.tile.rows * group.tile.vectors * kernels_.lanes * tile_[2]);
  return most;
}

template <class T>
std::int64_t BankStep<T>::scratchBytes() const {
  return ScratchCarver::paddedBytes<T>(packedElements(tile_)) + ScratchCarver::paddedBytes<T>(resultElements());
}

template <class T>
double BankStep<T>::work() const {
  const auto& n = space_.extent();
  return static_cast<double>(std::ssize(weights_) * std::ssize(weights_[0])) *
         static_cast<double>(n[0] * n[1] * n[2] * space_.components());
}

template <class T>
std::string BankStep<T>::description() const {
  return std::to_string(weights_.size()) + " kernels in " + std::to_string(groups_.size()) + " groups, tiles of " +
         std::to_string(tile_[0]) + "x" + std::to_string(tile_[1]) + "x" + std::to_string(tile_[2]) +
         (groups_.front().block ? ", generated blocks" : "");
}

// Blocks of all filters of a group, one below the other through the tile, for outputs from (x, y) on. A column that
// would reach beyond the tile is moved back: what it computes twice is the same, and converted and counted once.
template <class T>
void BankStep<T>::runColumn(const Group& group, const Tile& tile, std::int64_t x, std::int64_t y,
                            const TileRun& run) const {
  const std::int64_t wantedX = x, wantedY = y;
  x = std::min(x, tile.size[0] - group.block->width());
  y = std::min(y, tile.size[1] - group.tile.rows);
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(T));
  const auto filters = static_cast<std::size_t>(group.tile.filters);
  const std::int64_t rows = group.tile.rows, width = group.block->width(), planes = tile.size[2];
  TunedBlock::Arguments arguments;
  arguments.in = tile.packed + y * row_ + x;
  arguments.inStep = plane_ * kBytes;
  arguments.blocks = planes;
  arguments.taps = group.weights.data();
  std::array<StoreJob, TunedBlock::kMostFilters> place;
  bool direct = true;
  std::uintptr_t offsets = 0;  // of everything that is stored
  for (std::size_t f = 0; f < filters; ++f) {
    const ArrayView& output = run.outputs[group.first + f];
    place[f] = space_.storeJob(output, tile.component, {tile.begin[0] + x, tile.begin[1] + y, tile.begin[2]},
                               {width, rows, planes});
    direct = direct && output.type == ElementTypeOf<T>::value && place[f].targetStride[0] == 1 &&
             place[f].targetStride == place[0].targetStride;
    arguments.out[f] = place[f].target;
    offsets |= reinterpret_cast<std::uintptr_t>(place[f].target);
  }
  arguments.outRow = (direct ? place[0].targetStride[1] : width) * kBytes;
  arguments.outStep = (direct ? place[0].targetStride[2] : rows * width) * kBytes;
  offsets |= static_cast<std::uintptr_t>(arguments.outRow | arguments.outStep);
  if (!direct)
    for (std::size_t f = 0; f < filters; ++f)
      arguments.out[f] =
          reinterpret_cast<std::byte*>(tile.result + static_cast<std::int64_t>(f) * planes * rows * width);
  const std::array<std::byte*, TunedBlock::kMostFilters> results = arguments.out;
  group.block->function(direct && run.streaming && offsets % 64 == 0, false)(&arguments);
  for (std::size_t f = 0; f < filters && !direct; ++f) {
    const std::size_t output = group.first + f;
    place[f] = space_.storeJob(run.outputs[output], tile.component,
                               {tile.begin[0] + wantedX, tile.begin[1] + wantedY, tile.begin[2]},
                               {width - (wantedX - x), rows - (wantedY - y), planes});
    place[f].tile = results[f] + ((wantedY - y) * width + wantedX - x) * kBytes;
    place[f].tileRow = width;
    place[f].tilePlane = rows * width;
    run.saturated[output] += kernels_.store[static_cast<std::size_t>(run.outputs[output].type)](place[f]);
  }
}

// Tiles smaller than a block, and levels without generated code.
template <class T>
void BankStep<T>::runCompiled(const Tile& tile, const TileRun& run) const {
  Correlation<T> job;
  job.inRow = row_;
  job.inPlane = plane_;
  job.out = tile.result;
  job.vectors = divideUp(tile.size[0], kernels_.lanes);
  job.outRow = rowStride<T>(job.vectors * kernels_.lanes);
  for (std::int64_t z = 0; z < tile.size[2]; ++z)
    for (std::int64_t y = 0; y < tile.size[1]; y += kRows)
      for (std::size_t f = 0; f < weights_.size(); ++f) {
        job.in = tile.packed + z * plane_ + y * row_;
        job.rows = std::min(kRows, tile.size[1] - y);
        job.taps = weights_[f].data();
        correlator_.run(job, run.control);
        const ArrayView& output = run.outputs[f];
        StoreJob store = space_.storeJob(output, tile.component, {tile.begin[0], tile.begin[1] + y, tile.begin[2] + z},
                                         {tile.size[0], job.rows, 1});
        store.tile = tile.result;
        store.tileRow = job.outRow;
        store.streaming = run.streaming;
        run.saturated[f] += kernels_.store[static_cast<std::size_t>(output.type)](store);
      }
}

template <class T>
void BankStep<T>::runTile(std::int64_t index, const Scratch& scratch, const TileRun& run) const {
  Tile tile;
  Extent packed{};
  for (std::size_t a = 0; a < 3; ++a) {
    tile.begin[a] = index % count_[a] * tile_[a];
    index /= count_[a];
    tile.size[a] = std::min(tile_[a], space_.extent()[a] - tile.begin[a]);
    packed[a] = tile.size[a] + space_.hull()[a] - 1;
  }
  tile.component = index;
  ScratchCarver carver(scratch);
  tile.packed = carver.take<T>(packedElements(tile_));
  tile.result = carver.take<T>(resultElements());
  PackJob pack = space_.packJob(run.input, tile.component, tile.begin, packed);
  pack.tile = tile.packed;
  pack.tileRow = row_;
  pack.tilePlane = plane_;
  kernels_.pack[static_cast<std::size_t>(run.input.type)](pack);

  const bool generated = std::all_of(groups_.begin(), groups_.end(), [&](const Group& group) {
    return group.block && group.block->width() <= tile.size[0] && group.tile.rows <= tile.size[1];
  });
  if (!generated) {
    runCompiled(tile, run);
    return;
  }
  for (const Group& group : groups_)
    for (std::int64_t y = 0; y < tile.size[1]; y += group.tile.rows)
      for (std::int64_t x = 0; x < tile.size[0]; x += group.block->width()) {
        run.control.check();
        runColumn(group, tile, x, y, run);
      }
}

template class BankStep<float>;
template class BankStep<double>;

}  // namespace sscope::cpu
