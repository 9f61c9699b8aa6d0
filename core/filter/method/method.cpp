#include "core/filter/method/method.h"

#include <utility>

#include "core/filter/low_rank.h"

namespace sscope {

namespace {

// The number of 32-bit comparisons that take as long as one of these values.
double share(const MethodOutputs& outputs, bool vectors) {
  return vectors ? static_cast<double>(bytesOf(outputs.ordered)) / 4 : 1;
}

// Minima and maxima of two values for each output. In vectors they keep a processor busy as comparisons do not.
MethodWork mergingWork(const Operator& op, const MethodOutputs& outputs, bool vectors) {
  const double few = op.taps() == 9 ? 18 : op.taps() == 25 ? 70 : 94, each = vectors ? 0.2 * few : few;
  return {.comparisons = each * share(outputs, vectors) * outputs.count(), .executed = few * outputs.count()};
}

// About one and a half exchanges for each held value; their number falls by one with every added value. An exchange
// takes as long as 1.1 multiply-adds, a comparison as 0.7.
constexpr double kPair = 1.1 / 0.7;

MethodWork selectionWork(const Operator& op, const MethodOutputs& outputs, bool vectors) {
  const double held = static_cast<double>(op.taps()) / 2 + 2;
  return {.comparisons = 0.75 * held * held * kPair * share(outputs, vectors) * outputs.count()};
}

// The number of bits that real data use.
double halvings(ElementType ordered) {
  switch (bytesOf(ordered)) {
    case 1: return 8;
    case 2: return 13;
    case 4: return 24;
    default: return 40;
  }
}

MethodWork bisectionWork(const Operator& op, const MethodOutputs& outputs, bool vectors) {
  return {.comparisons = 2 * halvings(outputs.ordered) * static_cast<double>(op.taps()) * share(outputs, vectors) *
                         outputs.count()};
}

// Passes along the axes of a box; of other windows one comparison for each line along x.
MethodWork linesWork(const Operator& op, const MethodOutputs& outputs, bool vectors) {
  const RankWindow& window = *op.window();
  const double passes = vectors ? 4 : 30, lines = (vectors ? 0.4 : 1) * static_cast<double>(window.lines());
  const double each = window.box() ? passes : passes + lines;
  const double executed = window.box() ? 10 : 5 + static_cast<double>(window.lines());  // of boxes in three passes
  return {.comparisons = each * share(outputs, vectors) * outputs.count(), .executed = executed * outputs.count()};
}

using RankWork = MethodWork (*)(const Operator&, const MethodOutputs&, bool);

std::function<MethodWork(const Operator&, const MethodOutputs&)> with(RankWork work, bool vectors) {
  return [=](const Operator& op, const MethodOutputs& outputs) { return work(op, outputs, vectors); };
}

}  // namespace

std::string_view toString(MethodKind kind) {
  switch (kind) {
    case MethodKind::Dense: return "dense";
    case MethodKind::DenseBaked: return "dense-baked";
    case MethodKind::Separable: return "separable";
    case MethodKind::Fused: return "fused";
    case MethodKind::FusedBank: return "fused-bank";
    case MethodKind::LowRank: return "low-rank";
    case MethodKind::Fft: return "fft";
    case MethodKind::Merging: return "merging";
    case MethodKind::Selection: return "selection";
    case MethodKind::Bisection: return "bisection";
    case MethodKind::Histogram: return "histogram";
    case MethodKind::Weighted: return "weighted";
    case MethodKind::Counting: return "counting";
    case MethodKind::Lines: break;
  }
  return "lines";
}

bool sharesWork(const Operator& a, const Operator& b) { return a.size() == b.size() && a.anchor() == b.anchor(); }

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

bool mergesRows(const RankWindow& window) {
  using Size = std::array<std::int64_t, 3>;
  return window.box() && window.median() &&
         (window.size == Size{3, 3, 1} || window.size == Size{3, 3, 3} || window.size == Size{5, 5, 1});
}

Method mergingMethod(bool vectors) {
  const auto takes = [](const Operator& op, Precision /*precision*/) {
    return op.window() != nullptr && mergesRows(*op.window());
  };
  return {MethodKind::Merging, "the median of 3 x 3, 5 x 5 or 3 x 3 x 3 values", takes, with(mergingWork, vectors)};
}

Method selectionMethod(std::int64_t mostValues, bool vectors) {
  const auto takes = [mostValues](const Operator& op, Precision /*precision*/) {
    const RankWindow* window = op.window();
    return window != nullptr && window->median() && window->count() >= 3 && window->count() <= mostValues;
  };
  return {MethodKind::Selection, "the median of at most " + std::to_string(mostValues) + " values", takes,
          with(selectionWork, vectors)};
}

Method bisectionMethod(bool vectors) {
  const auto takes = [](const Operator& op, Precision /*precision*/) { return op.window() != nullptr; };
  return {MethodKind::Bisection, "an order statistic", takes, with(bisectionWork, vectors)};
}

Method histogramMethod() {
  const auto takes = [](const Operator& op, Precision /*precision*/) {
    return op.window() != nullptr && op.window()->box();
  };
  // A search, and the values that enter and leave for each plane of the box.
  const auto work = [](const Operator& op, const MethodOutputs& outputs) {
    constexpr double kSearch = 1250, kPlane = 167;
    return MethodWork{.comparisons = (kSearch + kPlane * static_cast<double>(op.size()[2])) * outputs.count()};
  };
  return {.kind = MethodKind::Histogram,
          .what = "an order statistic of a box",
          .takes = takes,
          .work = work,
          .ofBytes = true};
}

Method linesMethod(bool vectors) {
  const auto takes = [](const Operator& op, Precision /*precision*/) {
    return op.window() != nullptr && (op.window()->minimum() || op.window()->maximum());
  };
  return {MethodKind::Lines, "a minimum or a maximum", takes, with(linesWork, vectors)};
}

Method weightedMethod(double perWeight, double perSum) {
  const auto takes = [](const Operator& op, Precision /*precision*/) { return op.range() != nullptr; };
  const auto work = [perWeight, perSum](const Operator& op, const MethodOutputs& outputs) {
    const auto& patch = op.range()->patch;
    const auto sums = static_cast<double>(2 * (patch[0] + patch[1] + patch[2]));
    const double each = perWeight + (sums > 0 ? perSum * (sums + 3) : 0);  // including a square that is stored and read
    return MethodWork{.multiplyAdds = each * static_cast<double>(op.taps()) * outputs.count(),
                      .executed = operationsPerWeight(*op.range()) * static_cast<double>(op.taps()) * outputs.count()};
  };
  return {MethodKind::Weighted, "a mean weighted by likeness", takes, work};
}

Method countingMethod(double perValue) {
  const auto takes = [](const Operator& op, Precision /*precision*/) { return op.entropy() != nullptr; };
  // From one output to the next, each line of the window gains one value and loses one.
  const auto work = [perValue](const Operator& op, const MethodOutputs& outputs) {
    const double moved = 2 * static_cast<double>(op.entropy()->shape.lines()) * outputs.count();
    return MethodWork{.comparisons = perValue * moved, .executed = moved};
  };
  return {MethodKind::Counting, "an entropy", takes, work};
}

}  // namespace sscope
