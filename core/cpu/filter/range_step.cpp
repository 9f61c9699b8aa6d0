#include "core/cpu/filter/range_step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/volume/rounding.h"

namespace sscope::cpu {

namespace {

double rounded(double value) { return std::floor(value + (0.5 + kTieBand)); }

}  // namespace

RangeRounding::RangeRounding(const RangeWindow& window) : window_(window), relative_(rangeError(window)) {}

void RangeRounding::round(const Row& row, const RangeSumsAt<float>& sums, const Control& control) const {
  constexpr double kOfMean = 4 * 0x1p-24, kOfBand = 0x1p-18;
  for (std::int64_t x = 0; x < row.outputs; ++x) {
    const auto weights = static_cast<double>(sums.weights[x]);
    const double mean = static_cast<double>(row.center[x]) + static_cast<double>(sums.differences[x]) / weights;
    const double error = relative_ * static_cast<double>(sums.magnitudes[x]) / weights + kOfMean * std::abs(mean);
    double result = rounded(mean - error - kOfBand);
    if (result != rounded(mean + error + kOfBand)) {
      control.check();
      result = rounded(this->mean(row.center + x, row.row, row.plane));
    }
    sums.differences[x] = static_cast<float>(result);
  }
}

double RangeRounding::mean(const float* center, std::int64_t row, std::int64_t plane) const {
  const auto at = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    return static_cast<double>(center[k * plane + j * row + i]);
  };
  const auto& [rx, ry, rz] = window_.reach;
  const auto& [px, py, pz] = window_.patch;
  const double perSquare = 1 / (2 * window_.range * window_.range);
  const auto count = static_cast<double>(window_.patchCount());
  double weights = 1, differences = 0;
  for (std::int64_t k = -rz; k <= rz; ++k)
    for (std::int64_t j = -ry; j <= ry; ++j)
      for (std::int64_t i = -rx; i <= rx; ++i) {
        const double difference = at(i, j, k) - at(0, 0, 0);
        if ((i == 0 && j == 0 && k == 0)) continue;
        double squares = 0;
        for (std::int64_t c = -pz; c <= pz; ++c)
          for (std::int64_t b = -py; b <= py; ++b)
            for (std::int64_t a = -px; a <= px; ++a) {
              const double one = at(i + a, j + b, k + c) - at(a, b, c);
              squares += one * one;
            }
        if (!std::isfinite(squares)) continue;
        const double near = window_.falloff[0] * static_cast<double>(i * i) +
                            window_.falloff[1] * static_cast<double>(j * j) +
                            window_.falloff[2] * static_cast<double>(k * k);
        const double weight = std::exp(-near - std::max(0.0, squares / count - window_.floor) * perSquare);
        weights += weight;
        differences += weight * difference;
      }
  return at(0, 0, 0) + differences / weights;
}

namespace {

constexpr std::int64_t roundedUp(std::int64_t a, std::int64_t b) { return (a + b - 1) / b * b; }
constexpr std::int64_t tilesOf(std::int64_t extent, std::int64_t tile) { return (extent + tile - 1) / tile; }

RangeWindow permutedWindow(RangeWindow window, const AxisOrder& order) {
  window.reach = permuted(window.reach, order);
  window.patch = permuted(window.patch, order);
  window.falloff = permuted(window.falloff, order);
  return window;
}

}  // namespace

template <class T>
RangeStep<T>::RangeStep(const FilterWorkload& workload, std::size_t filter, const AxisOrder& order,
                        const PrecisionKernels<T>& kernels, const TileLimits& limits)
    : output_(filter),
      order_(order),
      space_(workload, order, workload.operators()[filter].size(), workload.operators()[filter].anchor()),
      kernels_(kernels),
      range_(rangeKernels(kernels.level).template of<T>()),
      rounds_(std::is_same_v<T, float> && isInteger(workload.outputType())) {
  static_cast<void>(RangeStep::takeWeights(workload));
  tile_ = chooseTile(limits);
  for (std::size_t a = 0; a < 3; ++a) count_[a] = tilesOf(space_.extent()[a], tile_[a]);
}

template <class T>
bool RangeStep<T>::takeWeights(const FilterWorkload& workload) {
  window_ = permutedWindow(*workload.operators()[output_].range(), order_);
  rounding_ = RangeRounding(window_);
  scale_ = static_cast<T>(rangeScale(window_));
  floor_ = static_cast<T>(rangeFloor(window_));
  exponents_.clear();
  for (const double exponent : rangeExponents(window_)) exponents_.push_back(static_cast<T>(exponent));
  return true;
}

