#include "core/cpu/filter/fft_range.h"

#include "core/base/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sscope::cpu {

namespace {

// NaN has no order and counts as Inf.
double orderedMagnitude(double weight) {
  return std::isnan(weight) ? std::numeric_limits<double>::infinity() : std::abs(weight);
}

// Sums of the smallest 0, 1, 2, ... magnitudes within a box.
std::vector<double> smallestSums(const DenseTaps& taps, const std::array<std::int64_t, 3>& begin,
                                 const std::array<std::int64_t, 3>& size) {
  std::vector<double> sums{0};
  for (std::int64_t z = 0; z < size[2]; ++z)
    for (std::int64_t y = 0; y < size[1]; ++y)
      for (std::int64_t x = 0; x < size[0]; ++x)
        sums.push_back(orderedMagnitude(taps.at(begin[0] + x, begin[1] + y, begin[2] + z)));
  std::sort(sums.begin() + 1, sums.end());
  for (std::size_t i = 1; i < sums.size(); ++i) sums[i] += sums[i - 1];
  return sums;
}

double at(const std::vector<double>& sums, double count) {
  const double limited = std::clamp(count, 0.0, static_cast<double>(sums.size() - 1));
  const auto below = static_cast<std::size_t>(limited);
  if (below + 1 >= sums.size()) return sums.back();
  return sums[below] + (limited - static_cast<double>(below)) * (sums[below + 1] - sums[below]);
}

// The largest cells that fill at least five sixths of a window at any position.
std::int64_t cellOf(std::int64_t window) {
  std::int64_t cell = 1;
  for (std::int64_t c = 2; c <= window; ++c)
    if (6 * ((window - c + 1) / c * c) >= 5 * window) cell = c;
  return cell;
}

}  // namespace

template <class T>
FftRange<T>::FftRange(const DenseTaps& taps, std::int64_t points)
    : points_(points), taps_(taps.count()), hull_(taps.size) {
  double best = -1;
  // A window holds about half of the magnitudes that it could: it is suitable if the smaller half of its weights is not
  // negligible.
  for (std::int64_t share = 0; share < 8; ++share) {
    std::array<std::int64_t, 3> begin{}, size{};
    for (std::size_t a = 0; a < 3; ++a) {
      begin[a] = std::min(taps.size[a] * share / 16, (taps.size[a] - 1) / 2);
      size[a] = taps.size[a] - 2 * begin[a];
    }
    std::vector<double> sums = smallestSums(taps, begin, size);
    if (share == 0) absoluteSum_ = sums.back();
    const double half = at(sums, static_cast<double>(sums.size() - 1) / 2);
    if (!(half > best)) continue;
    best = half;
    begin_ = begin;
    window_ = size;
    upTo_ = std::move(sums);
  }
  for (std::size_t a = 0; a < 3; ++a) {
    cell_[a] = cellOf(window_[a]);
    cells_[a] = (window_[a] - cell_[a] + 1) / cell_[a];
  }
}

template <class T>
typename FftRange<T>::Magnitudes FftRange<T>::magnitudes(const FftPart<T>& part, const FftKernels<T>& kernels) const {
  Magnitudes found;
  double squares = 0;
  for (std::int64_t z = 0; z < part.size[2]; ++z)
    for (std::int64_t y = 0; y < part.size[1]; ++y) {
      const RowStatistics<T> row = kernels.statistics(part.data + z * part.plane + y * part.row, part.size[0]);
      found.largest = std::max(found.largest, static_cast<double>(row.largest));
      squares += row.squares;
    }
  found.rms = std::sqrt(squares / static_cast<double>(points_));
  return found;
}

template <class T>
bool FftRange<T>::moderate(const Magnitudes& magnitudes) const {
  const double most = sizeof(T) == 4 ? 0x1p40 : 0x1p250;
  const auto within = [&](double value) { return value >= 1 / most && value <= most; };
  return within(magnitudes.rms) && within(magnitudes.largest) && within(absoluteSum_);
}

