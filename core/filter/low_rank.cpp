#include "core/filter/low_rank.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <mutex>
#include <utility>

namespace sscope {

namespace {

// Rows of `columns` numbers.
struct Matrix {
  std::size_t columns = 1;
  std::vector<double> values;

  [[nodiscard]] std::size_t rows() const { return values.size() / columns; }
};

// Their product is a matrix of rank one.
struct Cross {
  std::vector<double> column, row;
};

// Crosses whose remainder is at most `tolerance` at each element.
std::optional<std::vector<Cross>> crossesOf(Matrix rest, const std::vector<double>& tolerance, std::size_t most,
                                            const Control& control = {}) {
  std::vector<Cross> crosses;
  for (;;) {
    control.check();
    std::size_t pivot = 0;
    bool enough = true;
    for (std::size_t i = 0; i < rest.values.size(); ++i) {
      if (std::abs(rest.values[i]) > std::abs(rest.values[pivot])) pivot = i;
      enough = enough && std::abs(rest.values[i]) <= tolerance[i];
    }
    if (enough) return crosses;
    if (crosses.size() == most) return {};
    const std::size_t n = rest.columns, row = pivot / n, column = pivot % n;
    Cross cross;
    const double largest = rest.values[pivot];
    for (std::size_t i = 0; i < rest.rows(); ++i) cross.column.push_back(rest.values[i * n + column]);
    for (std::size_t j = 0; j < n; ++j) cross.row.push_back(rest.values[row * n + j] / largest);
    for (std::size_t i = 0; i < rest.rows(); ++i)
      for (std::size_t j = 0; j < n; ++j)
        rest.values[i * n + j] = i == row || j == column ? 0 : rest.values[i * n + j] - cross.column[i] * cross.row[j];
    crosses.push_back(std::move(cross));
  }
}

// The taps as a matrix: rows are positions along `outer`, columns all others, lower axes fastest.
Matrix unfolded(const DenseTaps& taps, std::size_t outer) {
  std::array<std::size_t, 2> inner{};
  for (std::size_t a = 0, i = 0; a < 3; ++a)
    if (a != outer) inner[i++] = a;
  Matrix matrix;
  matrix.columns = static_cast<std::size_t>(taps.size[inner[0]] * taps.size[inner[1]]);
  std::array<std::int64_t, 3> at{};
  for (at[outer] = 0; at[outer] < taps.size[outer]; ++at[outer])
    for (at[inner[1]] = 0; at[inner[1]] < taps.size[inner[1]]; ++at[inner[1]])
      for (at[inner[0]] = 0; at[inner[0]] < taps.size[inner[0]]; ++at[inner[0]])
        matrix.values.push_back(taps.at(at[0], at[1], at[2]));
  return matrix;
}

std::vector<double> magnitudes(const std::vector<double>& values, double factor) {
  std::vector<double> all;
  for (const double value : values) all.push_back(factor * std::abs(value));
  return all;
}

// The allowed remainder of a plane that `column` multiplies, so that the error of each tap is at most `tolerance` of
// itself.
std::vector<double> planeTolerance(const Matrix& taps, const std::vector<double>& column, double tolerance) {
  std::vector<double> most(taps.columns, std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < taps.rows(); ++i)
    for (std::size_t j = 0; j < taps.columns && column[i] != 0; ++j)
      most[j] = std::min(most[j], tolerance * std::abs(taps.values[i * taps.columns + j] / column[i]));
  return most;
}

// The axis that holds the magnitude of a term; the largest weights of the others are 1.
std::size_t carrier(const DenseTaps& taps) {
  for (std::size_t a = 0; a < 3; ++a)
    if (taps.size[a] > 1) return a;
  return 0;
}

void normalize(SeparableTerm& term, std::size_t carrier) {
  for (std::size_t a = 0; a < 3; ++a) {
    if (a == carrier) continue;
    const double largest = *std::ranges::max_element(term.axis[a].weights, {}, [](double w) { return std::abs(w); });
    for (double& w : term.axis[a].weights) w /= largest;
    for (double& w : term.axis[carrier].weights) w *= largest;
  }
}

std::vector<SeparableTerm> termsAlong(std::size_t outer, const DenseTaps& taps, double tolerance, std::size_t most) {
  const Matrix matrix = unfolded(taps, outer);
  const auto planes = crossesOf(matrix, magnitudes(matrix.values, tolerance / 2), most);
  if (!planes) return {};
  const std::size_t lower = outer == 0 ? 1 : 0, upper = outer == 2 ? 1 : 2;
  std::vector<SeparableTerm> terms;
  for (const Cross& plane : *planes) {
    const double share = tolerance / 2 / static_cast<double>(planes->size());
    const auto lines = crossesOf({static_cast<std::size_t>(taps.size[lower]), plane.row},
                                 planeTolerance(matrix, plane.column, share), most - std::min(most, terms.size()));
    if (!lines) return {};
    for (const Cross& line : *lines) {
      SeparableTerm term;
      term.axis[outer].weights = plane.column;
      term.axis[lower].weights = line.row;
      term.axis[upper].weights = line.column;
      for (std::size_t a = 0; a < 3; ++a) term.axis[a].anchor = taps.anchor[a];
      normalize(term, carrier(taps));
      terms.push_back(std::move(term));
    }
  }
  return terms;
}

// Empty if a term is nonzero where the tap is zero.
std::optional<LowRank> judged(std::vector<SeparableTerm> terms, const DenseTaps& taps) {
  LowRank result{std::move(terms), 0, 1};
  Stencil sum, magnitude;
  sum.terms = magnitude.terms = result.terms;
  for (std::size_t t = 0; t < sum.terms.size(); ++t)
    for (std::size_t a = 0; a < 3; ++a) {
      sum.terms[t].axis[a].anchor = magnitude.terms[t].axis[a].anchor = 0;  // an anchor outside would enlarge the box
      for (double& w : magnitude.terms[t].axis[a].weights) w = std::abs(w);
    }
  const std::vector<double> all = sum.expanded().weights, scale = magnitude.expanded().weights;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double tap = std::abs(taps.weights[i]);
    if (tap == 0 && scale[i] == 0) continue;
    if (tap == 0) return {};
    // The sum here rounds as well.
    const double rounding = 4 * static_cast<double>(result.terms.size()) * 0x1p-53 * scale[i];
    result.remainder = std::max(result.remainder, (std::abs(all[i] - taps.weights[i]) + rounding) / tap);
    result.amplification = std::max(result.amplification, scale[i] / tap);
  }
  return result;
}

constexpr double kSmallest = 1e-30, kLargest = 1e30;
// The factors are limited, because they amplify values that were flushed to zero.
constexpr double kLargestNarrow = 16;

bool moderate(double largest) { return largest >= kSmallest && largest <= kLargest; }

double largestTap(const DenseTaps& taps) {
  double largest = 0;
  for (const double w : taps.weights) {
    if (!std::isfinite(w)) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, std::abs(w));
  }
  return largest;
}

