#include "core/cpu/filter/entropy_step.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace sscope::cpu {

namespace {

// The window in tile axes.
RankWindow permutedWindow(RankWindow window, const AxisOrder& order) {
  window.size = permuted(window.size, order);
  window.anchor = permuted(window.anchor, order);
  for (auto& member : window.members) member = permuted(member, order);
  return window;
}

// The keys of unsigned integers have their order as signed ones.
template <class Key>
std::vector<Key> keysOf(const std::vector<std::int64_t>& thresholds, ElementType as) {
  const bool moved = isInteger(as) && lowestOf(as) == 0;
  std::vector<Key> keys;
  for (const std::int64_t threshold : thresholds)
    keys.push_back(static_cast<Key>(threshold + (moved ? std::int64_t{std::numeric_limits<Key>::min()} : 0)));
  return keys;
}

}  // namespace

template <class Key>
EntropyStep<Key>::EntropyStep(const FilterWorkload& workload, std::size_t filter, const AxisOrder& order,
                              const KernelTable& kernels, const TileLimits& limits)
    : output_(filter),
      members_(workload.operators()[filter].entropy()->count()),
      bins_(workload.operators()[filter].entropy()->bins),
      kernels_(kernels),
      entropy_(entropyKernels(kernels.f32.level)),
      thresholds_(keysOf<Key>(binThresholds(*workload.operators()[filter].entropy(), workload.orderedAs()),
                              workload.orderedAs())),
      steps_(entropySteps(members_)),
      total_(std::accumulate(steps_.begin(), steps_.end(), std::int64_t{0})),
      tiles_(workload, filter, false, order, kernels) {
  const std::int64_t distance = tiles_.space().tapDistance();
  const RankWindow window = permutedWindow(workload.operators()[filter].entropy()->shape, order);
  for (const auto& [length, begins] : window.linesByLength())
    for (auto begin : begins) {
      begin[0] *= distance;
      lines_.push_back({begin, length * distance});
    }
  constexpr double kEach = 5;  // operations of a value that enters or leaves
  constexpr int kCopies = 3;   // keys, and numbers of bins, which may be wider
  tiles_.choose(limits, 2 * kEach * static_cast<double>(lines_.size() * tiles_.kernels().lanes), kCopies);
}

template <class Key>
std::int64_t EntropyStep<Key>::scratchBytes() const {
  const Layout l = tiles_.largest();
  return ScratchCarver::paddedBytes<Key>(l.packed) + ScratchCarver::paddedBytes<std::uint16_t>(l.packed) +
         ScratchCarver::paddedBytes<std::uint32_t>(bins_ + 1) +
         2 * ScratchCarver::paddedBytes<std::int64_t>(std::ssize(lines_)) + tiles_.numberBytes();
}

template <class Key>
std::string EntropyStep<Key>::description() const {
  return "counting of " + tiles_.tileText();
}

template <class Key>
void EntropyStep<Key>::runTile(std::int64_t number, const Scratch& scratch, const TileRun& run) const {
  const Tile tile = tiles_.at(number);
  const Layout l = tiles_.layout(tile.size);
  ScratchCarver carver(scratch);
  Key* keys = carver.take<Key>(l.packed);
  auto* bins = carver.take<std::uint16_t>(l.packed);
  auto* counts = carver.take<std::uint32_t>(bins_ + 1);
  auto* begins = carver.take<std::int64_t>(std::ssize(lines_));
  auto* ends = carver.take<std::int64_t>(std::ssize(lines_));
  auto* numbers = carver.take<double>(l.width);
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const auto& [x, y, z] = lines_[i].begin;
    begins[i] = z * l.plane + y * l.row + x;
    ends[i] = begins[i] + lines_[i].length;
  }
  tiles_.pack(tile, l, run.input, keys);
  const auto& hull = tiles_.space().hull();
  for (std::int64_t z = 0; z < tile.size[2] + hull[2] - 1; ++z) {
    run.control.check();
    entropy_.bins(BinsJob<Key>{keys + z * l.plane, l.row * (tile.size[1] + hull[1] - 1), thresholds_.data(),
                               std::ssize(thresholds_), bins + z * l.plane});
  }
  EntropyJob job;
  job.begins = begins;
  job.ends = ends;
  job.lines = std::ssize(lines_);
  job.tapDistance = tiles_.space().tapDistance();
  job.steps = steps_.data();
  job.total = total_;
  job.members = members_;
  job.bins = bins_;
  job.outputs = tile.size[0];
  job.counts = counts;
  job.out = numbers;
  const ArrayView& to = run.outputs[output_];
  for (std::int64_t z = 0; z < tile.size[2]; ++z)
    for (std::int64_t y = 0; y < tile.size[1]; ++y) {
      run.control.check();
      job.in = bins + z * l.plane + y * l.row;
      entropy_.entropies(job);
      StoreJob store = tiles_.space().storeJob(
          to, tile.component, {tile.begin[0], tile.begin[1] + y, tile.begin[2] + z}, {tile.size[0], 1, 1});
      store.tile = numbers;
      store.tileRow = tile.size[0];
      store.streaming = run.streaming;
      run.saturated[output_] += kernels_.f64.store[static_cast<std::size_t>(to.type)](store);
    }
}

template class EntropyStep<std::int8_t>;
template class EntropyStep<std::int16_t>;
template class EntropyStep<std::int32_t>;
template class EntropyStep<std::int64_t>;

}  // namespace sscope::cpu
