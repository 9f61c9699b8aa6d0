#include "core/cpu/filter/lines_step.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace sscope::cpu {

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

}  // namespace sscope::cpu
