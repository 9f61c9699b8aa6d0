#include "core/cpu/filter/method_choice.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/cpu/filter/rank_kernels.h"

namespace sscope::cpu {

namespace {

// Only the ratio of the two estimates matters. Their unit is one multiply-add of a dense filter; the constants come
// from measured boxes of 3 to 13 taps in two and three dimensions (docs/performance.md).
constexpr double kTapAlongX = 2.5;   // loads cross cache lines and are not shared between rows
constexpr double kPassOverhead = 3;  // a trip through the cache

// Of finding a median: two values put in order, which lie in the nearest cache, and one compared (windows of 27 to
// 125).
constexpr double kPair = 1.1, kComparison = 0.7;

bool linear(const Operator& op) { return op.stencil() != nullptr; }
bool separable(const Operator& op) { return linear(op) && op.stencil()->separable(); }
bool ranked(const Operator& op) { return op.window() != nullptr; }
bool selectable(const Operator& op) {
  const RankWindow* window = op.window();
  return window != nullptr && window->count() >= 3 && window->count() % 2 == 1 && window->count() <= kMostSelected &&
         window->rank == window->count() / 2;
}

double denseCost(const Operator& op, Precision) { return static_cast<double>(op.taps()); }

double separableCost(const Operator& op, Precision) {
  double cost = 0;
  const auto& terms = op.stencil()->terms;
  for (const SeparableTerm& term : terms)
    for (std::size_t a = 0; a < 3; ++a) {
      // Axes that are not touched are skipped, but only when there is nothing to add up.
      if (terms.size() == 1 && term.axis[a].identity()) continue;
      cost += static_cast<double>(term.axis[a].size()) * (a == 0 ? kTapAlongX : 1) + kPassOverhead;
    }
  return cost;
}

// About one and a half pairs for each value held, of which there is one less with every value that is added.
double selectionCost(const Operator& op, Precision) {
  const double held = static_cast<double>(op.taps()) / 2 + 2;
  return 0.75 * held * held * kPair;
}

double bisectionCost(const Operator& op, Precision precision) {
  const double halvings = precision == Precision::f32 ? 24 : 40;  // of what real data use of 32 or 64 bits
  return 2 * halvings * static_cast<double>(op.taps()) * kComparison;
}

constexpr std::array<MethodRow, 4> kMethods{{{Method::Dense, "dense", linear, denseCost},
                                             {Method::Separable, "separable", separable, separableCost},
                                             {Method::Selection, "selection", selectable, selectionCost},
                                             {Method::Bisection, "bisection", ranked, bisectionCost}}};

const MethodRow& rowOf(Method method) { return kMethods[static_cast<std::size_t>(method)]; }

const MethodRow& cheapest(const Operator& op, Precision precision) {
  const MethodRow* best = nullptr;
  for (const MethodRow& row : kMethods)
    if (row.takes(op) && (best == nullptr || row.cost(op, precision) < best->cost(op, precision))) best = &row;
  return *best;
}

std::string rounded(double value) { return std::to_string(static_cast<std::int64_t>(std::lround(value))); }

// "dense: a, b; separable: c".
std::string grouped(const FilterWorkload& workload, const std::vector<Method>& methods) {
  std::string text;
  for (const MethodRow& row : kMethods) {
    std::string names;
    for (std::size_t f = 0; f < methods.size(); ++f)
      if (methods[f] == row.method) names += (names.empty() ? "" : ", ") + workload.operators()[f].name;
    if (!names.empty()) text += (text.empty() ? "" : "; ") + std::string(row.name) + ": " + names;
  }
  return text;
}

std::string whyOne(const FilterWorkload& workload, Method chosen, bool forNaN) {
  const Operator& op = workload.operators()[0];
  const auto estimate = [&](Method method) { return rounded(rowOf(method).cost(op, workload.precision())); };
  if (op.stencil() == nullptr) {
    const std::string found =
        std::string(rowOf(chosen).name) + ": the median of " + std::to_string(op.taps()) + " values, ";
    return found + (selectable(op)
                        ? "estimated as " + estimate(Method::Selection) + " operations per voxel by selection, " +
                              estimate(Method::Bisection) + " by bisection"
                        : "too many for selection");
  }
  if (!separable(op)) return "dense: the taps cannot be factored";
  return std::string(rowOf(chosen).name) + ": estimated " + estimate(Method::Dense) +
         " operations per voxel densely, " + estimate(Method::Separable) + " in passes" +
         (forNaN ? ", which keep NaN and Inf where the terms reach" : "");
}

}  // namespace

std::span<const MethodRow> methodRows() { return kMethods; }

std::string_view toString(Method method) { return rowOf(method).name; }

MethodChoice chooseMethods(const FilterWorkload& workload, MethodRequest request) {
  MethodChoice choice;
  std::string others;  // which the requested method does not take
  bool anySum = false;
  for (const Operator& op : workload.operators()) {
    Method method = cheapest(op, workload.precision()).method;
    // One sum over the box of all taps may give other NaN and Inf than passes: nobody chooses it unasked.
    const bool sum = separable(op) && workload.denseMayDiffer(*op.stencil());
    if (sum && method == Method::Dense) method = Method::Separable;
    if (request && rowOf(*request).takes(op)) {
      method = *request;
    } else if (request) {
      others += (others.empty() ? "" : ", ") + op.name;
    }
    anySum = anySum || sum;
    choice.methods.push_back(method);
  }
  if (request && !others.empty())
    choice.why =
        *request == Method::Separable && std::all_of(workload.operators().begin(), workload.operators().end(), linear)
            ? others + " cannot be factored and runs densely"
            : std::string(toString(*request)) + " does not suit all: " + grouped(workload, choice.methods);
  if (request) return choice;
  if (choice.methods.size() == 1) {
    const bool forNaN = anySum && denseCost(workload.operators()[0], workload.precision()) <=
                                      separableCost(workload.operators()[0], workload.precision());
    choice.why = whyOne(workload, choice.methods[0], forNaN);
    return choice;
  }
  const std::string exact = anySum ? "; sums of products in passes, which keep NaN and Inf in place" : "";
  choice.why = grouped(workload, choice.methods) + " (fewer estimated operations per voxel" + exact + ")";
  return choice;
}

std::string unsupportedReason(const FilterWorkload& workload, MethodRequest request) {
  const auto& operators = workload.operators();
  if (request && std::none_of(operators.begin(), operators.end(), rowOf(*request).takes)) {
    switch (*request) {
      case Method::Dense: return "no filter of the bank is linear";
      case Method::Separable: return "no filter of the bank is separable";
      case Method::Selection:
        return "no filter of the bank is the median of at most " + std::to_string(kMostSelected) + " values";
      case Method::Bisection: return "no filter of the bank is a median";
    }
  }
  return denseRestriction(workload, request == Method::Dense);
}

namespace {

// The axis whose elements fill the vectors: x, where elements are neighbors in memory, unless the region is a
// slice across x.
std::size_t vectorAxis(const FilterWorkload& workload) {
  constexpr std::int64_t kEnough = 32;
  if (workload.region().size(0) >= kEnough) return 0;
  std::size_t longest = 0;
  for (std::size_t a = 1; a < 3; ++a)
    if (workload.region().size(static_cast<int>(a)) > 4 * workload.region().size(static_cast<int>(longest)))
      longest = a;
  return longest;
}

AxisOrder withRows(std::size_t x, bool swap) {
  const std::size_t lower = x == 0 ? 1 : 0, upper = x == 2 ? 1 : 2;
  return swap ? AxisOrder{x, upper, lower} : AxisOrder{x, lower, upper};
}

}  // namespace

// Rows share input vectors when there are several of them and several taps across.
AxisOrder denseOrder(const FilterWorkload& workload, const std::vector<std::size_t>& filters) {
  const std::size_t x = vectorAxis(workload);
  const AxisOrder plain = withRows(x, false);
  std::array<std::int64_t, 3> taps{1, 1, 1};
  for (const std::size_t f : filters)
    for (std::size_t a = 0; a < 3; ++a) taps[a] = std::max(taps[a], workload.operators()[f].size()[a]);
  const auto sharing = [&](std::size_t axis) {
    return std::min({taps[axis], workload.region().size(static_cast<int>(axis)), std::int64_t{5}});
  };
  return withRows(x, sharing(plain[2]) > sharing(plain[1]));
}

// Planes are walked along, which needs no halo; an image filtered in its plane is one plane. A slice of a volume is
// walked along its rows instead, so that the planes it needs beside it are packed once.
AxisOrder separableOrder(const FilterWorkload& workload, std::size_t filter) {
  const std::size_t x = vectorAxis(workload);
  const AxisOrder plain = withRows(x, false);
  const auto size = [&](std::size_t axis) { return workload.region().size(static_cast<int>(axis)); };
  const bool slice = size(plain[1]) > 4 * size(plain[2]) && workload.operators()[filter].size()[plain[2]] > 1;
  return withRows(x, slice);
}

}  // namespace sscope::cpu