template <class T>
typename RangeStep<T>::Layout RangeStep<T>::layout(const std::array<std::int64_t, 3>& tile) const {
  const auto& hull = space_.hull();
  Layout l;
  l.width = roundedUp(tile[0], range_.lanes);
  l.row = rowStride<T>(l.width + hull[0] - 1 + range_.lanes);  // squares are whole vectors as well
  l.plane = l.row * (tile[1] + hull[1] - 1);
  l.packed = l.plane * (tile[2] + hull[2] - 1) + range_.lanes;
  l.outRow = rowStride<T>(l.width);
  l.sums = l.outRow * (patched() ? tile[1] * tile[2] : 1);
  if (!patched()) return l;
  l.squares = roundedUp(l.width + 2 * window_.patch[0], range_.lanes) + range_.lanes;
  l.lines = l.outRow * (tile[1] + 2 * window_.patch[1]);
  l.planes = l.outRow * tile[1] * (tile[2] + 2 * window_.patch[2]);
  return l;
}

template <class T>
std::int64_t RangeStep<T>::bytes(const Layout& l) const {
  const auto padded = [](std::int64_t elements) { return ScratchCarver::paddedBytes<T>(elements); };
  return padded(l.packed) + (rounds_ ? 3 : 2) * padded(l.sums) + padded(l.squares) + padded(l.lines) + padded(l.planes);
}

// Tiles change what is packed beside the outputs and, for patches, how many squares beside them are summed, which takes
// about a third of the time of their weights.
template <class T>
std::array<std::int64_t, 3> RangeStep<T>::chooseTile(const TileLimits& limits) const {
  const auto& extent = space_.extent();
  const double preferred = 0.75 * static_cast<double>(limits.cacheBytes);
  std::array<std::int64_t, 3> best{};
  double bestCost = std::numeric_limits<double>::infinity();
  for (const std::int64_t x : {32, 64, 128, 256})
    for (const std::int64_t y : {1, 4, 8, 16, 32, 64})
      for (const std::int64_t z : {1, 2, 4, 8, 16}) {
        const std::array<std::int64_t, 3> tile{std::min(x, extent[0]), std::min(y, extent[1]), std::min(z, extent[2])};
        const Layout l = layout(tile);
        std::int64_t tiles = space_.components();
        double outputs = 1, squares = 1;
        for (std::size_t a = 0; a < 3; ++a) {
          tiles *= tilesOf(extent[a], tile[a]);
          outputs *= static_cast<double>(a == 0 ? l.width : tile[a]);
          squares *= static_cast<double>((a == 0 ? l.width : tile[a]) + 2 * window_.patch[a]);
        }
        const double each = static_cast<double>(window_.count()) * (outputs + (patched() ? squares / 3 : 0));
        const auto rounds = static_cast<double>(tilesOf(tiles, limits.threads));  // unequal shares leave threads idle
        double cost = (each + static_cast<double>(l.packed) + 500) * rounds;
        const auto taken = static_cast<double>(bytes(l));
        if (taken > preferred) cost *= taken / preferred;
        if (cost < bestCost) {
          bestCost = cost;
          best = tile;
        }
      }
  return best;
}

template <class T>
std::int64_t RangeStep<T>::tiles() const {
  return count_[0] * count_[1] * count_[2] * space_.components();
}

template <class T>
std::int64_t RangeStep<T>::scratchBytes() const {
  return bytes(layout(tile_));
}

template <class T>
double RangeStep<T>::work() const {
  const auto& n = space_.extent();
  return operationsPerWeight(window_) * static_cast<double>(window_.count()) *
         static_cast<double>(n[0] * n[1] * n[2] * space_.components());
}

template <class T>
std::string RangeStep<T>::description() const {
  return std::string(patched() ? "likeness of patches, offset by offset" : "likeness of voxels") + " in tiles of " +
         std::to_string(tile_[0]) + "x" + std::to_string(tile_[1]) + "x" + std::to_string(tile_[2]) +
         (rounds_ ? ", those near ties again in f64" : "");
}

