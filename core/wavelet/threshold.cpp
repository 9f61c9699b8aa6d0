#include "core/wavelet/threshold.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "core/wavelet/row_sums.h"

namespace sscope {

namespace {

constexpr double kMedianOfNormal = 0.6744897501960817;  // of |x| in units of the standard deviation

// Magnitudes as whole numbers in the same order: the bits of a positive double.
std::uint64_t keyOf(double value) { return std::bit_cast<std::uint64_t>(std::abs(value)); }

// Calls visit(key) for the finite elements of a row.
template <class T, class Visit>
void forKeys(const T* data, std::int64_t first, std::int64_t elements, std::int64_t stride, const Visit& visit) {
  for (std::int64_t i = 0; i < elements; ++i) {
    const auto value = static_cast<double>(data[first + i * stride]);
    if (std::isfinite(value)) visit(keyOf(value));
  }
}

constexpr int kDigitBits = 11;

struct Digits {
  std::array<std::int64_t, 1U << kDigitBits> count{};
  Digits& operator+=(const Digits& other) {
    for (std::size_t i = 0; i < count.size(); ++i) count[i] += other.count[i];
    return *this;
  }
};

// The magnitudes of a box by rank, without a copy: every pass over the data determines the next eleven bits.
class Order {
 public:
  Order(const ConstArrayView& view, const Box& box, const Control& control)
      : view_(view), box_(box), control_(control), leading_(digits(0, 64)) {
    for (const std::int64_t n : leading_.count) count_ += n;
  }
  [[nodiscard]] std::int64_t count() const { return count_; }
  // The magnitude that `rank` others are no larger than; 0 <= rank < count().
  [[nodiscard]] double at(std::int64_t rank) const {
    std::uint64_t prefix = 0;
    int open = 64;  // bits that are not determined
    while (open > 0) {
      const Digits here = open == 64 ? leading_ : digits(prefix, open);
      const int bits = std::min(open, kDigitBits);
      std::uint64_t digit = 0;
      while (rank >= here.count[digit]) rank -= here.count[digit++];
      open -= bits;
      prefix = prefix << bits | digit;
    }
    return std::bit_cast<double>(prefix);
  }

 private:
  // The counts of each next digit after this prefix, of whose key `open` bits are unknown.
  [[nodiscard]] Digits digits(std::uint64_t prefix, int open) const {
    const int shift = std::max(open - kDigitBits, 0);
    const std::uint64_t mask = (std::uint64_t{1} << std::min(open, kDigitBits)) - 1;
    return dispatch(view_.type, [&](auto tag) {
      const auto* data = view_.as<decltype(tag)>();
      return sumOverRows<Digits>(view_, box_, control_, [&](Digits& total, std::int64_t first, std::int64_t elements) {
        forKeys(data, first, elements, view_.stride[0], [&](std::uint64_t key) {
          if (open == 64 || key >> open == prefix) ++total.count[key >> shift & mask];
        });
      });
    });
  }

  const ConstArrayView& view_;
  Box box_;
  const Control& control_;
  Digits leading_;
  std::int64_t count_ = 0;
};

double medianMagnitude(const ConstArrayView& view, const Box& box, const Control& control) {
  const Order order(view, box, control);
  const std::int64_t n = order.count();
  if (n == 0) return 0;
  return n % 2 == 1 ? order.at(n / 2) : (order.at(n / 2 - 1) + order.at(n / 2)) / 2;
}

struct Largest {
  double value = 0;
  Largest& operator+=(const Largest& other) {
    value = std::max(value, other.value);
    return *this;
  }
};

// About the rounding errors in the details of constant data: relative to the largest value, of which the averages of
// this many halvings are multiples.
double roundingOf(const ConstArrayView& view, const Pyramid& pyramid, const Control& control) {
  const auto largest = dispatch(view.type, [&](auto tag) {
    const auto* data = view.as<decltype(tag)>();
    return sumOverRows<Largest>(
        view, pyramid.bands().front().box, control, [&](Largest& total, std::int64_t first, std::int64_t elements) {
          forKeys(data, first, elements, view.stride[0],
                  [&](std::uint64_t key) { total.value = std::max(total.value, std::bit_cast<double>(key)); });
        });
  });
  double gain = 1;
  for (const bool axis : pyramid.axes) gain *= axis ? std::exp2(0.5 * pyramid.levels) : 1;
  const double roundoff = view.type == ElementType::f32 ? 0x1p-24 : 0x1p-53;
  return 4 * roundoff * largest.value / gain;
}

// Marks each coefficient of a box that is in constant data or reads such data: a run of zeros along a line, and this
// many beside it. Single zeros are values like others.
class ConstantPlaces {
 public:
  ConstantPlaces(const ConstArrayView& view, const Box& box, double rounding, const Control& control)
      : box_(box), control_(control), zero_(static_cast<std::size_t>(box.voxels())) {
    dispatch(view.type, [&](auto tag) {
      const auto* data = view.as<decltype(tag)>();
      std::size_t i = 0;
      for (std::int64_t z = box.begin[2]; z < box.end[2]; ++z)
        for (std::int64_t y = box.begin[1]; y < box.end[1]; ++y) {
          control.check();
          for (std::int64_t x = box.begin[0]; x < box.end[0]; ++x)
            zero_[i++] = std::abs(static_cast<double>(data[view.offset(x, y, z)])) <= rounding ? 1 : 0;
        }
    });
    for (const char zero : zero_) zeros_ += zero;
  }
  [[nodiscard]] std::int64_t zeros() const { return zeros_; }

