#include "core/cpu/filter/methods.h"

#include <algorithm>
#include <vector>

#include "core/cpu/filter/fft_tile.h"
#include "core/cpu/filter/reduced_taps.h"
#include "core/cpu/filter/window_kernels.h"

namespace sscope::cpu {

namespace {

// From measured boxes of 3 to 13 taps in two and three dimensions (docs/dev/performance-notes.md): loads along x cross
// cache lines and are not shared between rows.
constexpr double kTapAlongX = 2.5;

bool linear(const Operator& op) { return op.stencil() != nullptr; }

MethodWork denseWork(const Operator& op, const MethodOutputs& outputs, int registers) {
  if (takesFoldedTaps(op, registers)) {
    const FoldedCost cost = foldedCost(op.stencil()->dense, registers);
    return {.multiplyAdds = cost.multiplyAdds * outputs.count(), .executed = cost.operations * outputs.count()};
  }
  return {.multiplyAdds = static_cast<double>(op.taps()) * outputs.count()};
}

MethodWork passesWork(const std::vector<SeparableTerm>& terms, const MethodOutputs& outputs) {
  MethodWork work;
  double saved = 0;  // operations per output
  for (const SeparableTerm& term : terms)
    for (std::size_t a = 0; a < 3; ++a) {
      // Axes that are not touched are skipped, but only when there is nothing to add up.
      if (terms.size() == 1 && term.axis[a].identity()) continue;
      const auto taps = static_cast<double>(term.axis[a].size());
      work.bytes += 2 * outputs.realBytes() * outputs.count();
      if (takesEqualTaps(term.axis[a], a == 0)) {
        const EqualCost cost = equalCost(term.axis[a].size(), a == 0);
        work.multiplyAdds += cost.multiplyAdds * outputs.count();
        saved += 2 * taps - cost.operations;
      } else {
        work.multiplyAdds += taps * (a == 0 ? kTapAlongX : 1) * outputs.count();
      }
    }
  Stencil stencil;
  stencil.terms = terms;
  if (saved > 0) work.executed = (2 * static_cast<double>(stencil.separableTaps()) - saved) * outputs.count();
  return work;
}

MethodWork separableWork(const Operator& op, const MethodOutputs& outputs) {
  return passesWork(op.stencil()->terms, outputs);
}

// Several terms share no packing, and keep more planes than the nearest caches hold: measured for 2 to 4 terms of 7 to
// 27 taps, where no term of a separable filter has a dense sum so near.
MethodWork lowRankWork(const std::vector<SeparableTerm>& terms, const MethodOutputs& outputs) {
  constexpr double kSlower = 1.4;
  MethodWork work = passesWork(terms, outputs);
  work.multiplyAdds *= kSlower;
  work.bytes *= kSlower;
  return work;
}

// Also from measured filters, for each output: taps that are their own mirror image mostly fade toward the faces, and
// looking at a tile's numbers adds more of them up where fewer taps count.
constexpr double kFading = 40, kFadingInVolumes = 300;

MethodWork fftWork(const Operator& op, const MethodOutputs& outputs, int registers) {
  const FftTile tile = fftTile(op.size(), outputs.extent);
  const bool volume = std::ranges::none_of(op.size(), [](std::int64_t taps) { return taps == 1; });
  const double fading = !takesFoldedTaps(op, registers) ? 0 : volume ? kFadingInVolumes : kFading;
  return {.multiplyAdds = tile.multiplyAdds + fading * outputs.count(), .executed = tile.operations};
}

// Looking at the numbers is shared as far as the windows of filters are alike, which is not known here.
MethodWork fftShared(const Operator& op, const MethodOutputs& outputs) {
  const FftTile tile = fftTile(op.size(), outputs.extent);
  return {.multiplyAdds = tile.sharedMultiplyAdds, .executed = tile.sharedOperations};
}

// A weight with its exponential, and each step of the sums of patches.
constexpr double kPerWeight = 17, kPerPatchSum = 2;

// A count and what it adds to the sum are read, and the count is written.
constexpr double kPerCount = 60;

std::vector<Method> methodsWith(int registers) {
  return {{MethodKind::Dense, "linear", [](const Operator& op, Precision /*precision*/) { return linear(op); },
           [registers](const Operator& op, const MethodOutputs& outputs) { return denseWork(op, outputs, registers); }},
          {MethodKind::Separable, "separable",
           [](const Operator& op, Precision /*precision*/) { return linear(op) && op.stencil()->separable(); },
           separableWork},
          lowRankMethod(lowRankWork, true),
          {.kind = MethodKind::Fft,
           .what = "linear with few enough taps for transforms",
           .takes = [](const Operator& op, Precision /*precision*/) { return linear(op) && fftTakes(op.size()); },
           .work = [registers](const Operator& op,
                               const MethodOutputs& outputs) { return fftWork(op, outputs, registers); },
           .approximates = true,
           .mixesOutputs = true,
           .shared = fftShared},
          weightedMethod(kPerWeight, kPerPatchSum),
          countingMethod(kPerCount),
          mergingMethod(true),
          selectionMethod(kMostSelected, true),
          bisectionMethod(true),
          histogramMethod(),
          linesMethod(true)};
}

}  // namespace

std::span<const Method> filterMethods(SimdLevel level) {
  static const std::vector<Method> few = methodsWith(16), many = methodsWith(32);
  return vectorRegisters(level) == 32 ? many : few;
}

}  // namespace sscope::cpu
