#include "core/wavelet/threshold.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/wavelet/row_sums.h"

namespace sscope {

namespace {

constexpr double kMedianOfNormal = 0.6744897501960817;  // of |x| in units of the standard deviation

template <class F>
void forEach(const Box& box, const F& f) {
  for (std::int64_t z = box.begin[2]; z < box.end[2]; ++z)
    for (std::int64_t y = box.begin[1]; y < box.end[1]; ++y)
      for (std::int64_t x = box.begin[0]; x < box.end[0]; ++x) f(x, y, z);
}

double medianOf(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace

std::string_view toString(ThresholdMode mode) { return mode == ThresholdMode::Soft ? "soft" : "hard"; }

std::optional<ThresholdMode> parseThresholdMode(std::string_view text) {
  for (const ThresholdMode mode : {ThresholdMode::Soft, ThresholdMode::Hard})
    if (toString(mode) == text) return mode;
  return {};
}

ThresholdSuggestion suggestThreshold(const ConstArrayView& coefficients, const Pyramid& pyramid) {
  // Details of repeated samples are zero and would make the noise look smaller.
  PyramidBand diagonal = pyramid.bands().back();
  for (std::size_t a = 0; a < 3; ++a)
    if (diagonal.high[a])
      diagonal.box.end[a] = diagonal.box.begin[a] + std::max<std::int64_t>(pyramid.original[a] / 2, 1);
  std::vector<double> magnitudes;
  magnitudes.reserve(static_cast<std::size_t>(diagonal.box.voxels()));
  dispatch(coefficients.type, [&](auto tag) {
    const auto* data = coefficients.as<decltype(tag)>();
    forEach(diagonal.box, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
      const auto value = static_cast<double>(data[coefficients.offset(x, y, z)]);
      if (std::isfinite(value)) magnitudes.push_back(std::abs(value));
    });
  });
  ThresholdSuggestion suggestion;
  suggestion.sigma = medianOf(magnitudes) / kMedianOfNormal;
  const auto samples = static_cast<double>(pyramid.original[0] * pyramid.original[1] * pyramid.original[2]);
  suggestion.threshold = suggestion.sigma * std::sqrt(2 * std::log(samples));
  return suggestion;
}

std::int64_t applyThreshold(const ArrayView& coefficients, const Pyramid& pyramid, double threshold,
                            ThresholdMode mode) {
  std::int64_t zeros = 0;
  dispatch(coefficients.type, [&](auto tag) {
    using T = decltype(tag);
    auto* data = coefficients.as<T>();
    const double less = mode == ThresholdMode::Soft ? threshold : 0;
    for (const PyramidBand& band : pyramid.bands()) {
      if (band.averages()) continue;
      zeros += sumOverRows<std::int64_t>(coefficients, band.box,
                                         [&](std::int64_t& count, std::int64_t first, std::int64_t elements) {
                                           for (std::int64_t i = 0; i < elements; ++i) {
                                             T& c = data[first + i * coefficients.stride[0]];
                                             const auto value = static_cast<double>(c);
                                             if (std::abs(value) <= threshold) {
                                               c = 0;
                                               ++count;
                                             } else {
                                               c = static_cast<T>(value > 0 ? value - less : value + less);
                                             }
                                           }
                                         });
    }
  });
  return zeros;
}

}  // namespace sscope
