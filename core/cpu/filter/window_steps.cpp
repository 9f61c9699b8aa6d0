#include "core/cpu/filter/window_steps.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace sscope::cpu {

namespace {

// Vector operations for one vector of outputs, roughly: they only weigh tiles against each other.
double operationsOf(MethodKind method, double members, double bits) {
  switch (method) {
    case MethodKind::Merging: return 4 * members;
    case MethodKind::Selection: return 0.75 * members * members / 4;
    case MethodKind::Histogram: return 3000;
    default: return 3 * members * bits;
  }
}

}  // namespace

template <class Key>
RankStep<Key>::RankStep(const FilterWorkload& workload, std::size_t filter, MethodKind method, const AxisOrder& order,
                        const KernelTable& kernels, const TileLimits& limits)
    : output_(filter),
      method_(method),
      size_(permuted(workload.operators()[filter].size(), order)),
      rank_(workload.operators()[filter].window()->rank),
      tiles_(workload, filter, false, order, kernels) {
  for (const auto& member : workload.operators()[filter].window()->members) {
    auto& at = members_.emplace_back(permuted(member, order));
    at[0] *= tiles_.space().tapDistance();
  }
  if (size_[1] == 1 && method == MethodKind::Merging)
    method_ = MethodKind::Selection;  // an image along whose rows nothing is merged
  tiles_.choose(limits, operationsOf(method_, static_cast<double>(members_.size()), 8 * sizeof(Key)), 1);
}

template <class Key>
std::int64_t RankStep<Key>::scratchBytes() const {
  const Layout l = tiles_.largest();
  return ScratchCarver::paddedBytes<Key>(l.packed) +
         ScratchCarver::paddedBytes<Key>(method_ == MethodKind::Histogram ? l.outPacked : l.outPlane) +
         ScratchCarver::paddedBytes<std::uint16_t>(countsHeld()) + ScratchCarver::paddedBytes<Key>(l.outRow) +
         ScratchCarver::paddedBytes<std::int64_t>(static_cast<std::int64_t>(members_.size())) + tiles_.numberBytes();
}

template <class Key>
std::int64_t RankStep<Key>::countsHeld() const {
  return method_ == MethodKind::Histogram ? histogramCounts(size_[0], tiles_.space().tapDistance()) : 0;
}

template <class Key>
std::string RankStep<Key>::description() const {
  return std::string(toString(method_)) + " of " + tiles_.tileText();
}

template <class Key>
void RankStep<Key>::merge(const Tile& tile, const Layout& layout, const Key* in, Key* out) const {
  MergeJob<Key> job;
  job.in = in;
  job.row = layout.row;
  job.plane = layout.plane;
  job.tapDistance = tiles_.space().tapDistance();
  job.outputs = layout.width;
  job.rows = tile.size[1];
  job.out = out;
  job.outRow = layout.outRow;
  const RankKernels<Key>& kernels = tiles_.kernels();
  (members_.size() == 9 ? kernels.merge3x3 : members_.size() == 27 ? kernels.merge3x3x3 : kernels.merge5x5)(job);
}

template <class Key>
void RankStep<Key>::histogram(const Tile& tile, const Layout& layout, const Key* in, Key* out, std::uint16_t* counts,
                              const TileRun& run) const {
  if constexpr (sizeof(Key) == 1) {
    HistogramJob job;
    job.in = in;
    job.row = layout.row;
    job.plane = layout.plane;
    job.tapDistance = tiles_.space().tapDistance();
    job.size = size_;
    job.rank = rank_;
    job.outputs = tile.size[0];
    job.rows = tile.size[1];
    job.planes = tile.size[2];
    job.out = out;
    job.outRow = layout.outRow;
    job.outPlane = layout.outPlane;
    job.counts = counts;
    job.control = &run.control;
    tiles_.kernels().histogram(job);
  }
}

// Rows of many wide windows take long: they are searched in pieces, of some milliseconds each.
template <class Key>
void RankStep<Key>::search(const Tile& tile, RankJob<Key> job, const Layout& layout, const Key* in, Key* out,
                           const TileRun& run) const {
  constexpr double kMostOperations = 4e6;
  const RankKernels<Key>& kernels = tiles_.kernels();
  const double operations = operationsOf(method_, static_cast<double>(members_.size()), 8 * sizeof(Key));
  const auto vectors = static_cast<std::int64_t>(std::clamp(kMostOperations / operations, 1.0, 1e6));
  for (std::int64_t y = 0; y < tile.size[1]; ++y)
    for (std::int64_t x = 0; x < layout.width; x += job.outputs) {
      run.control.check();
      job.outputs = std::min(vectors * kernels.lanes, layout.width - x);
      job.in = in + y * layout.row + x;
      job.out = out + y * layout.outRow + x;
      (method_ == MethodKind::Selection ? kernels.select : kernels.bisect)(job);
    }
}

