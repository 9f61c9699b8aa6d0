#include "gpu/filter/methods.h"

#include <algorithm>

#include "gpu/filter/fft_shape.h"

namespace sscope {

namespace {

bool linear(const Operator& op) { return op.stencil() != nullptr; }

int passes(const std::vector<SeparableTerm>& terms) {
  int count = 0;
  for (const SeparableTerm& term : terms)
    for (const AxisTaps& axis : term.axis) count += axis.identity() ? 0 : 1;
  return std::max(count, 1);
}

MethodWork passWork(double taps, int passes, const MethodOutputs& outputs) {
  return {.multiplyAdds = taps * outputs.count(), .bytes = 2 * passes * outputs.realBytes() * outputs.count()};
}

MethodWork separableWork(const Operator& op, const MethodOutputs& outputs) {
  const Stencil stencil = factored(*op.stencil());
  return passWork(static_cast<double>(stencil.separableTaps()), passes(stencil.terms), outputs);
}

// Some term has several axes, and all have few taps.
bool fusible(const Operator& op) {
  if (!linear(op)) return false;
  const Stencil stencil = factored(*op.stencil());
  bool several = false;
  for (const SeparableTerm& term : stencil.terms) {
    int axes = 0;
    for (const AxisTaps& axis : term.axis) {
      if (axis.size() > kMostFusedTaps) return false;
      axes += axis.identity() ? 0 : 1;
    }
    several = several || axes > 1;
  }
  return several;
}

// A pass for each term.
MethodWork fusedWork(const Operator& op, const MethodOutputs& outputs) {
  const Stencil stencil = factored(*op.stencil());
  return passWork(static_cast<double>(stencil.separableTaps()), static_cast<int>(stencil.terms.size()), outputs);
}

// Gathering is a second pass over memory.
MethodWork denseWork(const Operator& op, const MethodOutputs& outputs) {
  return passWork(static_cast<double>(op.taps()), 2, outputs);
}

// As if the device had room for all tiles that most have.
MethodWork fftWork(const Operator& op, const MethodOutputs& outputs) {
  constexpr std::int64_t kUsualLocalBytes = 200 << 10, kUsualGroup = 1024;
  const auto shape = fftShape(op.size(), outputs.extent, outputs.precision, kUsualLocalBytes, kUsualGroup);
  return {.multiplyAdds = shape->multiplyAdds, .executed = shape->operations};
}

std::vector<Method> methodsOn(bool processor) {
  const std::string few = std::to_string(kMostFusedTaps);
  return {{MethodKind::Dense, "linear", linear, denseWork},
          {MethodKind::DenseBaked, "linear", linear, denseWork, true},
          {MethodKind::Separable, "separable",
           [](const Operator& op) { return linear(op) && factored(*op.stencil()).separable(); }, separableWork},
          {MethodKind::Fused, "separable along several axes with at most " + few + " taps along each", fusible,
           fusedWork, processor},
          {.kind = MethodKind::Fft,
           .what = "linear with few enough taps for transforms",
           .takes = [](const Operator& op) { return linear(op) && fftTakesOnDevices(op.size()); },
           .work = fftWork,
           .onlyAsked = processor,
           .mixesOutputs = true},
          selectionMethod(kMostSelectedOnDevices),
          bisectionMethod()};
}

}  // namespace

std::span<const Method> deviceFilterMethods(bool processor) {
  static const std::vector<Method> graphics = methodsOn(false), processors = methodsOn(true);
  return processor ? processors : graphics;
}

double FilterMethod::executedTaps() const {
  if (kind == MethodKind::Selection || kind == MethodKind::Bisection) return static_cast<double>(window.count());
  if (!keepsTerms(kind)) return static_cast<double>(taps.count());
  Stencil stencil;
  stencil.terms = terms;
  return static_cast<double>(stencil.separableTaps());
}

std::vector<FilterMethod> methodsOf(const FilterWorkload& workload, const MethodChoice& choice) {
  std::vector<FilterMethod> methods;
  for (std::size_t f = 0; f < choice.methods.size(); ++f) {
    const Operator& op = workload.operators()[f];
    FilterMethod& method = methods.emplace_back();
    method.name = op.name;
    method.kind = choice.methods[f];
    if (!linear(op)) {
      method.window = *op.window();
    } else if (keepsTerms(method.kind)) {
      method.terms = factored(*op.stencil()).terms;
    } else {
      method.taps = op.stencil()->expanded();
    }
  }
  return methods;
}

std::string whyNotSeparable(const FilterWorkload& workload) {
  for (const Operator& op : workload.operators())
    if (linear(op) && !factored(*op.stencil()).separable())
      return "the filter " + op.name + " is not a product of lines along the axes";
  return {};
}

}  // namespace sscope
