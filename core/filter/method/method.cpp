#include "core/filter/method/method.h"

namespace sscope {

namespace {

// About one and a half pairs put in order for each value held, of which there is one less with every value that is
// added; a pair takes as long as 1.1 multiply-adds, a comparison as 0.7.
constexpr double kPair = 1.1 / 0.7;

MethodWork selectionWork(const Operator& op, const MethodOutputs& outputs) {
  const double held = static_cast<double>(op.taps()) / 2 + 2;
  return {.comparisons = 0.75 * held * held * kPair * outputs.count()};
}

MethodWork bisectionWork(const Operator& op, const MethodOutputs& outputs) {
  const double halvings = outputs.precision == Precision::f32 ? 24 : 40;  // of what real data use of 32 or 64 bits
  return {.comparisons = 2 * halvings * static_cast<double>(op.taps()) * outputs.count()};
}

}  // namespace

std::string_view toString(MethodKind kind) {
  switch (kind) {
    case MethodKind::Dense: return "dense";
    case MethodKind::DenseBaked: return "dense-baked";
    case MethodKind::Separable: return "separable";
    case MethodKind::Fused: return "fused";
    case MethodKind::Fft: return "fft";
    case MethodKind::Selection: return "selection";
    case MethodKind::Bisection: break;
  }
  return "bisection";
}

Method selectionMethod(std::int64_t mostValues) {
  const auto takes = [mostValues](const Operator& op) {
    const RankWindow* window = op.window();
    return window != nullptr && window->count() >= 3 && window->count() % 2 == 1 && window->count() <= mostValues &&
           window->rank == window->count() / 2;
  };
  return {MethodKind::Selection, "the median of at most " + std::to_string(mostValues) + " values", takes,
          selectionWork};
}

Method bisectionMethod() {
  return {MethodKind::Bisection, "a median", [](const Operator& op) { return op.window() != nullptr; }, bisectionWork};
}

}  // namespace sscope
