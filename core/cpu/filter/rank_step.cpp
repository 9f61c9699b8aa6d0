#include "core/cpu/filter/rank_step.h"

#include <algorithm>
#include <limits>

namespace sscope::cpu {

namespace {

constexpr std::int64_t dividedUp(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace

template <class T>
RankStep<T>::RankStep(const FilterWorkload& workload, std::size_t filter, Search search, const AxisOrder& order,
                      const PrecisionKernels<T>& kernels, const TileLimits& limits)
    : output_(filter),
      search_(search),
      space_(workload, order, workload.operators()[filter].size(), workload.operators()[filter].anchor()),
      kernels_(kernels),
      ranks_(rankKernels(kernels.level).template of<T>()),
      rank_(workload.operators()[filter].window()->rank) {
  for (const auto& member : workload.operators()[filter].window()->members) members_.push_back(permuted(member, order));
  tile_ = chooseTile(limits);
  for (std::size_t a = 0; a < 3; ++a) count_[a] = dividedUp(space_.extent()[a], tile_[a]);
}

template <class T>
typename RankStep<T>::Layout RankStep<T>::layout(const std::array<std::int64_t, 3>& tile) const {
  const std::int64_t width = dividedUp(tile[0], ranks_.lanes) * ranks_.lanes;
  Layout l;
  l.row = rowStride<T>(width + space_.hull()[0] - 1);
  l.plane = l.row * (tile[1] + space_.hull()[1] - 1);
  l.packed = l.plane * (tile[2] + space_.hull()[2] - 1);
  l.outRow = rowStride<T>(width);
  return l;
}

// What is packed beside the outputs is the only cost that tiles change, as long as they stay in the cache.
template <class T>
std::array<std::int64_t, 3> RankStep<T>::chooseTile(const TileLimits& limits) const {
  const auto& extent = space_.extent();
  const double preferred = 0.5 * static_cast<double>(limits.cacheBytes);
  std::array<std::int64_t, 3> best{};
  double bestCost = std::numeric_limits<double>::infinity();
  for (const std::int64_t x : {32, 64, 128, 256})
    for (const std::int64_t y : {4, 8, 16, 32})
      for (const std::int64_t z : {1, 2, 4, 8, 16}) {
        const std::array<std::int64_t, 3> tile{std::min(x, extent[0]), std::min(y, extent[1]), std::min(z, extent[2])};
        const Layout l = layout(tile);
        std::int64_t tiles = space_.components();
        for (std::size_t a = 0; a < 3; ++a) tiles *= dividedUp(extent[a], tile[a]);
        const std::int64_t rounds = dividedUp(tiles, limits.threads);  // unequal shares leave threads idle
        const auto members = static_cast<double>(members_.size());
        const double searching = members * static_cast<double>(tile[0] * tile[1] * tile[2]);
        double cost = (searching + static_cast<double>(l.packed) + 500) * static_cast<double>(rounds);
        const auto bytes = static_cast<double>(l.packed * static_cast<std::int64_t>(sizeof(T)));
        if (bytes > preferred) cost *= 1 + bytes / preferred;
        if (cost < bestCost) {
          bestCost = cost;
          best = tile;
        }
      }
  return best;
}

template <class T>
std::int64_t RankStep<T>::tiles() const {
  return count_[0] * count_[1] * count_[2] * space_.components();
}

template <class T>
std::int64_t RankStep<T>::scratchBytes() const {
  const Layout l = layout(tile_);
  return ScratchCarver::paddedBytes<T>(l.packed) + ScratchCarver::paddedBytes<T>(l.outRow) +
         ScratchCarver::paddedBytes<std::int64_t>(static_cast<std::int64_t>(members_.size()));
}

template <class T>
double RankStep<T>::work() const {
  const auto& n = space_.extent();
  return static_cast<double>(members_.size()) * static_cast<double>(n[0] * n[1] * n[2] * space_.components());
}

template <class T>
std::string RankStep<T>::description() const {
  return std::string(search_ == Search::Selection ? "selection" : "bisection") + " in tiles of " +
         std::to_string(tile_[0]) + "x" + std::to_string(tile_[1]) + "x" + std::to_string(tile_[2]);
}

template <class T>
void RankStep<T>::runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const {
  std::array<std::int64_t, 3> begin{}, size{}, packed{};
  for (std::size_t a = 0; a < 3; ++a) {
    begin[a] = tile % count_[a] * tile_[a];
    tile /= count_[a];
    size[a] = std::min(tile_[a], space_.extent()[a] - begin[a]);
    packed[a] = size[a] + space_.hull()[a] - 1;
  }
  const Layout l = layout(size);
  ScratchCarver carver(scratch);
  T* input = carver.take<T>(l.packed);
  T* result = carver.take<T>(l.outRow);
  auto* offset = carver.take<std::int64_t>(static_cast<std::int64_t>(members_.size()));
  for (std::size_t m = 0; m < members_.size(); ++m)
    offset[m] = members_[m][2] * l.plane + members_[m][1] * l.row + members_[m][0];

  PackJob pack = space_.packJob(run.input, tile, begin, packed);
  pack.tile = input;
  pack.tileRow = l.row;
  pack.tilePlane = l.plane;
  kernels_.pack[static_cast<std::size_t>(run.input.type)](pack);
  ranks_.toKeys(input, l.packed);

  const ArrayView& output = run.outputs[output_];
  RankJob<T> job;
  job.offset = offset;
  job.count = static_cast<std::int64_t>(members_.size());
  job.rank = rank_;
  job.outputs = dividedUp(size[0], ranks_.lanes) * ranks_.lanes;
  job.out = result;
  for (std::int64_t z = 0; z < size[2]; ++z)
    for (std::int64_t y = 0; y < size[1]; ++y) {
      run.control.check();
      job.in = reinterpret_cast<const RankKey<T>*>(input) + z * l.plane + y * l.row;
      (search_ == Search::Selection ? ranks_.select : ranks_.bisect)(job);
      StoreJob store = space_.storeJob(output, tile, {begin[0], begin[1] + y, begin[2] + z}, {size[0], 1, 1});
      store.tile = result;
      store.tileRow = l.outRow;
      store.streaming = run.streaming;
      run.saturated[output_] += kernels_.store[static_cast<std::size_t>(output.type)](store);
    }
}

template class RankStep<float>;
template class RankStep<double>;

}  // namespace sscope::cpu