std::shared_ptr<const LowRankSum> sumOf(const DenseTaps& taps, Precision precision) {
  constexpr std::size_t kMostTerms = 16;  // engines hold a tile for each
  const std::int64_t lines = taps.size[0] + taps.size[1] + taps.size[2];
  const double largest = largestTap(taps);
  if (taps.count() <= 2 * lines || !moderate(largest)) return nullptr;
  Stencil dense;
  dense.dense = taps;
  if (factored(dense).separable()) return nullptr;
  const auto most = std::min(kMostTerms, static_cast<std::size_t>(taps.count() / lines));
  const bool narrow = precision == Precision::f32;
  const double accepted = narrow ? 1e-6 * std::sqrt(static_cast<double>(taps.count())) : 1e-13;
  auto found = lowRank(taps, accepted / 4, most);
  if (!found) return nullptr;
  // Roundings of one output: each weight, then a product and a sum for each weight, the sum of the terms, and the
  // conversion of the result.
  const double roundings = static_cast<double>(lines) + static_cast<double>(found->terms.size()) + 6;
  const auto fits = [&](double unit, double stored) {
    const double share = roundings * unit / (1 - roundings * unit);
    return found->remainder + share * found->amplification + stored <= accepted;
  };
  const double unit = narrow ? 0x1p-24 : 0x1p-53;
  if (largest <= kLargestNarrow && fits(unit, 0))
    return std::make_shared<const LowRankSum>(LowRankSum{std::move(found->terms), false});
  if (narrow && fits(0x1p-53, 0x1p-24))
    return std::make_shared<const LowRankSum>(LowRankSum{std::move(found->terms), true});
  return nullptr;
}

}  // namespace

