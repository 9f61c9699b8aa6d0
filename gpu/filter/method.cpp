#include "gpu/filter/method.h"

#include <algorithm>

namespace sscope {

namespace {

// A pass over memory costs about as much as this many multiply-adds per element.
constexpr double kTapsPerPass = 6;

int passes(const std::vector<SeparableTerm>& terms) {
  int count = 0;
  for (const SeparableTerm& term : terms)
    for (const AxisTaps& axis : term.axis) count += axis.identity() ? 0 : 1;
  return std::max(count, 1);
}

double separableCost(const Stencil& stencil) {
  return static_cast<double>(stencil.separableTaps()) + kTapsPerPass * passes(stencil.terms);
}

// Gathering is a second pass over memory.
double denseCost(const Stencil& stencil) { return static_cast<double>(stencil.denseTaps()) + kTapsPerPass * 2; }

FilterMethod denseMethod(const Operator& op, bool baked) {
  FilterMethod method;
  method.name = op.name;
  method.kind = baked ? FilterMethod::Kind::DenseBaked : FilterMethod::Kind::Dense;
  method.taps = op.stencil()->expanded();
  return method;
}

FilterMethod separableMethod(const Operator& op, const Stencil& stencil) {
  FilterMethod method;
  method.name = op.name;
  method.kind = FilterMethod::Kind::Separable;
  method.terms = stencil.terms;
  return method;
}

FilterMethod rankMethod(const Operator& op, FilterVariant variant) {
  FilterMethod method;
  method.name = op.name;
  method.kind = selectable(op) && variant != FilterVariant::Bisection ? FilterMethod::Kind::Selection
                                                                      : FilterMethod::Kind::Bisection;
  method.window = *op.window();
  return method;
}

FilterMethod stencilMethod(const Operator& op, const FilterWorkload& workload, FilterVariant variant,
                           std::string& why) {
  if (variant == FilterVariant::Dense || variant == FilterVariant::DenseBaked)
    return denseMethod(op, variant == FilterVariant::DenseBaked);
  const Stencil& given = *op.stencil();
  const Stencil stencil = factored(given);
  const bool cheaper = separableCost(stencil) < denseCost(stencil);
  const bool separable =
      stencil.separable() && (variant == FilterVariant::Separable || cheaper || workload.denseMayDiffer(stencil));
  if (variant == FilterVariant::Auto) {
    const std::string dense = std::to_string(given.denseTaps());
    const std::string apart = std::to_string(stencil.separableTaps());
    if (separable) {
      why = "separable, " + apart + " taps in " + std::to_string(passes(stencil.terms)) + " passes instead of " +
            dense + " at once";
      if (!cheaper) why += ", which keep NaN and Inf where the terms reach";
    } else if (stencil.separable()) {
      why = "dense, " + dense + " taps at once are cheaper than " + apart + " in " +
            std::to_string(passes(stencil.terms)) + " passes";
    } else {
      why = "dense, " + dense + " taps, not separable";
    }
  }
  return separable ? separableMethod(op, stencil) : denseMethod(op, false);
}

}  // namespace

double FilterMethod::executedTaps() const {
  switch (kind) {
    case Kind::Dense:
    case Kind::DenseBaked: return static_cast<double>(taps.count());
    case Kind::Selection:
    case Kind::Bisection: return static_cast<double>(window.count());
    case Kind::Separable: break;
  }
  Stencil stencil;
  stencil.terms = terms;
  return static_cast<double>(stencil.separableTaps());
}

std::string_view toString(FilterMethod::Kind kind) {
  switch (kind) {
    case FilterMethod::Kind::Separable: return "separable";
    case FilterMethod::Kind::Dense: return "dense";
    case FilterMethod::Kind::DenseBaked: return "dense-baked";
    case FilterMethod::Kind::Selection: return "selection";
    case FilterMethod::Kind::Bisection: break;
  }
  return "bisection";
}

std::string whyNotSeparable(const FilterWorkload& workload) {
  bool linear = false;
  for (const Operator& op : workload.operators()) {
    if (op.stencil() == nullptr) continue;
    linear = true;
    if (!factored(*op.stencil()).separable())
      return "the filter " + op.name + " is not a product of lines along the axes";
  }
  return linear ? "" : "no filter of the bank is linear";
}

bool selectable(const Operator& op) {
  const RankWindow* window = op.window();
  return window != nullptr && window->count() >= 3 && window->count() % 2 == 1 &&
         window->count() <= kMostSelectedOnDevices && window->rank == window->count() / 2;
}

std::vector<FilterMethod> chooseMethods(const FilterWorkload& workload, FilterVariant variant, std::string& why) {
  std::vector<FilterMethod> methods;
  for (const Operator& op : workload.operators()) {
    std::string one;
    if (op.stencil() != nullptr) {
      methods.push_back(stencilMethod(op, workload, variant, one));
    } else {
      methods.push_back(rankMethod(op, variant));
      if (variant == FilterVariant::Auto)
        one = std::string(toString(methods.back().kind)) + ", the median of " + std::to_string(op.taps()) + " values";
    }
    if (!one.empty()) why += (why.empty() ? "" : "; ") + op.name + ": " + one;
  }
  return methods;
}

}  // namespace sscope
