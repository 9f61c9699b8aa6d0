#include "core/cpu/filter/ladder_steps.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "core/base/divide_up.h"
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

namespace {

constexpr int kLargestTap = 64;
constexpr std::int64_t kWidest = 2048;  // two quads of a strip stay in the nearest cache
constexpr std::int64_t kHalo = kSoupTaps - 1;

}  // namespace

std::string SoupStep::restriction(const SoupWorkload& workload) {
  for (const int tap : workload.taps())
    if (std::abs(tap) > kLargestTap) return "its taps lie in -64..64";
  return {};
}

SoupStep::SoupStep(const SoupWorkload& workload, SimdLevel level, const TileLimits& limits)
    : space_(workload, {0, 1, 2}, workload.stencil(0).dense.size, workload.stencil(0).dense.anchor),
      kernels_(soupKernels(level)),
      taps_(packSoupTaps(workload.taps(), workload.scale())) {
  const auto& extent = space_.extent();
  strips_ = divideUp(extent[0], kWidest);
  width_ = divideUp(divideUp(extent[0], strips_), 64) * 64;
  strips_ = divideUp(extent[0], width_);
  constexpr std::int64_t kFlattest = 64;
  const std::int64_t wanted = divideUp(8 * limits.threads, strips_);
  height_ = std::max(divideUp(divideUp(extent[1], wanted), kSoupRows) * kSoupRows, kFlattest);
  chunks_ = divideUp(extent[1], height_);
}

std::int64_t SoupStep::padded(std::int64_t width) const {
  return divideUp(width, kernels_.step) * kernels_.step + kHalo;
}

std::int64_t SoupStep::scratchBytes() const {
  const std::int64_t row = ScratchCarver::paddedBytes<std::uint8_t>(padded(width_));
  const std::int64_t quad = ScratchCarver::paddedBytes<std::uint8_t>(4 * padded(width_));
  return 2 * quad + 2 * kSoupRows * row;
}

double SoupStep::work() const {
  return 25.0 * static_cast<double>(space_.extent()[0]) * static_cast<double>(space_.extent()[1]);
}

std::string SoupStep::description() const {
  return "quads of rows in strips of " + std::to_string(width_) + "x" + std::to_string(height_);
}

// Four input rows from `row` on. Only columns beside the image go through the boundary rule one by one.
void SoupStep::fillQuad(const Strip& strip, std::int64_t row, std::uint8_t* quad) const {
  const PackJob& job = strip.job;
  const auto* source = reinterpret_cast<const std::uint8_t*>(job.source);
  const std::int64_t count = job.extent[0], begin = job.interiorBegin, end = job.interiorEnd;
  const auto constant = static_cast<std::uint8_t>(job.constant);
  const std::int64_t* index = job.sourceIndex[0];
  std::array<const std::uint8_t*, kSoupRows> rows{};
  for (std::int64_t r = 0; r < kSoupRows; ++r) {
    // Rows below the last that is needed do not matter: their taps or their outputs are left out.
    const std::int64_t y = job.sourceIndex[1][std::min(row + r, job.extent[1] - 1)];
    const std::uint8_t* from = source + y * job.sourceStride[1];
    const auto value = [&](std::int64_t x) {
      return y < 0 || index[x] < 0 ? constant : from[index[x] * job.sourceStride[0]];
    };
    for (std::int64_t x = 0; x < begin; ++x) quad[4 * x + r] = value(x);
    for (std::int64_t x = end; x < count; ++x) quad[4 * x + r] = value(x);
    if (y < 0) {
      from = strip.constant.data();
    } else if (job.sourceStride[0] != 1) {
      std::uint8_t* plain = strip.rows + r * padded(width_);
      for (std::int64_t x = begin; x < end; ++x) plain[x - begin] = value(x);
      from = plain;
    } else if (begin < end) {
      from += index[begin];
    }
    rows[static_cast<std::size_t>(r)] = from;
  }
  kernels_.interleave(rows, end - begin, quad + 4 * begin);
}

// Straight to the output where whole steps fit; the last step is moved back.
void SoupStep::storeBand(const Strip& strip, const StoreJob& place, SoupBand band) const {
  const std::int64_t width = place.extent[0], rows = place.extent[1];
  auto* target = reinterpret_cast<std::uint8_t*>(place.target);
  if (rows == kSoupRows && place.targetStride[0] == 1 && width >= kernels_.step) {
    for (std::int64_t r = 0; r < kSoupRows; ++r)
      band.out[static_cast<std::size_t>(r)] = target + r * place.targetStride[1];
    band.count = width / kernels_.step * kernels_.step;
    kernels_.convolve(band);
    if (const std::int64_t last = width - kernels_.step; band.count < width) {
      for (auto& quad : band.quad) quad += 4 * last;
      for (auto& out : band.out) out += last;
      band.count = kernels_.step;
      kernels_.convolve(band);
    }
    return;
  }
  for (std::int64_t r = 0; r < kSoupRows; ++r)
    band.out[static_cast<std::size_t>(r)] = strip.results + r * padded(width_);
  band.count = divideUp(width, kernels_.step) * kernels_.step;
  kernels_.convolve(band);
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t x = 0; x < width; ++x)
      target[r * place.targetStride[1] + x * place.targetStride[0]] = band.out[static_cast<std::size_t>(r)][x];
}

void SoupStep::runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const {
  const std::array<std::int64_t, 3> begin{tile % strips_ * width_, tile / strips_ * height_, 0};
  const std::int64_t width = std::min(width_, space_.extent()[0] - begin[0]);
  const std::int64_t height = std::min(height_, space_.extent()[1] - begin[1]);
  ScratchCarver carver(scratch);
  std::array<std::uint8_t*, 2> quads{};
  for (auto& quad : quads) {
    quad = carver.take<std::uint8_t>(4 * padded(width_));
    std::fill_n(quad, 4 * padded(width_), std::uint8_t{0});
  }
  Strip strip;
  strip.rows = carver.take<std::uint8_t>(kSoupRows * padded(width_));
  strip.results = carver.take<std::uint8_t>(kSoupRows * padded(width_));
  strip.job = space_.packJob(run.input, 0, begin, {width + kHalo, height + kHalo, 1});
  strip.constant.assign(static_cast<std::size_t>(width + kHalo), static_cast<std::uint8_t>(strip.job.constant));

  fillQuad(strip, 0, quads[0]);
  for (std::int64_t y = 0; y < height; y += kSoupRows) {
    run.control.check();
    fillQuad(strip, y + kSoupRows, quads[1]);
    SoupBand band;
    band.quad = {quads[0], quads[1]};
    band.taps = &taps_;
    const std::int64_t rows = std::min(kSoupRows, height - y);
    storeBand(strip, space_.storeJob(run.outputs[0], 0, {begin[0], begin[1] + y, 0}, {width, rows, 1}), band);
    std::swap(quads[0], quads[1]);
  }
}

}  // namespace sscope::cpu
