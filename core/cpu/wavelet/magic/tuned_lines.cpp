#include "core/cpu/wavelet/magic/tuned_lines.h"

#include <algorithm>
#include <array>
#include "core/cpu/run/scratch.h"

namespace sscope::cpu {

namespace {

constexpr std::int64_t kColumns = 32;         // lines that are turned at once, at least
constexpr std::int64_t kTogether = 12;        // straight lines that are copied before they are filtered; even
constexpr std::int64_t kLead = 8;             // what extendRow may write too much
constexpr std::int64_t kGroupWork = 500'000;  // multiply-adds of a group of straight lines, about

std::int64_t wrapped(std::int64_t i, std::int64_t n) {
  const std::int64_t rest = i % n;
  return rest < 0 ? rest + n : rest;
}

// Groups of at least `fewest` where there are as many.
EvenPieces groupsOf(std::int64_t lines, std::int64_t fewest) {
  const std::int64_t count = std::max<std::int64_t>(lines / fewest, 1);
  return {lines, (lines + count - 1) / count};
}

}  // namespace

TunedLines::TunedLines(const MagicWorkload& workload, SimdLevel level, LineSource source, int threads)
    : taps_(workload.taps().begin(), workload.taps().end()),
      first_(workload.first()),
      n_(workload.input().extent[0]),
      lines_(workload.input().elements() / n_),
      transposed_(workload.transposed()),
      choice_(lineChoice(level, std::ssize(taps_), source, transposed_ ? lines_ : n_)) {
  const LineLimits& limits = choice_.limits;
  if (transposed_) {
    groups_ = groupsOf(lines_, kColumns);
    pitch_ = rowStride<double>(groups_.largest());
    scratchBytes_ = n_ * pitch_ * 8 + 64;
    for (int outputs = 1; outputs <= limits.acrossOutputs; ++outputs)
      across_.emplace_back(choice_, taps_,
                           LinePattern{LineAxis::Across, outputs, limits.acrossVectors, outputs, false});
  } else {
    groups_ = groupsOf(lines_, std::max<std::int64_t>(kGroupWork / (n_ * std::ssize(taps_)), kTogether));
    pitch_ = rowStride<double>(kLead + n_ + reach() + 8);
    scratchBytes_ = kTogether * pitch_ * 8 + 64;
    const std::int64_t vectors = (n_ + limits.lanes - 1) / limits.lanes;
    const std::int64_t even = EvenPieces(vectors, limits.alongOutputs).largest();
    along_ = RowKernel(choice_, taps_,
                       LinePattern{LineAxis::Along, static_cast<int>(std::min(even, n_ / limits.lanes)),
                                   limits.alongVectors, 0, false});
  }
  team_ = std::make_unique<Team>(static_cast<int>(std::min<std::int64_t>(threads, groups_.count)), scratchBytes_);
}

void TunedLines::run(const double* in, double* out, const Control& control, RunTrace* /*trace*/) {
  team_->run(groups_.count, control, [&](std::int64_t group, const Scratch& scratch) {
    (this->*(transposed_ ? &TunedLines::turned : &TunedLines::straight))(groups_.begin(group), groups_.size(group), in,
                                                                         out, scratch);
  });
}

void TunedLines::straight(std::int64_t begin, std::int64_t lines, const double* in, double* out,
                          const Scratch& scratch) const {
  auto* memory = reinterpret_cast<double*>(scratch.data());
  const std::int64_t before = -first_, after = reach() + first_;
  std::array<const double*, kTogether> rows{};
  std::array<double*, kTogether> results{};
  for (std::int64_t l = begin; l < begin + lines; l += kTogether) {
    // What is missing of the last ones is computed twice.
    const std::int64_t vectors = choice_.limits.alongVectors, left = std::min(kTogether, begin + lines - l);
    const std::int64_t count = (left + vectors - 1) / vectors * vectors;
    for (std::int64_t r = 0; r < count; ++r) {
      const std::int64_t line = l + std::min(r, left - 1);
      const double* from = in + line * n_;
      double* copy = memory + r * pitch_ + kLead + before;
      std::copy_n(from, n_, copy);
      extendRow(copy, n_, before, after);
      rows[static_cast<std::size_t>(r)] = copy - before;
      results[static_cast<std::size_t>(r)] = out + line * n_;
    }
    along_.run({.in = rows.data(), .out = results.data(), .rows = count}, n_);
  }
}

void TunedLines::turned(std::int64_t begin, std::int64_t lines, const double* in, double* out,
                        const Scratch& scratch) const {
  constexpr std::int64_t kBlock = 8;
  auto* memory = reinterpret_cast<double*>(scratch.data());
  for (std::int64_t i = 0; i < n_; i += kBlock)
    for (std::int64_t l = 0; l < lines; ++l)
      for (std::int64_t j = i; j < std::min(i + kBlock, n_); ++j) memory[j * pitch_ + l] = in[(begin + l) * n_ + j];
  const EvenPieces blocks(n_, choice_.limits.acrossOutputs);
  std::array<const double*, MagicWorkload::kMostTaps + 12> from{};
  std::array<double*, 12> to{};
  std::array<const double*, 12> later{};
  for (std::int64_t b = 0; b < blocks.count; ++b) {
    const std::int64_t i = blocks.begin(b), outputs = blocks.size(b);
    for (std::int64_t p = 0; p < outputs + reach(); ++p)
      from[static_cast<std::size_t>(p)] = memory + wrapped(i + first_ + p, n_) * pitch_;
    for (std::int64_t r = 0; r < outputs; ++r) {
      to[static_cast<std::size_t>(r)] = out + (i + r) * lines_ + begin;
      // What the next group writes; rows of the output lie too far apart for the processor to foresee.
      later[static_cast<std::size_t>(r)] = to[static_cast<std::size_t>(r)] + (begin + 2 * lines <= lines_ ? lines : 0);
    }
    across_[static_cast<std::size_t>(outputs - 1)].run({.in = from.data(), .out = to.data(), .ahead = later.data()},
                                                       lines);
  }
}

std::string TunedLines::description() const {
  return std::string(transposed_ ? "columns" : "lines") + " in groups of up to " + std::to_string(groups_.largest()) +
         ", " + (choice_.limits.generated ? "generated" : "compiled") + " kernels";
}

}  // namespace sscope::cpu
