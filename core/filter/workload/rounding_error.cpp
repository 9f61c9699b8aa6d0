#include "core/filter/workload/rounding_error.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

namespace sscope {

namespace {

constexpr double kUnit = 0x1p-24;         // roundoff of single precision
constexpr double kWholeNumbers = 0x1p24;  // single precision holds all whole numbers below this

double magnitude(std::span<const double> weights) {
  double sum = 0;
  for (const double weight : weights) sum += std::abs(weight);
  return sum;
}

bool negative(std::span<const double> weights) {
  return std::ranges::any_of(weights, [](double weight) { return weight < 0; });
}

// The logarithm of the largest power of two of which all weights are multiples; empty if it is below 2^-24.
std::optional<int> grid(std::span<const double> weights) {
  for (int exponent = 0; exponent >= -24; --exponent)
    if (std::ranges::all_of(weights, [&](double weight) {
          const double scaled = std::ldexp(weight, -exponent);
          return scaled == std::floor(scaled);
        }))
      return exponent;
  return std::nullopt;
}

// The properties of the terms that determine the bound.
struct Sums {
  double magnitude = 0;  // sum of |taps|
  double roundings = 0;  // consecutive roundings of one output
  bool negative = false;
  std::optional<int> grid = 0;  // of all products of taps
};

Sums sumsOf(const Stencil& stencil, SumOrder order) {
  Sums sums;
  if (order == SumOrder::Dense) {
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

double powerOfTwoBelow(double value) { return value > 0 ? std::exp2(std::floor(std::log2(value))) : 0; }

// Exceeds all that roundings add to sums; filters with more taps would need another bound.
constexpr double kRounded = 1 + 0x1p-13, kMostRoundings = 1000;

// The bounds of the roundings of a pass that adds tap by tap, for the results of all passes: each is at most kUnit
// times its number here and, where no number is negative, times the sum itself, because the partial sum is a part of
// it. `largest`: of the input.
std::vector<double> boundsOfPass(const SeparableTerm& term, std::size_t axis, double largest) {
  const AxisTaps& taps = term.axis[axis];
  if (taps.identity()) return {};
  const double one = magnitude(term.axis[(axis + 1) % 3].weights), other = magnitude(term.axis[(axis + 2) % 3].weights);
  // A number from 2^e on is rounded by at most kUnit 2^e. Passes before this one make it larger by their taps, passes
  // after it what it errs, in any order.
  const auto bound = [&](double sum) {
    double greatest = 0;
    for (const double before : {1.0, one, other, one * other})
      greatest = std::max(greatest, powerOfTwoBelow(sum * before) * one * other / before);
    return greatest;
  };
  const double whole = magnitude(taps.weights) * largest * kRounded;
  std::vector<double> bounds;
  double sum = 0;
  for (const double weight : taps.weights) {
    sum += std::abs(weight) * largest * kRounded;
    bounds.push_back(bound(taps.equal() ? whole : sum));
  }
  // Taps are rounded, products are where they are not fused with sums, and equal taps are summed in two parts.
  bounds.insert(bounds.end(), taps.equal() ? 3 : 2, whole * one * other);
  return bounds;
}

// The sum of such bounds. min(sum, bound) is a concave function of the sum, also through the passes that follow: its
// tangent at the middle is above it everywhere.
RoundingError errorOf(const std::vector<double>& bounds, double middle, bool positive) {
  RoundingError error;
  for (const double bound : bounds)
    (positive && bound >= middle ? error.relative : error.absolute) += positive && bound >= middle ? 1 : bound;
  // Roundings of rounded numbers add products of their errors.
  error.relative *= kUnit * kRounded;
  error.absolute *= kUnit * kRounded;
  return error;
}

bool staysPositive(const FilterWorkload& workload, const Sums& sums) {
  return lowestOf(workload.input().type) == 0 && !sums.negative &&
         !(workload.boundary() == Boundary::constant && workload.constant() < 0);
}

double shareAround(double sum, const RoundingError& error) {
  return std::min(1.0, 2 * (error.relative * sum + error.absolute));
}

// Several terms are added in one sum and would have to be bounded together.
bool boundsPasses(const Stencil& stencil) {
  return stencil.terms.size() == 1 && sumsOf(stencil, SumOrder::PassesTapByTap).roundings < kMostRoundings;
}

}  // namespace

RoundingError roundingError(const FilterWorkload& workload, const Stencil& stencil, SumOrder order) {
  const Sums sums = sumsOf(stencil, order);
  const double largest = largestInput(workload), most = sums.magnitude * largest;
  const bool constant = workload.boundary() == Boundary::constant;
  const bool whole = !constant || workload.constant() == std::floor(workload.constant());
  if (whole && sums.grid && most < std::ldexp(kWholeNumbers, *sums.grid)) return {};
  const double share = sums.roundings * kUnit / (1 - sums.roundings * kUnit);
  // Bounds that are made of a sum are rounded too: product, sum and factor by at most `kUnit` of the sum each, and the
  // half by that of itself twice. So is the value outside.
  const double own = (constant ? 4 : 3) * kUnit, half = 1.5 * kUnit;
  const bool positive = staysPositive(workload, sums);
  if (order == SumOrder::PassesTapByTap && boundsPasses(stencil)) {
    RoundingError error{positive ? own : 0, positive ? half : half + own * most};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const RoundingError pass = errorOf(boundsOfPass(stencil.terms[0], axis, largest), most / 2, positive);
      error.relative += pass.relative;
      error.absolute += pass.absolute;
    }
    return error;
  }
  if (positive) return {share / (1 - share) + own, half};
  return {0, (share + own) * most + half};
}

std::optional<RoundingError> passError(const FilterWorkload& workload, const Stencil& stencil, std::size_t axis) {
  if (!boundsPasses(stencil)) return {};
  const Sums sums = sumsOf(stencil, SumOrder::PassesTapByTap);
  const double largest = largestInput(workload), most = sums.magnitude * largest;
  const bool positive = staysPositive(workload, sums);
  RoundingError error = errorOf(boundsOfPass(stencil.terms[0], axis, largest), most / 2, positive);
  if (workload.boundary() == Boundary::constant)
    (positive ? error.relative : error.absolute) += positive ? kUnit : kUnit * most;
  return error;
}

double doubtfulShare(const RoundingError& error, const FilterWorkload& workload, const Stencil& stencil) {
  return shareAround(sumsOf(stencil, SumOrder::Passes).magnitude * largestInput(workload) / 2, error);
}

std::optional<double> doubtfulShare(const FilterWorkload& workload, const Stencil& stencil, SumOrder order) {
  constexpr double kLargest = 65536;  // larger sums and values outside are excluded
  const auto narrow = [](ElementType type) { return isInteger(type) && bytesOf(type) <= 2; };
  if (!narrow(workload.input().type) || !narrow(workload.outputType())) return {};
  if (!std::isfinite(workload.constant()) || std::abs(workload.constant()) > kLargest) return {};
  const double middle = sumsOf(stencil, order).magnitude * largestInput(workload) / 2;
  if (!(middle < kLargest)) return {};
  return shareAround(middle, roundingError(workload, stencil, order));
}

bool roundsMeans(const FilterWorkload& workload) {
  const ElementType type = workload.input().type;
  const bool narrow = isInteger(type) && type != ElementType::u32 && type != ElementType::i32;
  const double outside = workload.boundary() == Boundary::constant ? workload.constant() : 0;
  return narrow && isInteger(workload.outputType()) && static_cast<double>(static_cast<float>(outside)) == outside;
}

}  // namespace sscope
