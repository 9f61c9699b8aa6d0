#include "core/wavelet/threshold.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/wavelet/band_sums.h"

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

// Magnitudes of a box, in order, without a copy of them: every look at the data settles the next eleven bits.
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
    int open = 64;  // bits that are not settled
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
  // How often each next digit occurs behind this prefix, of whose key `open` bits are not known.
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
  suggestion.sigma = medianMagnitude(coefficients, diagonal.box, control) / kMedianOfNormal;
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
