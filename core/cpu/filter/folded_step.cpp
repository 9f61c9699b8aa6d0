#include "core/cpu/filter/folded_step.h"

#include "core/base/arithmetic.h"

#include <algorithm>
#include <limits>

namespace sscope::cpu {

template <class T>
FoldedStep<T>::FoldedStep(const FilterWorkload& workload, std::size_t filter, const AxisOrder& order,
                          const PrecisionKernels<T>& kernels, const TileLimits& limits,
                          std::unique_ptr<ExactRounding> rounding)
    : space_(workload, order, workload.operators()[filter].size(), workload.operators()[filter].anchor(),
             Components::SideBySide),
      kernels_(kernels),
      output_(filter),
      rounding_(std::move(rounding)),
      size_(permuted(workload.operators()[filter].size(), order)),
      halves_(permuted(distinctTaps(workload.stencil(filter).dense), order)) {
  // Groups of about the same size.
  group_ = divideUp(halves_[1], divideUp(halves_[1], kernels_.foldedRows));
  static_cast<void>(FoldedStep::takeWeights(workload));
  tile_ = chooseTile(limits);
  for (std::size_t a = 0; a < 3; ++a) count_[a] = divideUp(space_.extent()[a], tile_[a]);
}

template <class T>
bool FoldedStep<T>::takeWeights(const FilterWorkload& workload) {
  const DenseTaps taps = permuted(workload.stencil(output_).dense, space_.order());
  weights_.clear();
  for (std::int64_t first = 0; first < halves_[1]; first += group_)
    for (std::int64_t z = 0; z < halves_[2]; ++z)
      for (std::int64_t x = 0; x < halves_[0]; ++x)
        for (std::int64_t y = first; y < std::min(first + group_, halves_[1]); ++y)
          weights_.push_back(static_cast<T>(taps.at(x, y, z) / kFoldedScale));
  if (rounding_) rounding_->takeWeights(workload);
  return true;
}

template <class T>
std::int64_t FoldedStep<T>::Layout::bytes() const {
  return ScratchCarver::paddedBytes<T>(packed) + ScratchCarver::paddedBytes<T>(folded) +
         ScratchCarver::paddedBytes<T>(result) + ScratchCarver::paddedBytes<T>(sums);
}

template <class T>
typename FoldedStep<T>::Layout FoldedStep<T>::layout(const Extent& tile) const {
  const std::int64_t width = divideUp(tile[0], kernels_.lanes) * kernels_.lanes;
  Layout l;
  l.row = rowStride<T>(width + space_.hull()[0] - 1);
  l.plane = l.row * (tile[1] + space_.hull()[1] - 1);
  l.packed = l.plane * (tile[2] + space_.hull()[2] - 1);
  l.folded = l.plane * halves_[2];
  l.outRow = rowStride<T>(width);
  l.result = l.outRow * tile[1];
  l.sums = size_[1] * kFoldedBytes / static_cast<std::int64_t>(sizeof(T));
  return l;
}

// In rough units of one multiply-add: rows of sums, the rows at a tile's ends that serve fewer outputs, folding, and
// packing with the halo.
template <class T>
double FoldedStep<T>::cost(const Extent& tile, const TileLimits& limits) const {
  const Layout l = layout(tile);
  const auto& extent = space_.extent();
  std::int64_t tiles = space_.components();
  for (std::size_t a = 0; a < 3; ++a) tiles *= divideUp(extent[a], tile[a]);
  const std::int64_t block = std::min(kernels_.lanes * 4, divideUp(tile[0], kernels_.lanes) * kernels_.lanes);
  const auto width = static_cast<double>(divideUp(tile[0], block) * block);
  const double rows = static_cast<double>(tile[1]) + 0.7 * static_cast<double>(size_[1] - 1);
  const double perRow = static_cast<double>(weights_.size()) + 3 * static_cast<double>(size_[1]);
  const double arithmetic = width * rows * static_cast<double>(tile[2]) * perRow;
  const double folding = 4 * static_cast<double>(l.folded * tile[2]);
  const auto packedRows = static_cast<double>(l.packed / l.row);
  const double packing =
      4 * static_cast<double>(l.packed) + 4000 * packedRows;  // each row starts with a slow access to memory
  const auto bytes = static_cast<double>(l.bytes());
  double sum = (arithmetic + folding + packing) * static_cast<double>(divideUp(tiles, limits.threads));
  const auto preferred = static_cast<double>(limits.cacheBytes);
  if (bytes > preferred) sum *= 1 + 0.05 * bytes / preferred;
  if (bytes > static_cast<double>(limits.largestBytes)) sum *= 1e6 * bytes;
  return sum;
}

template <class T>
typename FoldedStep<T>::Extent FoldedStep<T>::chooseTile(const TileLimits& limits) const {
  const auto& extent = space_.extent();
  Extent best{};
  double bestCost = std::numeric_limits<double>::infinity();
  for (const std::int64_t x : {32, 64, 128, 256, 512, 1024, 2048})
    for (const std::int64_t y : {5, 10, 20, 40, 80, 160})
      for (const std::int64_t z : {1, 2, 4, 8, 16, 32}) {
        const Extent tile{std::min(x, extent[0]), std::min(y, extent[1]), std::min(z, extent[2])};
        if (const double now = cost(tile, limits); now < bestCost) {
          bestCost = now;
          best = tile;
        }
      }
  return best;
}

template <class T>
std::int64_t FoldedStep<T>::tiles() const {
  return count_[0] * count_[1] * count_[2] * space_.components();
}

template <class T>
std::int64_t FoldedStep<T>::scratchBytes() const {
  return layout(tile_).bytes();
}

template <class T>
double FoldedStep<T>::work() const {
  const auto& n = space_.extent();
  return static_cast<double>(weights_.size()) * static_cast<double>(n[0] * n[1] * n[2] * space_.components());
}

template <class T>
std::string FoldedStep<T>::description() const {
  return "folded from " + std::to_string(size_[0] * size_[1] * size_[2]) + " to " + std::to_string(weights_.size()) +
         " taps, in tiles of " + std::to_string(tile_[0]) + "x" + std::to_string(tile_[1]) + "x" +
         std::to_string(tile_[2]);
}

template <class T>
typename FoldedStep<T>::Place FoldedStep<T>::place(std::int64_t tile) const {
  Place at;
  for (std::size_t a = 0; a < 3; ++a) {
    at.begin[a] = tile % count_[a] * tile_[a];
    tile /= count_[a];
  }
  at.component = tile;
  return at;
}

// The planes that one output plane reads; those with equal taps are added.
template <class T>
void FoldedStep<T>::foldAt(const T* packed, T* folded, const Layout& l) const {
  const std::int64_t last = size_[2] - 1;
  for (std::int64_t k = 0; k < halves_[2]; ++k) {
    const bool pair = halves_[2] < size_[2] && last - k != k;
    kernels_.foldPlanes(packed + k * l.plane, pair ? packed + (last - k) * l.plane : nullptr, folded + k * l.plane,
                        l.plane / kernels_.lanes);
  }
}

// In pieces of a few milliseconds each even without vectors.
template <class T>
void FoldedStep<T>::sumPlane(FoldedSum<T> job, const Control& control) const {
  constexpr std::int64_t kPiece = 4'000'000, kVectors = 4;
  const std::int64_t perVector = (job.rows + job.ky) * static_cast<std::int64_t>(weights_.size());
  const std::int64_t step = std::max(kPiece / perVector / kVectors * kVectors, kVectors), vectors = job.vectors;
  for (std::int64_t vector = 0; vector < vectors; vector += step) {
    control.check();
    job.vectors = std::min(step, vectors - vector);
    kernels_.sumFolded(job);
    job.in += step * kernels_.lanes;
    job.out += step * kernels_.lanes;
    if (job.prefetch != nullptr) job.prefetch += step * kernels_.lanes * job.prefetchElement;
  }
}

template <class T>
void FoldedStep<T>::runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const {
  const Place at = place(tile), next = place(std::min(tile + 1, tiles() - 1));
  Extent size{}, packed{};
  for (std::size_t a = 0; a < 3; ++a) {
    size[a] = std::min(tile_[a], space_.extent()[a] - at.begin[a]);
    packed[a] = size[a] + space_.hull()[a] - 1;
  }
  const Layout l = layout(size);
  ScratchCarver carver(scratch);
  T* const input = carver.take<T>(l.packed);
  T* const folded = carver.take<T>(l.folded);
  T* const result = carver.take<T>(l.result);

  PackJob pack = space_.packJob(run.input, at.component, at.begin, packed);
  pack.tile = input;
  pack.tileRow = l.row;
  pack.tilePlane = l.plane;
  kernels_.pack[static_cast<std::size_t>(run.input.type)](pack);

  FoldedSum<T> job;
  job.in = folded;
  job.inRow = l.row;
  job.inPlane = l.plane;
  job.planes = halves_[2];
  job.out = result;
  job.outRow = l.outRow;
  job.rows = size[1];
  job.vectors = divideUp(size[0], kernels_.lanes);
  job.kx = size_[0];
  job.ky = size_[1];
  job.tapDistance = space_.tapDistance();
  job.mirroredX = halves_[0] < size_[0];
  job.distinct = halves_[1];
  job.group = group_;
  job.taps = weights_.data();
  job.sums = carver.take<T>(l.sums);
  job.prefetchElement = static_cast<std::int64_t>(bytesOf(run.input.type));
  job.prefetchRow = run.input.stride[space_.order()[1]] * job.prefetchElement;
  const ArrayView& output = run.outputs[output_];
  for (std::int64_t z = 0; z < size[2]; ++z) {
    run.control.check();
    foldAt(input + z * l.plane, folded, l);
    job.prefetch = space_.source(run.input, next.component, {next.begin[0], next.begin[1], next.begin[2] + z});
    sumPlane(job, run.control);
    StoreJob store =
        space_.storeJob(output, at.component, {at.begin[0], at.begin[1], at.begin[2] + z}, {size[0], size[1], 1});
    store.tile = result;
    store.tileRow = l.outRow;
    store.streaming = run.streaming;
    run.saturated[output_] +=
        rounding_ ? rounding_->store(store, space_, at.component, {at.begin[0], at.begin[1], at.begin[2] + z}, {}, run)
                  : kernels_.store[static_cast<std::size_t>(output.type)](store);
  }
}

template class FoldedStep<float>;
template class FoldedStep<double>;

}  // namespace sscope::cpu
