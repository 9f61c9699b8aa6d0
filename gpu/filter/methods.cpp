#include "gpu/filter/methods.h"

#include <algorithm>
#include <array>

#include "core/base/overloaded.h"
#include "core/filter/low_rank.h"
#include "gpu/filter/fft_shape.h"
#include "gpu/filter/fused_shape.h"

namespace sscope {

namespace {

bool linear(const Operator& op) { return op.stencil() != nullptr; }

bool filtered(const AxisTaps& axis) { return !axis.identity(); }

int passes(const std::vector<SeparableTerm>& terms) {
  std::int64_t count = 0;
  for (const SeparableTerm& term : terms) count += std::ranges::count_if(term.axis, filtered);
  return static_cast<int>(std::max<std::int64_t>(count, 1));
}

MethodWork passWork(double taps, int passes, const MethodOutputs& outputs) {
  return {.multiplyAdds = taps * outputs.count(), .bytes = 2 * passes * outputs.realBytes() * outputs.count()};
}

double tapsOf(const std::vector<SeparableTerm>& terms) {
  Stencil stencil;
  stencil.terms = terms;
  return static_cast<double>(stencil.separableTaps());
}

MethodWork separableWork(const Operator& op, const MethodOutputs& outputs) {
  const Stencil stencil = factored(*op.stencil());
  return passWork(tapsOf(stencil.terms), passes(stencil.terms), outputs);
}

bool ofFewTaps(const std::vector<SeparableTerm>& terms) {
  return std::ranges::all_of(terms, [](const SeparableTerm& term) {
    return std::ranges::all_of(term.axis, [](const AxisTaps& axis) { return axis.size() <= kMostFusedTaps; });
  });
}

// Whether some term has several axes, and all have few taps.
bool fusible(const std::vector<SeparableTerm>& terms) {
  const auto several = [](const SeparableTerm& term) { return std::ranges::count_if(term.axis, filtered) > 1; };
  return ofFewTaps(terms) && std::ranges::any_of(terms, several);
}

// A pass for each term.
MethodWork fusedWork(const Operator& op, const MethodOutputs& outputs) {
  const Stencil stencil = factored(*op.stencil());
  return passWork(tapsOf(stencil.terms), static_cast<int>(stencil.terms.size()), outputs);
}

// All axes of a term at once, where possible, else passes; then one more pass for NaN and Inf. Graphics processors take
// longer for taps along lines than for those of dense sums: on an H100 3 to 25 taps an axis take 0.064 to 0.212 ms at
// 256 x 256 x 256 all at once and 0.34 to 0.38 in three passes of 13 to 17, but 27 x 27 dense taps 0.511 ms at as many
// voxels. This does not matter for separable filters, whose costs differ more from those of dense sums.
MethodWork lowRankWork(const std::vector<SeparableTerm>& terms, const MethodOutputs& outputs, bool processor) {
  if (processor) return passWork(tapsOf(terms), passes(terms) + 1, outputs);
  struct Rate {
    double perTap, passes;
  };
  constexpr Rate kFused{3, 4}, kInPasses{6, 8};
  const bool fused = fusible(terms);
  const Rate rate = fused ? kFused : kInPasses;
  const int count = fused ? static_cast<int>(terms.size()) : passes(terms);
  MethodWork work = passWork(rate.perTap * tapsOf(terms), 1, outputs);
  work.bytes *= rate.passes * count + 4;
  return work;
}

// Gathering is a second pass over memory.
MethodWork denseWork(const Operator& op, const MethodOutputs& outputs) {
  return passWork(static_cast<double>(op.taps()), 2, outputs);
}

// Assumes a device with room for the usual tiles.
MethodWork fftWork(const Operator& op, const MethodOutputs& outputs) {
  constexpr std::int64_t kUsualLocalBytes = 200 << 10, kUsualGroup = 1024;
  const auto shape = fftShape(op.size(), outputs.extent, outputs.precision, kUsualLocalBytes, kUsualGroup);
  return {.multiplyAdds = shape->multiplyAdds, .executed = shape->operations};
}

// A graphics processor computes one exponential in the time of eight multiply-adds. Patches are summed in local memory.
constexpr double kPerWeight = 8, kPerWeightOnProcessors = 30, kPerPatchSum = 4;

// Counts in local memory wait for each other.
constexpr double kPerCount = 60;

std::vector<Method> methodsOn(bool processor, bool doubles) {
  const auto anyLinear = [](const Operator& op, Precision /*precision*/) { return linear(op); };
  const auto separable = [](const Operator& op, Precision /*precision*/) {
    return linear(op) && factored(*op.stencil()).separable();
  };
  const auto fused = [](const Operator& op, Precision /*precision*/) {
    return linear(op) && fusible(factored(*op.stencil()).terms);
  };
  const auto fewTaps = [](const Operator& op, Precision /*precision*/) {
    if (!linear(op)) return false;
    const Stencil stencil = factored(*op.stencil());
    return stencil.separable() && ofFewTaps(stencil.terms);
  };
  const auto ofTerms = [processor](const std::vector<SeparableTerm>& terms, const MethodOutputs& outputs) {
    return lowRankWork(terms, outputs, processor);
  };
  const std::string few = std::to_string(kMostFusedTaps);
  return {
      {MethodKind::Dense, "linear", anyLinear, denseWork},
      {MethodKind::DenseBaked, "linear", anyLinear, denseWork, true},
      {MethodKind::Separable, "separable", separable, separableWork},
      {MethodKind::Fused, "separable along several axes with at most " + few + " taps along each", fused, fusedWork,
       processor},
      {.kind = MethodKind::FusedBank,
       .what = "separable with at most " + few + " taps along each axis",
       .takes = fewTaps,
       .work = fusedWork,
       .onlyAsked = processor,
       .together = [](std::span<const Operator* const> ops,
                      const MethodOutputs& outputs) { return fusedBankWork(ops, outputs); }},
      lowRankMethod(ofTerms, doubles),
      {.kind = MethodKind::Fft,
       .what = "linear with few enough taps for transforms",
       .takes = [](const Operator& op, Precision /*precision*/) { return linear(op) && fftTakesOnDevices(op.size()); },
       .work = fftWork,
       .onlyAsked = processor,
       .approximates = true,
       .mixesOutputs = true},
      weightedMethod(processor ? kPerWeightOnProcessors : kPerWeight, kPerPatchSum),
      countingMethod(kPerCount),
      mergingMethod(false),
      selectionMethod(kMostSelectedOnDevices, false),
      bisectionMethod(false),
      linesMethod(false)};
}

}  // namespace

// One pass, with one read, for all terms that are computed together. More sums along z leave a work item of the usual
// tile fewer outputs along y, so that more of what is filtered along x lies around a tile, and a value that is read
// from local memory serves fewer outputs: measured on an H100, each of either takes kAround of a multiply-add of dense
// sums. Formulas take as long as in a kernel of their own (formula_plan.cpp), without what that reads and writes.
std::optional<MethodWork> fusedBankWork(std::span<const Operator* const> ops, const MethodOutputs& outputs,
                                        const std::optional<BankEnding>& ending) {
  if (ops.size() > kMostTogether) return {};
  std::vector<std::vector<SeparableTerm>> all;
  for (const Operator* op : ops) all.push_back(factored(*op->stencil()).terms);
  const FusedLines lines = fusedLines(all, ending.has_value());
  const std::int64_t rows = fusedRows(lines.queued(), outputs.precision);
  if (rows == 0) return {};
  const auto taps = [](const std::vector<FusedLines::Line>& along) {
    double sum = 0;
    for (const FusedLines::Line& line : along)
      if (filtered(line.taps)) sum += static_cast<double>(line.taps.size());
    return sum;
  };
  const auto around = static_cast<double>(lines.window[1] - 1);
  const auto more = [&](double each) {
    return around * (1.0 / static_cast<double>(rows) - 1.0 / kMostFusedRows) / each;
  };
  constexpr double kAround = 0.45;
  const double surroundings = taps(lines.x) * more(kFusedItemRows) + static_cast<double>(lines.x.size()) * more(1);
  const double sums = taps(lines.x) + taps(lines.y) + taps(lines.z);
  const BankEnding end = ending.value_or(BankEnding{ops.size(), 0});
  return MethodWork{.multiplyAdds = (sums + kAround * surroundings + end.operations) * outputs.count(),
                    .bytes = static_cast<double>(1 + end.written) * outputs.realBytes() * outputs.count(),
                    .executed = (2 * sums + end.operations) * outputs.count()};
}

std::span<const Method> deviceFilterMethods(bool processor, bool doubles) {
  static const std::array<std::vector<Method>, 4> methods{methodsOn(false, false), methodsOn(false, true),
                                                          methodsOn(true, false), methodsOn(true, true)};
  return methods[(processor ? 2 : 0) + (doubles ? 1 : 0)];
}

double FilterMethod::executedTaps() const {
  if (kind == MethodKind::Weighted) return operationsPerWeight(range) / 2 * static_cast<double>(range.count());
  if (kind == MethodKind::Counting) return 2 * static_cast<double>(entropy.shape.lines());
  if (ranks(kind)) return static_cast<double>(window.count());
  if (terms.empty()) return static_cast<double>(taps.count());
  return tapsOf(terms);
}

std::vector<FilterMethod> methodsOf(const FilterWorkload& workload, const MethodChoice& choice) {
  std::vector<FilterMethod> methods;
  for (std::size_t f = 0; f < choice.methods.size(); ++f) {
    const Operator& op = workload.operators()[f];
    FilterMethod& method = methods.emplace_back();
    method.name = op.name;
    method.kind = choice.methods[f];
    std::visit(Overloaded{[&](const Stencil& stencil) {
                            if (keepsTerms(method.kind)) {
                              method.terms = factored(stencil).terms;
                            } else {
                              method.taps = stencil.expanded();
                            }
                          },
                          [&](const RankWindow& window) { method.window = window; },
                          [&](const RangeWindow& window) { method.range = window; },
                          [](const Formula&) {},  // workloads of their own (gpu/filter/formula_plan.h)
                          [&](const EntropyWindow& window) { method.entropy = window; }},
               op.kind);
    if (method.kind == MethodKind::LowRank) {
      const auto sum = lowRankSum(method.taps, workload.precision());
      method.terms = sum->terms;
      method.wide = sum->wide;
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