template <class Key>
void RankStep<Key>::spreadNaN(const Tile& tile, RankJob<Key> job, const Layout& layout, const Key* in, Key* out,
                              Key* row, const TileRun& run) const {
  constexpr Key kNaN = std::numeric_limits<Key>::max();
  job.outputs = layout.width;
  job.out = row;
  for (std::int64_t y = 0; y < tile.size[1]; ++y) {
    run.control.check();
    std::fill_n(row, layout.width, std::numeric_limits<Key>::min());
    job.in = in + y * layout.row;
    tiles_.kernels().largestOf(job);
    Key* found = out + y * layout.outRow;
    for (std::int64_t x = 0; x < layout.width; ++x) found[x] = row[x] == kNaN ? kNaN : found[x];
  }
}

template <class Key>
void RankStep<Key>::runTile(std::int64_t number, const Scratch& scratch, const TileRun& run) const {
  const Tile tile = tiles_.at(number);
  const Layout l = tiles_.layout(tile.size);
  ScratchCarver carver(scratch);
  Key* keys = carver.take<Key>(l.packed);
  const bool whole = method_ == MethodKind::Histogram;
  Key* found = carver.take<Key>(whole ? l.outPacked : l.outPlane);
  Key* row = carver.take<Key>(l.outRow);
  auto* offset = carver.take<std::int64_t>(static_cast<std::int64_t>(members_.size()));
  auto* numbers = carver.take<double>(l.width);
  for (std::size_t m = 0; m < members_.size(); ++m)
    offset[m] = members_[m][2] * l.plane + members_[m][1] * l.row + members_[m][0];
  auto* counts = carver.take<std::uint16_t>(countsHeld());
  const bool unordered = tiles_.pack(tile, l, run.input, keys);
  RankJob<Key> job;
  job.offset = offset;
  job.count = static_cast<std::int64_t>(members_.size());
  job.rank = rank_;
  if (whole) histogram(tile, l, keys, found, counts, run);
  for (std::int64_t z = 0; z < tile.size[2]; ++z) {
    run.control.check();
    const Key* in = keys + z * l.plane;
    if (whole) {
      if (z > 0) found += l.outPlane;
    } else if (method_ == MethodKind::Merging) {
      merge(tile, l, in, found);
    } else {
      search(tile, job, l, in, found, run);
    }
    if (unordered) spreadNaN(tile, job, l, in, found, row, run);
    for (std::int64_t y = 0; y < tile.size[1]; ++y)
      tiles_.store(tile, y, z, found + y * l.outRow, numbers, run, output_);
  }
}

template class RankStep<std::int8_t>;
template class RankStep<std::int16_t>;
template class RankStep<std::int32_t>;
template class RankStep<std::int64_t>;

template <class Key>
LinesStep<Key>::LinesStep(const FilterWorkload& workload, std::size_t filter, const AxisOrder& order,
                          const KernelTable& kernels, const TileLimits& limits)
    : output_(filter),
      tiles_(workload, filter, workload.operators()[filter].window()->rank == 0, order, kernels),
      size_(permuted(workload.operators()[filter].size(), order)) {
  const RankWindow& window = *workload.operators()[filter].window();
  if (window.box()) {
    operations_ = 12;
  } else {
    RankWindow turned;
    turned.members.clear();
    for (const auto& member : window.members) turned.members.push_back(permuted(member, order));
    for (auto& [length, begins] : turned.linesByLength()) {
      for (auto& begin : begins) begin[0] *= tiles_.space().tapDistance();
      operations_ += static_cast<double>(begins.size());
      mostBegins_ = std::max(mostBegins_, static_cast<std::int64_t>(begins.size()));
      lines_.push_back({length, std::move(begins)});
    }
  }
  tiles_.choose(limits, operations_, lines_.empty() ? 1 : 2);
}

template <class Key>
std::int64_t LinesStep<Key>::scratchBytes() const {
  const Layout l = tiles_.largest();
  std::int64_t bytes = ScratchCarver::paddedBytes<Key>(l.packed + slack()) + tiles_.numberBytes();
  if (!lines_.empty())
    bytes += ScratchCarver::paddedBytes<Key>(l.packed + slack()) + ScratchCarver::paddedBytes<Key>(l.outPacked) +
             ScratchCarver::paddedBytes<std::int64_t>(mostBegins_);
  return bytes;
}