std::optional<LowRank> lowRank(const DenseTaps& taps, double tolerance, std::size_t most) {
  if (const double largest = largestTap(taps); !(largest > 0) || std::isinf(largest)) return {};
  std::vector<SeparableTerm> best;
  for (const std::size_t outer : {std::size_t{2}, std::size_t{1}, std::size_t{0}}) {
    std::vector<SeparableTerm> terms = termsAlong(outer, taps, tolerance, most);
    if (!terms.empty() && (best.empty() || terms.size() < best.size())) best = std::move(terms);
    if (taps.size[outer] == 1) break;  // the other axes make the same terms
  }
  if (best.empty()) return {};
  auto result = judged(std::move(best), taps);
  if (!result || !(result->remainder <= tolerance)) return {};
  return result;
}

std::optional<std::size_t> crossRank(const DenseTaps& taps, double tolerance, std::size_t most,
                                     const Control& control) {
  const double largest = largestTap(taps);
  if (std::isinf(largest)) return {};
  if (largest == 0) return 0;
  // The rows of crosses are at most 1.
  const auto crosses = [&](Matrix matrix, double left) {
    const std::vector<double> uniform(matrix.values.size(), left);
    return crossesOf(std::move(matrix), uniform, most, control);
  };
  std::optional<std::size_t> best;
  for (const std::size_t outer : {std::size_t{2}, std::size_t{1}, std::size_t{0}}) {
    const auto planes = crosses(unfolded(taps, outer), tolerance * largest);
    std::size_t terms = 0;
    bool found = planes.has_value();
    for (std::size_t p = 0; found && p < planes->size(); ++p) {
      const std::size_t lower = outer == 0 ? 1 : 0;
      const auto lines = crosses({static_cast<std::size_t>(taps.size[lower]), (*planes)[p].row}, tolerance);
      found = lines.has_value();
      if (found) terms += lines->size();
    }
    if (found && terms <= most && (!best || terms < *best)) best = terms;
    if (taps.size[outer] == 1) break;  // the other axes make the same terms
  }
  return best;
}

// The choice of a method, the prediction of its time and the preparation need the same taps, so the last results are
// kept.
std::shared_ptr<const LowRankSum> lowRankSum(const DenseTaps& taps, Precision precision) {
  struct Answer {
    DenseTaps taps;
    Precision precision;
    std::shared_ptr<const LowRankSum> sum;
  };
  constexpr std::size_t kKept = 16;
  static std::mutex mutex;
  static std::deque<Answer> answers;
  {
    const std::lock_guard lock(mutex);
    for (const Answer& answer : answers)
      if (answer.precision == precision && answer.taps == taps) return answer.sum;
  }
  auto sum = sumOf(taps, precision);
  const std::lock_guard lock(mutex);
  answers.push_front({taps, precision, sum});
  if (answers.size() > kKept) answers.pop_back();
  return sum;
}

}  // namespace sscope
