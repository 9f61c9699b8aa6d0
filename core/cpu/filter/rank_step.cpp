#include "core/cpu/filter/rank_step.h"

#include <algorithm>
#include <limits>

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

}  // namespace sscope::cpu