template <class Key>
std::string LinesStep<Key>::description() const {
  return "lines of " + tiles_.tileText();
}

template <class Key>
void LinesStep<Key>::alongX(const Tile& tile, const Layout& layout, std::int64_t length, const Key* from, Key* to,
                            const TileRun& run) const {
  const auto& hull = tiles_.space().hull();
  const std::int64_t lanes = tiles_.kernels().lanes;
  const std::int64_t count = (layout.width + hull[0] - 1 + lanes - 1) / lanes * lanes;
  for (std::int64_t z = 0; z < tile.size[2] + hull[2] - 1; ++z) {
    run.control.check();
    for (std::int64_t y = 0; y < tile.size[1] + hull[1] - 1; ++y) {
      const std::int64_t row = z * layout.plane + y * layout.row;
      tiles_.kernels().largestAlongX(from + row, to + row, count, length, tiles_.space().tapDistance());
    }
  }
}

template <class Key>
void LinesStep<Key>::passes(const Tile& tile, const Layout& layout, Key* keys, const TileRun& run) const {
  const RankKernels<Key>& kernels = tiles_.kernels();
  if (size_[0] > 1) alongX(tile, layout, size_[0], keys, keys, run);
  RowsJob<Key> job;
  job.outputs = layout.width;
  if (size_[1] > 1)
    for (std::int64_t z = 0; z < tile.size[2] + size_[2] - 1; ++z) {
      run.control.check();
      job.rows = keys + z * layout.plane;
      job.stride = layout.row;
      job.count = tile.size[1];
      job.values = size_[1];
      kernels.largestOfRows(job);
    }
  if (size_[2] > 1)
    for (std::int64_t y = 0; y < tile.size[1]; ++y) {
      run.control.check();
      job.rows = keys + y * layout.row;
      job.stride = layout.plane;
      job.count = tile.size[2];
      job.values = size_[2];
      kernels.largestOfRows(job);
    }
}

template <class Key>
void LinesStep<Key>::add(const Tile& tile, const Layout& layout, const Lines& lines, const Key* in, Key* out,
                         std::int64_t* offset, const TileRun& run) const {
  for (std::size_t i = 0; i < lines.begins.size(); ++i) {
    const auto& [x, y, z] = lines.begins[i];
    offset[i] = z * layout.plane + y * layout.row + x;
  }
  RankJob<Key> job;
  job.offset = offset;
  job.count = static_cast<std::int64_t>(lines.begins.size());
  job.outputs = layout.width;
  for (std::int64_t z = 0; z < tile.size[2]; ++z)
    for (std::int64_t y = 0; y < tile.size[1]; ++y) {
      run.control.check();
      job.in = in + z * layout.plane + y * layout.row;
      job.out = out + z * layout.outPlane + y * layout.outRow;
      tiles_.kernels().largestOf(job);
    }
}

template <class Key>
void LinesStep<Key>::runTile(std::int64_t number, const Scratch& scratch, const TileRun& run) const {
  const Tile tile = tiles_.at(number);
  const Layout l = tiles_.layout(tile.size);
  ScratchCarver carver(scratch);
  Key* keys = carver.take<Key>(l.packed + slack());
  auto* numbers = carver.take<double>(l.width);
  tiles_.pack(tile, l, run.input, keys);
  Key* found = keys;
  std::int64_t row = l.row, plane = l.plane;
  if (lines_.empty()) {
    passes(tile, l, keys, run);
  } else {
    Key* along = carver.take<Key>(l.packed + slack());
    found = carver.take<Key>(l.outPacked);
    auto* offset = carver.take<std::int64_t>(mostBegins_);
    std::fill_n(found, l.outPacked, std::numeric_limits<Key>::min());
    for (const Lines& lines : lines_) {
      if (lines.length > 1) alongX(tile, l, lines.length, keys, along, run);
      add(tile, l, lines, lines.length > 1 ? along : keys, found, offset, run);
    }
    row = l.outRow, plane = l.outPlane;
  }
  for (std::int64_t z = 0; z < tile.size[2]; ++z)
    for (std::int64_t y = 0; y < tile.size[1]; ++y)
      tiles_.store(tile, y, z, found + z * plane + y * row, numbers, run, output_);
}

template class LinesStep<std::int8_t>;
template class LinesStep<std::int16_t>;
template class LinesStep<std::int32_t>;
template class LinesStep<std::int64_t>;

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
