#include "core/filter/method/method.h"

#include <utility>

#include "core/filter/low_rank.h"

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
    case MethodKind::LowRank: return "low-rank";
    case MethodKind::Fft: return "fft";
    case MethodKind::Selection: return "selection";
    case MethodKind::Bisection: return "bisection";
    case MethodKind::Weighted: break;
  }
  return "weighted";
}

Method lowRankMethod(
    std::function<MethodWork(const std::vector<SeparableTerm>& terms, const MethodOutputs& outputs)> work,
    bool doubles) {
  const auto takes = [doubles](const Operator& op, Precision precision) {
    if (op.stencil() == nullptr || op.stencil()->separable()) return false;
    const auto sum = lowRankSum(op.stencil()->dense, precision);
    return sum != nullptr && (doubles || !sum->wide);
  };
  const auto ofTerms = [work = std::move(work)](const Operator& op, const MethodOutputs& outputs) {
    const auto sum = lowRankSum(op.stencil()->dense, outputs.precision);
    MethodWork all = work(sum->terms, outputs);
    Stencil stencil;
    stencil.terms = sum->terms;
    if (all.executed == 0) all.executed = 2 * static_cast<double>(stencil.separableTaps()) * outputs.count();
    if (sum->wide) {
      all.wideMultiplyAdds = std::exchange(all.multiplyAdds, 0.0);
      all.bytes *= 2;
    }
    return all;
  };
  return {.kind = MethodKind::LowRank,
          .what = "a sum of few products of lines that rounds as the dense sum does",
          .takes = takes,
          .work = ofTerms,
          .approximates = true};
}

Method selectionMethod(std::int64_t mostValues) {
  const auto takes = [mostValues](const Operator& op, Precision /*precision*/) {
    const RankWindow* window = op.window();
    return window != nullptr && window->count() >= 3 && window->count() % 2 == 1 && window->count() <= mostValues &&
           window->rank == window->count() / 2;
  };
  return {MethodKind::Selection, "the median of at most " + std::to_string(mostValues) + " values", takes,
          selectionWork};
}

Method bisectionMethod() {
  const auto takes = [](const Operator& op, Precision /*precision*/) { return op.window() != nullptr; };
  return {MethodKind::Bisection, "a median", takes, bisectionWork};
}

Method weightedMethod(double perWeight, double perSum) {
  const auto takes = [](const Operator& op, Precision /*precision*/) { return op.range() != nullptr; };
  const auto work = [perWeight, perSum](const Operator& op, const MethodOutputs& outputs) {
    const auto& patch = op.range()->patch;
    const auto sums = static_cast<double>(2 * (patch[0] + patch[1] + patch[2]));
    const double each = perWeight + (sums > 0 ? perSum * (sums + 3) : 0);  // and a square, stored and read
    return MethodWork{.multiplyAdds = each * static_cast<double>(op.taps()) * outputs.count(),
                      .executed = operationsPerWeight(*op.range()) * static_cast<double>(op.taps()) * outputs.count()};
  };
  return {MethodKind::Weighted, "a mean weighted by likeness", takes, work};
}

}  // namespace sscope