  [[nodiscard]] std::vector<char> within(std::int64_t reach) const {
    std::vector<char> near = zero_;
    const std::array<std::int64_t, 3> extent{box_.size(0), box_.size(1), box_.size(2)};
    const std::array<std::int64_t, 3> stride{1, extent[0], extent[0] * extent[1]};
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (std::int64_t b = 0; b < extent[(axis + 2) % 3]; ++b) {
        control_.check();
        for (std::int64_t a = 0; a < extent[(axis + 1) % 3]; ++a)
          markLine(a * stride[(axis + 1) % 3] + b * stride[(axis + 2) % 3], stride[axis], extent[axis], reach, near);
      }
    return near;
  }

 private:
  void markLine(std::int64_t first, std::int64_t step, std::int64_t count, std::int64_t reach,
                std::vector<char>& near) const {
    constexpr std::int64_t kRun = 4;
    for (std::int64_t i = 0; i < count;) {
      std::int64_t end = i;
      while (end < count && zero_[static_cast<std::size_t>(first + end * step)] != 0) ++end;
      if (end - i >= kRun)
        for (std::int64_t k = std::max<std::int64_t>(0, i - reach); k < std::min(count, end + reach); ++k)
          near[static_cast<std::size_t>(first + k * step)] = 1;
      i = end + 1;
    }
  }

  Box box_;
  const Control& control_;
  std::vector<char> zero_;
  std::int64_t zeros_ = 0;
};

// Uses only coefficients that read no constant data, as in a masked volume or outside the circle of a scan. Taps reach
// up to ten coefficients to either side; if too few coefficients are left, a shorter distance is used.
double medianOfVarying(const ConstArrayView& view, const Box& box, double rounding, const Control& control) {
  constexpr std::size_t kFew = 100;
  constexpr std::int64_t kFewest = 20;  // at least one of this many coefficients varies where there is noise
  const ConstantPlaces places(view, box, rounding, control);
  if (places.zeros() * 20 < box.voxels()) return medianMagnitude(view, box, control);
  for (const std::int64_t reach : {8, 4, 2, 0}) {
    const std::vector<char> constant = places.within(reach);
    std::vector<double> varying;
    dispatch(view.type, [&](auto tag) {
      const auto* data = view.as<decltype(tag)>();
      std::size_t i = 0;
      for (std::int64_t z = box.begin[2]; z < box.end[2]; ++z)
        for (std::int64_t y = box.begin[1]; y < box.end[1]; ++y)
          for (std::int64_t x = box.begin[0]; x < box.end[0]; ++x, ++i)
            if (const auto value = static_cast<double>(data[view.offset(x, y, z)]);
                constant[i] == 0 && std::isfinite(value))
              varying.push_back(std::abs(value));
    });
    if (varying.empty() || (varying.size() < kFew && reach > 0)) continue;
    if (std::ssize(varying) * kFewest < box.voxels()) return 0;  // edges
    const auto middle = varying.begin() + std::ssize(varying) / 2;
    std::nth_element(varying.begin(), middle, varying.end());
    return *middle;
  }
  return 0;
}

}  // namespace

std::string_view toString(ThresholdMode mode) { return mode == ThresholdMode::Soft ? "soft" : "hard"; }

std::optional<ThresholdMode> parseThresholdMode(std::string_view text) {
  for (const ThresholdMode mode : {ThresholdMode::Soft, ThresholdMode::Hard})
    if (toString(mode) == text) return mode;
  return {};
}

double universalThreshold(double sigma, const Pyramid& pyramid) {
  const auto samples = static_cast<double>(pyramid.original[0] * pyramid.original[1] * pyramid.original[2]);
  return sigma * std::sqrt(2 * std::log(samples));
}

ThresholdSuggestion suggestThreshold(const ConstArrayView& coefficients, const Pyramid& pyramid,
                                     const Control& control) {
  // Details of repeated samples are zero and would make the noise look smaller.
  PyramidBand diagonal = pyramid.bands().back();
  for (std::size_t a = 0; a < 3; ++a)
    if (diagonal.high[a])
      diagonal.box.end[a] = diagonal.box.begin[a] + std::max<std::int64_t>(pyramid.original[a] / 2, 1);
  ThresholdSuggestion suggestion;
  suggestion.sigma = medianOfVarying(coefficients, diagonal.box, roundingOf(coefficients, pyramid, control), control) /
                     kMedianOfNormal;
  suggestion.threshold = universalThreshold(suggestion.sigma, pyramid);
  return suggestion;
}

std::vector<BandEnergy> applyThreshold(const ConstArrayView& from, const ArrayView& to, const Pyramid& pyramid,
                                       const BandThresholds& thresholds, ThresholdMode mode, const Control& control) {
  std::vector<BandEnergy> result;
  dispatch(from.type, [&](auto tag) {
    using T = decltype(tag);
    const T* in = from.as<T>();
    T* out = to.as<T>();
    for (const PyramidBand& band : pyramid.bands()) {
      const double threshold = thresholds[result.size()];
      result.push_back(energyOf<T>(band, to, control, [&](std::int64_t i) {
        return out[i] = band.averages() ? in[i] : thresholded(in[i], threshold, mode);
      }));
    }
  });
  setShares(result);
  return result;
}

}  // namespace sscope
