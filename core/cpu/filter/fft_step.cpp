#include "core/cpu/filter/fft_step.h"

#include <algorithm>
#include <cmath>

#include "core/cpu/filter/fft_spectrum.h"
#include "core/filter/method/method_choice.h"

namespace sscope::cpu {

namespace {

constexpr std::int64_t divideUp(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
constexpr std::int64_t roundUp(std::int64_t a, std::int64_t b) { return divideUp(a, b) * b; }

// Looking at a pair takes a fourth of transforming it.
constexpr std::int64_t kPairsOfLook = 8, kFewestLooks = 4, kMostLooks = 64;
// A tile that is summed here takes so many times what a tile of the step that sums takes: it leaves the second-level
// cache, is no whole number of vectors, and its taps are not folded.
constexpr double kSumSlower = 1.8;

}  // namespace

template <class T>
FftStep<T>::FftStep(const FilterWorkload& workload, std::size_t filter, const AxisOrder& order,
                    const PrecisionKernels<T>& kernels, Sums sums)
    : output_(filter),
      name_(workload.operators()[filter].name),
      space_(workload, order, workload.operators()[filter].size(), workload.operators()[filter].anchor()),
      kernels_(kernels),
      transforms_(fftKernels(kernels.level).template of<T>()),
      sums_(std::move(sums)) {
  const auto& hull = space_.hull();
  const auto& extent = space_.extent();
  correlator_ = Correlator<T>(kernels_, hull[0], hull[1], hull[2]);
  tile_ = fftTile(hull, {extent[0], extent[1], extent[2], space_.components()});
  for (std::size_t a = 0; a < 3; ++a) {
    count_[a] = divideUp(extent[a], tile_.outputs[a]);
    axis_[a] = FftAxis<T>::of(tile_.length[a]);
  }
  // Sums are computed for whole vectors, and read as much beyond the last taps.
  row_ = rowStride<T>(tile_.length[0] + kernels_.lanes);
  plane_ = rowStride<T>(tile_.length[1] * row_);
  static_cast<void>(FftStep::takeWeights(workload));
}

template <class T>
bool FftStep<T>::takeWeights(const FilterWorkload& workload) {
  const DenseTaps taps = permuted(workload.stencil(output_).expanded(), space_.order());
  weights_.clear();
  for (std::int64_t z = 0; z < taps.size[2]; ++z)
    for (std::int64_t x = 0; x < taps.size[0]; ++x)
      for (std::int64_t y = 0; y < taps.size[1]; ++y) weights_.push_back(static_cast<T>(taps.at(x, y, z)));
  spectrum_ = fftSpectrum<T>(taps, tile_.length, kernels_.level);
  range_ = FftRange<T>(taps, tile_.points());
  const std::int64_t cells = range_.scratchElements(tile_.length);
  if (cells_ == 0) cells_ = cells;
  const bool sums = sums_.step->takeWeights(workload);
  return sums && cells <= cells_;  // the scratch holds no more
}

template <class T>
std::int64_t FftStep<T>::looks() const {
  return std::clamp(pairs() / kPairsOfLook, std::min(kFewestLooks, pairs()), kMostLooks);
}

// Places by the golden ratio: evenly spread, whatever the number of tiles in a row.
template <class T>
void FftStep<T>::look(std::int64_t place, const Scratch& scratch, const TileRun& run) {
  constexpr double kGolden = 0.6180339887498949;
  const double share = kGolden * static_cast<double>(place);
  const auto tile = static_cast<std::int64_t>((share - std::floor(share)) * static_cast<double>(pairs()));
  for (const Half& half : judged(tile, memory(scratch), run)) {
    looked_ += half.way == Way::Nothing ? 0 : 1;
    found_ += half.way == Way::Sums ? 1 : 0;
  }
}

template <class T>
void FftStep<T>::decide() {
  const auto found = static_cast<double>(found_.load()), looked = static_cast<double>(looked_.load());
  const double share = looked > 0 ? found / looked : 0;
  const auto& extent = space_.extent();
  const auto outputs =
      static_cast<double>(extent[0] * extent[1]) * static_cast<double>(extent[2] * space_.components());
  const double all = kSumSlower * static_cast<double>(weights_.size()) * outputs;
  summing_ = share * all + (1 - share) * tile_.multiplyAdds > sums_.multiplyAdds && share > 0;
}

template <class T>
void FftStep<T>::tell(RunReport& report) const {
  reportSummedTiles(report, name_, summing_ ? places() : summed_.load(), places());
}

template <class T>
std::int64_t FftStep<T>::tiles() const {
  return summing_ ? sums_.step->tiles() : pairs();
}

template <class T>
typename FftStep<T>::Memory FftStep<T>::memory(const Scratch& scratch) const {
  ScratchCarver carver(scratch);
  Memory memory;
  for (T*& numbers : memory.numbers) numbers = carver.take<T>(plane_ * tile_.length[2]);
  memory.work = carver.take<T>(2 * tile_.length[0] * transforms_.lanes);
  memory.strip = carver.take<T>(row_ * kStrip);
  memory.cells = carver.take<T>(cells_);
  return memory;
}

template <class T>
std::int64_t FftStep<T>::scratchBytes() const {
  const std::int64_t own = 2 * ScratchCarver::paddedBytes<T>(plane_ * tile_.length[2]) +
                           ScratchCarver::paddedBytes<T>(2 * tile_.length[0] * transforms_.lanes) +
                           ScratchCarver::paddedBytes<T>(row_ * kStrip) + ScratchCarver::paddedBytes<T>(cells_);
  return std::max(own, sums_.step->scratchBytes());
}

template <class T>
std::string FftStep<T>::description() const {
  const auto& n = tile_.length;
  return "Fourier transforms of " + std::to_string(n[0]) + "x" + std::to_string(n[1]) + "x" + std::to_string(n[2]) +
         ", two tiles in each";
}

template <class T>
typename FftStep<T>::Place FftStep<T>::place(std::int64_t tile) const {
  Place at;
  for (std::size_t a = 0; a < 3; ++a) {
    at.begin[a] = tile % count_[a] * tile_.outputs[a];
    at.size[a] = std::min(tile_.outputs[a], space_.extent()[a] - at.begin[a]);
    tile /= count_[a];
  }
  at.component = tile;
  return at;
}

// Packs a tile with its halo; zeros behind.
template <class T>
typename FftStep<T>::Half FftStep<T>::load(std::int64_t tile, T* numbers, const TileRun& run) const {
  Half half;
  half.part = {numbers, {}, row_, plane_};
  if (tile >= places()) {
    std::fill_n(numbers, plane_ * tile_.length[2], T{0});
    return half;
  }
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
  half.magnitudes = range_.magnitudes(half.part, transforms_);
  half.way = half.magnitudes.zero() && range_.finite() ? Way::Zeros
             : range_.moderate(half.magnitudes)        ? Way::Transforms
                                                       : Way::Sums;
  return half;
}

// Whether the tiles can be transformed together. Tiles of different brightness are brought to the same, since errors
// are relative to the sum of both.
template <class T>
void FftStep<T>::judge(Pair& pair, const Memory& memory) const {
  Magnitudes joint;
  for (Half& half : pair) {
    if (half.way != Way::Transforms) continue;
    if (joint.rms > 0) {
      const double ratio = joint.rms / half.magnitudes.rms;
      if (ratio > 4 || ratio < 0.25) half.factor = std::exp2(std::round(std::log2(ratio)));
    }
    joint.rms = std::max(joint.rms, half.factor * half.magnitudes.rms);
    joint.largest = std::max(joint.largest, half.factor * half.magnitudes.largest);
  }
  for (Half& half : pair) {
    if (half.way != Way::Transforms) continue;
    const Magnitudes scaled{joint.largest / half.factor, joint.rms / half.factor};
    if (!range_.allows(half.part, scaled, transforms_, memory.cells)) half.way = Way::Sums;
  }
}

template <class T>
typename FftStep<T>::Pair FftStep<T>::judged(std::int64_t tile, const Memory& memory, const TileRun& run) const {
  Pair pair{load(2 * tile, memory.numbers[0], run), load(2 * tile + 1, memory.numbers[1], run)};
  judge(pair, memory);
  return pair;
}

template <class T>
void FftStep<T>::runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const {
  if (summing_) return sums_.step->runTile(tile, scratch, run);
  const Memory own = memory(scratch);
  const Pair pair = judged(tile, own, run);
  bool transforms = false;
  for (const Half& half : pair) {
    if (half.way == Way::Zeros) store(half, run);  // what was loaded is also the result
    if (half.way == Way::Sums) {
      ++summed_;
      sum(half, own, run);
      std::fill_n(half.part.data, plane_ * tile_.length[2], T{0});
    }
    transforms = transforms || half.way == Way::Transforms;
  }
  if (transforms) transform(tile, pair, own, run);
}

template <class T>
void FftStep<T>::sum(const Half& half, const Memory& memory, const TileRun& run) const {
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
      job.taps = weights_.data();
      correlator_.run(job, run.control);
      const ArrayView& output = run.outputs[output_];
      StoreJob store =
          space_.storeJob(output, half.at.component, {half.at.begin[0], half.at.begin[1] + y, half.at.begin[2] + z},
                          {half.at.size[0], job.rows, 1});
      store.tile = memory.strip;
      store.tileRow = row_;
      store.streaming = run.streaming;
      run.saturated[output_] += kernels_.store[static_cast<std::size_t>(output.type)](store);
    }
}

template <class T>
void FftStep<T>::scale(const Half& half, const std::array<std::int64_t, 3>& size, double factor) const {
  if (factor == 1) return;
  for (std::int64_t z = 0; z < size[2]; ++z)
    for (std::int64_t y = 0; y < size[1]; ++y)
      transforms_.scale(half.part.data + z * plane_ + y * row_, static_cast<T>(factor), size[0]);
}

// A part of what the tiles of the next pair read: rows of a tile are too short to be foreseen by the processor.
template <class T>
void FftStep<T>::prefetch(std::int64_t tile, std::int64_t turn, std::int64_t turns, const TileRun& run) const {
  const auto element = static_cast<std::int64_t>(bytesOf(run.input.type));
  for (std::int64_t next = 2 * tile; next < std::min(2 * tile + 2, places()); ++next) {
    const Place at = place(next);
    const std::int64_t rows = at.size[1] * at.size[2];
    for (std::int64_t r = rows * turn / turns; r < rows * (turn + 1) / turns; ++r) {
      const std::byte* from = space_.source(run.input, at.component,
                                            {at.begin[0], at.begin[1] + r % at.size[1], at.begin[2] + r / at.size[1]});
      for (std::int64_t b = 0; from != nullptr && b < at.size[0] * element; b += 64) __builtin_prefetch(from + b, 0, 2);
    }
  }
}

// Along y in each plane, then along z and x in groups of rows, and back. Columns and planes that hold nothing, or no
// outputs, are left out.
template <class T>
void FftStep<T>::transform(std::int64_t tile, const Pair& pair, const Memory& memory, const TileRun& run) const {
  std::array<std::int64_t, 3> packed{}, size{};
  for (const Half& half : pair) {
    if (half.way == Way::Transforms) scale(half, half.part.size, half.factor);
    for (std::size_t a = 0; a < 3; ++a) {
      packed[a] = std::max(packed[a], half.part.size[a]);
      size[a] = std::max(size[a], half.at.size[a]);
    }
  }
  T *re = memory.numbers[0], *im = memory.numbers[1];
  const std::int64_t lanes = transforms_.lanes;
  const std::int64_t loaded = roundUp(packed[0], lanes), wanted = roundUp(size[0], lanes);
  for (std::int64_t z = 0; z < packed[2]; ++z) {
    run.control.check();
    transforms_.forward({re + z * plane_, im + z * plane_, row_, loaded, &axis_[1]});
  }
  const T* spectrum = spectrum_.data();
  for (std::int64_t group = 0; group < tile_.length[1]; group += lanes) {
    run.control.check();
    prefetch(tile + 1, group / lanes, tile_.length[1] / lanes, run);
    for (std::int64_t y = group; y < group + lanes; ++y)
      transforms_.forward({re + y * row_, im + y * row_, plane_, loaded, &axis_[2]});
    for (std::int64_t z = 0; z < tile_.length[2]; ++z, spectrum += 2 * tile_.length[0] * lanes)
      transforms_.filterRows(
          {re + z * plane_ + group * row_, im + z * plane_ + group * row_, row_, &axis_[0], spectrum, memory.work});
    for (std::int64_t y = group; y < group + lanes; ++y)
      transforms_.inverse({re + y * row_, im + y * row_, plane_, wanted, &axis_[2]});
  }
  for (std::int64_t z = 0; z < size[2]; ++z) {
    run.control.check();
    transforms_.inverse({re + z * plane_, im + z * plane_, row_, wanted, &axis_[1]});
  }
  for (const Half& half : pair) {
    if (half.way != Way::Transforms) continue;
    scale(half, half.at.size, 1 / half.factor);
    store(half, run);
  }
}

template <class T>
void FftStep<T>::store(const Half& half, const TileRun& run) const {
  const ArrayView& output = run.outputs[output_];
  StoreJob store = space_.storeJob(output, half.at.component, half.at.begin, half.at.size);
  store.tile = half.part.data;
  store.tileRow = row_;
  store.tilePlane = plane_;
  store.streaming = run.streaming;
  run.saturated[output_] += kernels_.store[static_cast<std::size_t>(output.type)](store);
}

template class FftStep<float>;
template class FftStep<double>;

}  // namespace sscope::cpu
