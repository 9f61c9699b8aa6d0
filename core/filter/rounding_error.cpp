#include "core/filter/rounding_error.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

namespace sscope {

namespace {

constexpr double kUnit = 0x1p-24;         // roundoff of single precision
constexpr double kWholeNumbers = 0x1p24;  // below which single precision has them all

double magnitude(std::span<const double> weights) {
  double sum = 0;
  for (const double weight : weights) sum += std::abs(weight);
  return sum;
}

bool negative(std::span<const double> weights) {
  return std::ranges::any_of(weights, [](double weight) { return weight < 0; });
}

// The largest power of two of which all weights are multiples, as its logarithm; nothing where it is below 2^-24.
std::optional<int> grid(std::span<const double> weights) {
  for (int exponent = 0; exponent >= -24; --exponent)
    if (std::ranges::all_of(weights, [&](double weight) {
          const double scaled = std::ldexp(weight, -exponent);
          return scaled == std::floor(scaled);
        }))
      return exponent;
  return std::nullopt;
}

// What the bound needs to know of the terms.
struct Sums {
  double magnitude = 0;  // sum of |taps|
  double roundings = 0;  // of one output, in a row
  bool negative = false;
  std::optional<int> grid = 0;  // of all products of taps
};

Sums sumsOf(const Stencil& stencil, bool dense) {
  Sums sums;
  if (dense) {
    const std::vector<double> weights = stencil.expanded().weights;
    // The tap itself is rounded, and sums of mirrored elements and of parts add a few.
    constexpr double kMore = 8;
    return {magnitude(weights), static_cast<double>(weights.size()) + kMore, negative(weights), grid(weights)};
  }
  int finest = 0;
  for (const SeparableTerm& term : stencil.terms) {
    double product = 1;
    std::optional<int> exponent = 0;
    for (const auto& axis : term.axis) {
      product *= magnitude(axis.weights);
      // The tap itself is rounded, a pass has a product and a sum for each, and equal taps are summed in two parts.
      sums.roundings += static_cast<double>(axis.size()) + 3;
      sums.negative = sums.negative || negative(axis.weights);
      const std::optional<int> own = grid(axis.weights);
      exponent = exponent && own ? std::optional(*exponent + *own) : std::nullopt;
    }
    sums.magnitude += product;
    finest = std::min(finest, exponent.value_or(0));
    sums.grid = sums.grid && exponent ? std::optional(finest) : std::nullopt;
  }
  return sums;
}

double largestInput(const FilterWorkload& workload) {
  const ElementType type = workload.input().type;
  const double own = std::max(highestOf(type), -lowestOf(type));
  return workload.boundary() == Boundary::constant ? std::max(own, std::abs(workload.constant())) : own;
}

}  // namespace

RoundingError roundingError(const FilterWorkload& workload, const Stencil& stencil, bool dense) {
  const Sums sums = sumsOf(stencil, dense);
  const double largest = largestInput(workload), most = sums.magnitude * largest;
  const bool constant = workload.boundary() == Boundary::constant;
  const bool whole = !constant || workload.constant() == std::floor(workload.constant());
  if (whole && sums.grid && most < std::ldexp(kWholeNumbers, *sums.grid)) return {};
  const double share = sums.roundings * kUnit / (1 - sums.roundings * kUnit);
  // Bounds that are made of a sum are rounded too: product, sum and factor by at most `kUnit` of the sum each, and the
  // half by that of itself twice.
  const double own = 3 * kUnit, half = 1.5 * kUnit;
  const bool positive =
      lowestOf(workload.input().type) == 0 && !sums.negative && !(constant && workload.constant() < 0);
  if (positive) return {share / (1 - share) + own, half};
  return {0, (share + own) * most + half};
}

std::optional<double> doubtfulShare(const FilterWorkload& workload, const Stencil& stencil, bool dense) {
  constexpr double kLargest = 65536;  // sums and values outside beyond are not looked at
  const auto narrow = [](ElementType type) { return isInteger(type) && bytesOf(type) <= 2; };
  if (!narrow(workload.input().type) || !narrow(workload.outputType())) return {};
  if (!std::isfinite(workload.constant()) || std::abs(workload.constant()) > kLargest) return {};
  const double middle = sumsOf(stencil, dense).magnitude * largestInput(workload) / 2;
  if (!(middle < kLargest)) return {};
  const RoundingError error = roundingError(workload, stencil, dense);
  return std::min(1.0, 2 * (error.relative * middle + error.absolute));
}

bool roundsMeans(const FilterWorkload& workload) {
  const ElementType type = workload.input().type;
  const bool narrow = isInteger(type) && type != ElementType::u32 && type != ElementType::i32;
  const double outside = workload.boundary() == Boundary::constant ? workload.constant() : 0;
  return narrow && isInteger(workload.outputType()) && static_cast<double>(static_cast<float>(outside)) == outside;
}

}  // namespace sscope