template <class T>
bool FftRange<T>::allows(const FftPart<T>& part, const Magnitudes& magnitudes, const FftKernels<T>& kernels, T* scratch,
                         std::vector<Found>& found) const {
  // In unit roundoffs. The errors of transforms are random, with a standard deviation below 0.6 sqrt(log2 points) of
  // the root mean square (Schatzman, SIAM J. Sci. Comput. 17, 1996), spread over the tile; the errors of single large
  // numbers in the stages that they share with an output are added. The accepted error is 16.8 sqrt(taps) for f32 and
  // 18 sqrt(taps) or more for f64 (core/measure/verify.cpp).
  constexpr double kOfMean = 6, kOfLargest = 4, kAccepted = 16;
  const double error = absoluteSum_ * (kOfMean * std::sqrt(std::log2(static_cast<double>(points_))) * magnitudes.rms +
                                       kOfLargest * magnitudes.largest);
  const double accepted = kAccepted * std::sqrt(static_cast<double>(taps_));
  for (const double most : {magnitudes.rms / 2, magnitudes.rms / 8}) {
    const double scale = most * smallestWeights(knownSum(part, static_cast<T>(most), kernels, scratch, found) / most);
    if (error <= accepted * scale) return true;
  }
  return false;
}

template <class T>
std::int64_t FftRange<T>::scratchElements(const std::array<std::int64_t, 3>& size) const {
  return divideUp(size[0], cell_[0]) * divideUp(size[1], cell_[1]) * divideUp(size[2], cell_[2]) + size[0];
}

template <class T>
double FftRange<T>::smallestWeights(double count) const {
  return at(upTo_, count);
}

template <class T>
double FftRange<T>::knownSum(const FftPart<T>& part, T most, const FftKernels<T>& kernels, T* scratch,
                             std::vector<Found>& found) const {
  for (const Found& one : found)
    if (one.begin == begin_ && one.window == window_ && one.most == most) return one.sum;
  const double sum = smallestSum(part, most, kernels, scratch);
  found.push_back({begin_, window_, most, sum});
  return sum;
}

template <class T>
double FftRange<T>::smallestSum(const FftPart<T>& part, T most, const FftKernels<T>& kernels, T* scratch) const {
  std::array<std::int64_t, 3> cells{}, places{};  // whole cells of the part that windows reach; windows
  for (std::size_t a = 0; a < 3; ++a) {
    const std::int64_t outputs = part.size[a] - hull_[a] + 1;
    cells[a] = (outputs + window_[a] - 1) / cell_[a];
    places[a] = divideUp(outputs - 1, cell_[a]) + 1;
  }
  T *const sums = scratch, *const grid = scratch + part.size[0];
  const std::int64_t width = cells[0] * cell_[0];
  for (std::int64_t z = 0; z < cells[2]; ++z)
    for (std::int64_t y = 0; y < cells[1]; ++y) {
      std::fill_n(sums, width, T{0});
      for (std::int64_t k = 0; k < cell_[2]; ++k)
        for (std::int64_t j = 0; j < cell_[1]; ++j)
          kernels.addClipped(part.data + (begin_[2] + z * cell_[2] + k) * part.plane +
                                 (begin_[1] + y * cell_[1] + j) * part.row + begin_[0],
                             most, sums, width);
      T* const row = grid + (z * cells[1] + y) * cells[0];
      for (std::int64_t x = 0; x < cells[0]; ++x) {
        row[x] = sums[x * cell_[0]];
        for (std::int64_t i = 1; i < cell_[0]; ++i) row[x] += sums[x * cell_[0] + i];
      }
      std::copy_n(row, cells[0], sums);
      for (std::int64_t i = 1; i < cells_[0]; ++i) kernels.addClipped(sums + i, kNoLimit, row, places[0]);
    }
  // Along y and z in place: each row reads only rows after it.
  for (std::int64_t z = 0; z < cells[2]; ++z)
    for (std::int64_t y = 0; y < places[1]; ++y)
      for (std::int64_t i = 1; i < cells_[1]; ++i)
        kernels.addClipped(grid + (z * cells[1] + y + i) * cells[0], kNoLimit, grid + (z * cells[1] + y) * cells[0],
                           places[0]);
  T smallest = kNoLimit;
  for (std::int64_t z = 0; z < places[2]; ++z)
    for (std::int64_t y = 0; y < places[1]; ++y) {
      T* const row = grid + (z * cells[1] + y) * cells[0];
      for (std::int64_t i = 1; i < cells_[2]; ++i)
        kernels.addClipped(row + i * cells[1] * cells[0], kNoLimit, row, places[0]);
      smallest = std::min(smallest, *std::min_element(row, row + places[0]));
    }
  return static_cast<double>(smallest);
}

template class FftRange<float>;
template class FftRange<double>;

}  // namespace sscope::cpu
