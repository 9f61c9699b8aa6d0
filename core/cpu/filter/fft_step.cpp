#include "core/cpu/filter/fft_step.h"

#include <algorithm>
#include <cmath>

#include "core/base/arithmetic.h"
#include "core/cpu/filter/fft_spectrum.h"
#include "core/filter/method/method_choice.h"

namespace sscope::cpu {

namespace {

constexpr std::int64_t roundUp(std::int64_t a, std::int64_t b) { return divideUp(a, b) * b; }

// Judging a pair takes a fourth of the time of transforming it.
constexpr std::int64_t kPairsOfLook = 8, kFewestLooks = 4, kMostLooks = 64;
// How much longer a tile takes when it is summed here and not by the step that sums: it exceeds the second-level cache,
// has incomplete vectors, and its taps are not folded.
constexpr double kSumSlower = 1.8;

template <class T>
std::vector<typename FftStep<T>::Sums> one(typename FftStep<T>::Sums sums) {
  std::vector<typename FftStep<T>::Sums> all;
  all.push_back(std::move(sums));
  return all;
}

}  // namespace

// The packed halves of a pair and their requested outputs.
template <class T>
struct FftStep<T>::Extents {
  std::array<std::int64_t, 3> packed{}, size{};
};

template <class T>
FftStep<T>::FftStep(const FilterWorkload& workload, std::size_t filter, const AxisOrder& order,
                    const PrecisionKernels<T>& kernels, Sums sums)
    : FftStep(workload, std::vector<std::size_t>{filter}, order, kernels, one<T>(std::move(sums))) {}

template <class T>
FftStep<T>::FftStep(const FilterWorkload& workload, const std::vector<std::size_t>& filters, const AxisOrder& order,
                    const PrecisionKernels<T>& kernels, std::vector<Sums> sums)
    : space_(workload, order, workload.operators()[filters[0]].size(), workload.operators()[filters[0]].anchor()),
      kernels_(kernels),
      transforms_(fftKernels(kernels.level).template of<T>()) {
  const auto& hull = space_.hull();
  const auto& extent = space_.extent();
  correlator_ = Correlator<T>(kernels_, hull[0], hull[1], hull[2]);
  const auto planned = permuted(workload.planned(), order);
  tile_ = fftTile(hull, {planned[0], planned[1], planned[2], space_.components()});
  slowest_ = static_cast<std::size_t>(std::ranges::find(order, slowestAxis(workload.input().extent)) - order.begin());
  for (std::size_t a = 0; a < 3; ++a) {
    count_[a] = divideUp(extent[a], tile_.outputs[a]);
    axis_[a] = FftAxis<T>::of(tile_.length[a]);
  }
  // Sums are computed for whole vectors and read as many elements beyond the last taps.
  row_ = rowStride<T>(tile_.length[0] + kernels_.lanes);
  plane_ = rowStride<T>(tile_.length[1] * row_);
  for (std::size_t i = 0; i < filters.size(); ++i) {
    Filter& filter = *filters_.emplace_back(std::make_unique<Filter>());
    filter.output = filters[i];
    filter.name = workload.operators()[filters[i]].name;
    filter.sums = std::move(sums[i]);
  }
  static_cast<void>(FftStep::takeWeights(workload));
}

template <class T>
bool FftStep<T>::takeWeights(const FilterWorkload& workload) {
  bool sums = true;
  std::int64_t cells = 0;
  for (const auto& filter : filters_) {
    const DenseTaps taps = permuted(workload.stencil(filter->output).expanded(), space_.order());
    filter->weights.clear();
    for (std::int64_t z = 0; z < taps.size[2]; ++z)
      for (std::int64_t x = 0; x < taps.size[0]; ++x)
        for (std::int64_t y = 0; y < taps.size[1]; ++y) filter->weights.push_back(static_cast<T>(taps.at(x, y, z)));
    filter->spectrum = fftSpectrum<T>(taps, tile_.length, kernels_.level);
    filter->range = FftRange<T>(taps, tile_.points());
    cells = std::max(cells, filter->range.scratchElements(tile_.length));
    sums = filter->sums.step->takeWeights(workload) && sums;
  }
  if (cells_ == 0) cells_ = cells;
  return sums && cells <= cells_;  // the scratch has no room for more
}

template <class T>
void FftStep<T>::begin() {
  for (const auto& filter : filters_) filter->probed = filter->found = filter->summed = 0;
}

template <class T>
std::int64_t FftStep<T>::probes() const {
  return std::clamp(pairs() / kPairsOfLook, std::min(kFewestLooks, pairs()), kMostLooks);
}

// Places by the golden ratio: evenly spread, whatever the number of tiles in a row.
template <class T>
void FftStep<T>::probe(std::int64_t place, const Scratch& scratch, const TileRun& run) {
  constexpr double kGolden = 0.6180339887498949;
  const double share = kGolden * static_cast<double>(place);
  const auto at = static_cast<std::int64_t>((share - std::floor(share)) * static_cast<double>(pairs()));
  const Memory own = memory(scratch);
  const Pair pair = load(at, own, run);
  std::array<std::vector<typename FftRange<T>::Found>, 2> found;
  for (const auto& filter : filters_) {
    run.control.check();
    for (const Way way : judge(filter->range, pair, own, found).way) {
      filter->probed += way == Way::Nothing ? 0 : 1;
      filter->found += way == Way::Sums ? 1 : 0;
    }
  }
}

template <class T>
double FftStep<T>::eachMultiplyAdds() const {
  const auto filters = static_cast<double>(filters_.size());
  return tile_.multiplyAdds - tile_.sharedMultiplyAdds * (1 - 1 / filters);
}

template <class T>
void FftStep<T>::decide() {
  const auto& extent = space_.extent();
  const auto outputs =
      static_cast<double>(extent[0] * extent[1]) * static_cast<double>(extent[2] * space_.components());
  for (const auto& filter : filters_) {
    const auto found = static_cast<double>(filter->found.load()), probed = static_cast<double>(filter->probed.load());
    const double share = probed > 0 ? found / probed : 0;
    const double all = kSumSlower * static_cast<double>(filter->weights.size()) * outputs;
    filter->summing = share * all + (1 - share) * eachMultiplyAdds() > filter->sums.multiplyAdds && share > 0;
  }
}

template <class T>
void FftStep<T>::addTo(RunReport& report) const {
  for (const auto& filter : filters_)
    reportSummedTiles(report, filter->name, filter->summing ? places() : filter->summed.load(), places());
}

template <class T>
std::int64_t FftStep<T>::tiles() const {
  std::int64_t tiles = 0, transforming = 0;
  for (const auto& filter : filters_) filter->summing ? tiles += filter->sums.step->tiles() : transforming = pairs();
  return transforming + tiles;
}

template <class T>
typename FftStep<T>::Memory FftStep<T>::memory(const Scratch& scratch) const {
  ScratchCarver carver(scratch);
  Memory memory;
  for (T*& numbers : memory.numbers) numbers = carver.take<T>(plane_ * tile_.length[2]);
  memory.work = carver.take<T>(2 * tile_.length[0] * transforms_.lanes);
  memory.strip = carver.take<T>(row_ * kStrip);
  memory.cells = carver.take<T>(cells_);
  if (filters_.size() > 1) memory.transformed = carver.take<T>(2 * tile_.points());
  return memory;
}

template <class T>
std::int64_t FftStep<T>::scratchBytes() const {
  std::int64_t bytes = 2 * ScratchCarver::paddedBytes<T>(plane_ * tile_.length[2]) +
                       ScratchCarver::paddedBytes<T>(2 * tile_.length[0] * transforms_.lanes) +
                       ScratchCarver::paddedBytes<T>(row_ * kStrip) + ScratchCarver::paddedBytes<T>(cells_);
  if (filters_.size() > 1) bytes += ScratchCarver::paddedBytes<T>(2 * tile_.points());
  for (const auto& filter : filters_) bytes = std::max(bytes, filter->sums.step->scratchBytes());
  return bytes;
}

template <class T>
std::string FftStep<T>::description() const {
  const auto& n = tile_.length;
  return "Fourier transforms of " + std::to_string(n[0]) + "x" + std::to_string(n[1]) + "x" + std::to_string(n[2]) +
         ", two tiles in each" +
         (filters_.size() > 1 ? ", one forward for " + std::to_string(filters_.size()) + " filters" : "");
}

template <class T>
typename FftStep<T>::Place FftStep<T>::place(std::int64_t tile) const {
  Place at;
  const auto put = [&](std::size_t a, std::int64_t number) {
    at.begin[a] = number * tile_.outputs[a];
    at.size[a] = std::min(tile_.outputs[a], space_.extent()[a] - at.begin[a]);
  };
  for (std::size_t a = 0; a < 3; ++a) {
    if (a == slowest_) continue;
    put(a, tile % count_[a]);
    tile /= count_[a];
  }
  at.component = tile % space_.components();
  put(slowest_, tile / space_.components());
  return at;
}

// Packs a tile with its halo, padded with zeros.
template <class T>
typename FftStep<T>::Half FftStep<T>::load(std::int64_t tile, T* numbers, const TileRun& run) const {
  Half half;
  half.part = {numbers, {}, row_, plane_};
  if (tile >= places()) {
    std::fill_n(numbers, plane_ * tile_.length[2], T{0});
    return half;
  }
  half.packed = true;
  half.at = place(tile);
  for (std::size_t a = 0; a < 3; ++a) half.part.size[a] = half.at.size[a] + space_.hull()[a] - 1;
  PackJob pack = space_.packJob(run.input, half.at.component, half.at.begin, half.part.size);
  pack.tile = numbers;
  pack.tileRow = row_;
  pack.tilePlane = plane_;
  kernels_.pack[static_cast<std::size_t>(run.input.type)](pack);
  for (std::int64_t z = 0; z < half.part.size[2]; ++z)
    std::fill(numbers + z * plane_ + half.part.size[1] * row_, numbers + (z + 1) * plane_, T{0});
  std::fill(numbers + half.part.size[2] * plane_, numbers + tile_.length[2] * plane_, T{0});
  half.magnitudes = filters_[0]->range.magnitudes(half.part, transforms_);
  return half;
}

template <class T>
typename FftStep<T>::Pair FftStep<T>::load(std::int64_t pair, const Memory& memory, const TileRun& run) const {
  return {load(2 * pair, memory.numbers[0], run), load(2 * pair + 1, memory.numbers[1], run)};
}

// Whether the tiles can be transformed together. Tiles of different magnitude are scaled to the same, since errors are
// relative to the sum of both.
template <class T>
typename FftStep<T>::Verdict FftStep<T>::judge(const FftRange<T>& range, const Pair& pair, const Memory& memory,
                                               std::array<std::vector<typename FftRange<T>::Found>, 2>& found) const {
  Verdict verdict;
  Magnitudes joint;
  for (std::size_t h = 0; h < 2; ++h) {
    const Magnitudes& own = pair[h].magnitudes;
    if (!pair[h].packed) continue;
    verdict.way[h] = own.zero() && range.finite() ? Way::Zeros : range.moderate(own) ? Way::Transforms : Way::Sums;
    if (verdict.way[h] != Way::Transforms) continue;
    if (joint.rms > 0) {
      const double ratio = joint.rms / own.rms;
      if (ratio > 4 || ratio < 0.25) verdict.factor[h] = std::exp2(std::round(std::log2(ratio)));
    }
    joint.rms = std::max(joint.rms, verdict.factor[h] * own.rms);
    joint.largest = std::max(joint.largest, verdict.factor[h] * own.largest);
  }
  for (std::size_t h = 0; h < 2; ++h) {
    if (verdict.way[h] != Way::Transforms) continue;
    const Magnitudes scaled{joint.largest / verdict.factor[h], joint.rms / verdict.factor[h]};
    if (!range.allows(pair[h].part, scaled, transforms_, memory.cells, found[h])) verdict.way[h] = Way::Sums;
  }
  return verdict;
}

template <class T>
std::vector<typename FftStep<T>::Judged> FftStep<T>::judge(const Pair& pair, const Memory& memory) const {
  std::vector<Judged> judged;
  std::array<std::vector<typename FftRange<T>::Found>, 2> found;
  for (const auto& filter : filters_)
    if (!filter->summing) judged.push_back({filter.get(), judge(filter->range, pair, memory, found)});
  return judged;
}

template <class T>
void FftStep<T>::runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const {
  for (const auto& filter : filters_) {
    if (!filter->summing) continue;
    const std::int64_t own = filter->sums.step->tiles();
    if (tile < own) return filter->sums.step->runTile(tile, scratch, run);
    tile -= own;
  }
  runPair(tile, memory(scratch), run);
}

// Filters with the same verdict for a pair share its transform; for others it is packed again.
template <class T>
void FftStep<T>::runPair(std::int64_t pair, const Memory& memory, const TileRun& run) const {
  Pair halves = load(pair, memory, run);
  std::vector<Judged> left = judge(halves, memory);
  while (!left.empty()) {
    const Verdict verdict = left.front().verdict;
    const auto others =
        std::stable_partition(left.begin(), left.end(), [&](const Judged& one) { return one.verdict == verdict; });
    runAlike(pair, halves, {left.begin(), others}, memory, run);
    left.erase(left.begin(), others);
    if (!left.empty()) halves = load(pair, memory, run);
  }
}

template <class T>
void FftStep<T>::runAlike(std::int64_t pair, const Pair& halves, std::span<const Judged> alike, const Memory& memory,
                          const TileRun& run) const {
  const Verdict& verdict = alike[0].verdict;
  Extents extents;
  for (std::size_t h = 0; h < 2; ++h) {
    const Half& half = halves[h];
    for (const Judged& one : alike) {
      if (verdict.way[h] == Way::Zeros) store(*one.filter, half, run);  // the loaded zeros are also the result
      if (verdict.way[h] != Way::Sums) continue;
      ++one.filter->summed;
      sum(*one.filter, half, memory, run);
    }
    if (verdict.way[h] == Way::Sums) std::fill_n(half.part.data, plane_ * tile_.length[2], T{0});
    if (verdict.way[h] == Way::Transforms) scale(half, half.part.size, verdict.factor[h]);
    for (std::size_t a = 0; a < 3; ++a) {
      extents.packed[a] = std::max(extents.packed[a], half.part.size[a]);
      extents.size[a] = std::max(extents.size[a], half.at.size[a]);
    }
  }
  if (!verdict.transforms()) return;
  transform(pair, extents, alike, memory, run);
  for (const Judged& one : alike) finish(one, halves, extents, memory, run, alike.size() > 1);
}

template <class T>
void FftStep<T>::sum(const Filter& filter, const Half& half, const Memory& memory, const TileRun& run) const {
  for (std::int64_t z = 0; z < half.at.size[2]; ++z)
    for (std::int64_t y = 0; y < half.at.size[1]; y += kStrip) {
      Correlation<T> job;
      job.in = half.part.data + z * plane_ + y * row_;
      job.inRow = row_;
      job.inPlane = plane_;
      job.out = memory.strip;
      job.outRow = row_;
      job.rows = std::min(kStrip, half.at.size[1] - y);
      job.vectors = divideUp(half.at.size[0], kernels_.lanes);
      job.taps = filter.weights.data();
      correlator_.run(job, run.control);
      const ArrayView& output = run.outputs[filter.output];
      StoreJob store =
          space_.storeJob(output, half.at.component, {half.at.begin[0], half.at.begin[1] + y, half.at.begin[2] + z},
                          {half.at.size[0], job.rows, 1});
      store.tile = memory.strip;
      store.tileRow = row_;
      store.streaming = run.streaming;
      run.saturated[filter.output] += kernels_.store[static_cast<std::size_t>(output.type)](store);
    }
}

template <class T>
void FftStep<T>::scale(const Half& half, const std::array<std::int64_t, 3>& size, double factor) const {
  if (factor == 1) return;
  for (std::int64_t z = 0; z < size[2]; ++z)
    for (std::int64_t y = 0; y < size[1]; ++y)
      transforms_.scale(half.part.data + z * plane_ + y * row_, static_cast<T>(factor), size[0]);
}

// Prefetches a part of the next pair's tiles: rows of a tile are too short for the hardware prefetcher.
template <class T>
void FftStep<T>::prefetch(std::int64_t pair, std::int64_t turn, std::int64_t turns, const TileRun& run) const {
  const auto element = static_cast<std::int64_t>(bytesOf(run.input.type));
  for (std::int64_t next = 2 * pair; next < std::min(2 * pair + 2, places()); ++next) {
    const Place at = place(next);
    const std::int64_t rows = at.size[1] * at.size[2];
    for (std::int64_t r = rows * turn / turns; r < rows * (turn + 1) / turns; ++r) {
      const std::byte* from = space_.source(run.input, at.component,
                                            {at.begin[0], at.begin[1] + r % at.size[1], at.begin[2] + r / at.size[1]});
      for (std::int64_t b = 0; from != nullptr && b < at.size[0] * element; b += 64) __builtin_prefetch(from + b, 0, 2);
    }
  }
}

// Along y in each plane, then along z and x in groups of rows, and back. Columns and planes that are empty, or have no
// outputs, are left out. Several filters each start the backward transform along x from the same forward one, in memory
// of their own.
template <class T>
void FftStep<T>::transform(std::int64_t pair, const Extents& extents, std::span<const Judged> alike,
                           const Memory& memory, const TileRun& run) const {
  T *re = memory.numbers[0], *im = memory.numbers[1];
  const std::int64_t lanes = transforms_.lanes;
  const std::int64_t loaded = roundUp(extents.packed[0], lanes);
  for (std::int64_t z = 0; z < extents.packed[2]; ++z) {
    run.control.check();
    transforms_.forward({re + z * plane_, im + z * plane_, row_, loaded, &axis_[1]});
  }
  const std::int64_t step = 2 * tile_.length[0] * lanes;
  const bool several = alike.size() > 1;
  std::int64_t at = 0;  // in the spectrum and in the transformed array
  for (std::int64_t group = 0; group < tile_.length[1]; group += lanes) {
    run.control.check();
    prefetch(pair + 1, group / lanes, tile_.length[1] / lanes, run);
    for (std::int64_t y = group; y < group + lanes; ++y)
      transforms_.forward({re + y * row_, im + y * row_, plane_, loaded, &axis_[2]});
    for (std::int64_t z = 0; z < tile_.length[2]; ++z, at += step) {
      const std::int64_t row = z * plane_ + group * row_;
      FftRows<T> rows{re + row, im + row, row_, &axis_[0]};
      rows.work = several ? memory.transformed + at : memory.work;
      if (!several) rows.spectrum = alike[0].filter->spectrum.data() + at;
      several ? transforms_.forwardRows(rows) : transforms_.filterRows(rows);
    }
    if (!several) inverseAlongZ(group, extents, memory);
  }
}

template <class T>
void FftStep<T>::inverseAlongZ(std::int64_t group, const Extents& extents, const Memory& memory) const {
  const std::int64_t lanes = transforms_.lanes, wanted = roundUp(extents.size[0], lanes);
  for (std::int64_t y = group; y < group + lanes; ++y)
    transforms_.inverse({memory.numbers[0] + y * row_, memory.numbers[1] + y * row_, plane_, wanted, &axis_[2]});
}

// The remaining backward stages.
template <class T>
void FftStep<T>::finish(const Judged& judged, const Pair& halves, const Extents& extents, const Memory& memory,
                        const TileRun& run, bool fromTransformed) const {
  T *re = memory.numbers[0], *im = memory.numbers[1];
  const std::int64_t lanes = transforms_.lanes, step = 2 * tile_.length[0] * lanes;
  std::int64_t at = 0;
  for (std::int64_t group = 0; fromTransformed && group < tile_.length[1]; group += lanes) {
    run.control.check();
    for (std::int64_t z = 0; z < tile_.length[2]; ++z, at += step) {
      const std::int64_t row = z * plane_ + group * row_;
      FftRows<T> rows{re + row, im + row, row_, &axis_[0], judged.filter->spectrum.data() + at, memory.work};
      rows.transformed = memory.transformed + at;
      transforms_.inverseRows(rows);
    }
    inverseAlongZ(group, extents, memory);
  }
  for (std::int64_t z = 0; z < extents.size[2]; ++z) {
    run.control.check();
    transforms_.inverse({re + z * plane_, im + z * plane_, row_, roundUp(extents.size[0], lanes), &axis_[1]});
  }
  for (std::size_t h = 0; h < 2; ++h) {
    if (judged.verdict.way[h] != Way::Transforms) continue;
    scale(halves[h], halves[h].at.size, 1 / judged.verdict.factor[h]);
    store(*judged.filter, halves[h], run);
  }
}

template <class T>
void FftStep<T>::store(const Filter& filter, const Half& half, const TileRun& run) const {
  const ArrayView& output = run.outputs[filter.output];
  StoreJob store = space_.storeJob(output, half.at.component, half.at.begin, half.at.size);
  store.tile = half.part.data;
  store.tileRow = row_;
  store.tilePlane = plane_;
  store.streaming = run.streaming;
  run.saturated[filter.output] += kernels_.store[static_cast<std::size_t>(output.type)](store);
}

template class FftStep<float>;
template class FftStep<double>;

}  // namespace sscope::cpu
