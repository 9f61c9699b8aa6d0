#include "core/cpu/filter/range_rounding.h"

#include <algorithm>
#include <cmath>

#include "core/volume/element_type.h"

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

}  // namespace sscope::cpu