template <class T>
typename RangeStep<T>::Place RangeStep<T>::place(std::int64_t tile) const {
  Place place;
  for (std::size_t a = 0; a < 3; ++a) {
    place.begin[a] = tile % count_[a] * tile_[a];
    tile /= count_[a];
    place.size[a] = std::min(tile_[a], space_.extent()[a] - place.begin[a]);
  }
  place.component = tile;
  return place;
}

template <class T>
void RangeStep<T>::shift(const T* center, const Layout& l, const Place& place, ScratchCarver& carver,
                         const RangeSumsAt<T>& sums, const Control& control) const {
  std::fill_n(sums.weights, l.sums, T{1});  // the center's
  std::fill_n(sums.differences, l.sums, T{0});
  if (sums.magnitudes != nullptr) std::fill_n(sums.magnitudes, l.sums, T{0});
  ShiftJob<T> job;
  job.in = center;
  job.row = l.row;
  job.plane = l.plane;
  job.extent = {l.width, place.size[1], place.size[2]};
  job.patch = window_.patch;
  job.scale = scale_;
  job.floor = floor_;
  job.outRow = l.outRow;
  job.squares = carver.template take<T>(l.squares);
  job.lines = carver.template take<T>(l.lines);
  job.planes = carver.template take<T>(l.planes);
  job.sums = sums;
  const T* exponent = exponents_.data();
  for (std::int64_t k = -window_.reach[2]; k <= window_.reach[2]; ++k)
    for (std::int64_t j = -window_.reach[1]; j <= window_.reach[1]; ++j)
      for (std::int64_t i = -window_.reach[0]; i <= window_.reach[0]; ++i) {
        job.exponent = *exponent++;
        job.shift = k * l.plane + j * l.row + i;
        if (job.shift == 0) continue;
        control.check();
        range_.shift(job);
      }
}

template <class T>
void RangeStep<T>::runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const {
  const Place at = place(tile);
  std::array<std::int64_t, 3> packed{};
  for (std::size_t a = 0; a < 3; ++a) packed[a] = at.size[a] + space_.hull()[a] - 1;
  const Layout l = layout(at.size);
  ScratchCarver carver(scratch);
  T* input = carver.template take<T>(l.packed);
  RangeSumsAt<T> sums;
  sums.weights = carver.template take<T>(l.sums);
  sums.differences = carver.template take<T>(l.sums);
  if (rounds_) sums.magnitudes = carver.template take<T>(l.sums);

  PackJob pack = space_.packJob(run.input, at.component, at.begin, packed);
  pack.tile = input;
  pack.tileRow = l.row;
  pack.tilePlane = l.plane;
  kernels_.pack[static_cast<std::size_t>(run.input.type)](pack);

  const auto anchor = window_.anchor();
  const T* first = input + anchor[2] * l.plane + anchor[1] * l.row + anchor[0];
  if (patched()) shift(first, l, at, carver, sums, run.control);
  const ArrayView& output = run.outputs[output_];
  for (std::int64_t z = 0; z < at.size[2]; ++z)
    for (std::int64_t y = 0; y < at.size[1]; ++y) {
      run.control.check();
      const T* center = first + z * l.plane + y * l.row;
      RangeSumsAt<T> row = sums;
      if (patched()) {
        const std::int64_t place = (z * at.size[1] + y) * l.outRow;
        row = {sums.weights + place, sums.differences + place, rounds_ ? sums.magnitudes + place : nullptr};
      } else {
        range_.weigh({center, l.row, l.plane, window_.reach, exponents_.data(), scale_, l.width, sums});
      }
      finish(center, l, at.size[0], row, run.control);
      StoreJob store =
          space_.storeJob(output, at.component, {at.begin[0], at.begin[1] + y, at.begin[2] + z}, {at.size[0], 1, 1});
      store.tile = row.differences;
      store.tileRow = l.outRow;
      store.streaming = run.streaming;
      run.saturated[output_] += kernels_.store[static_cast<std::size_t>(output.type)](store);
    }
}

template <class T>
void RangeStep<T>::finish(const T* center, const Layout& l, std::int64_t outputs, const RangeSumsAt<T>& row,
                          const Control& control) const {
  if constexpr (std::is_same_v<T, float>) {
    if (rounds_) return rounding_.round({center, l.row, l.plane, outputs}, row, control);
  }
  for (std::int64_t x = 0; x < outputs; ++x) row.differences[x] = center[x] + row.differences[x] / row.weights[x];
}

template class RangeStep<float>;
template class RangeStep<double>;

}  // namespace sscope::cpu
