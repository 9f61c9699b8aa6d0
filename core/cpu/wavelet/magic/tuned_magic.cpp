#include "core/cpu/wavelet/magic/tuned_magic.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

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

namespace {

constexpr std::int64_t kMostTaps = static_cast<std::int64_t>(MagicWorkload::kMostTaps);
constexpr std::int64_t kMostOutputs = 12;
constexpr int kMostDepth = 8;  // planes of the output at once

std::int64_t secondLevelCache() {
  const long bytes = ::sysconf(_SC_LEVEL2_CACHE_SIZE);
  return bytes > 0 ? bytes : 1 << 20;
}

}  // namespace

// Planes are counted along the walk: step q is plane q mod nz, and outputs of step i need the planes i .. i + reach.
struct TunedVolume::Walk {
  const double* in;
  double* out;
  const Control& control;
  std::int64_t y0, rows;      // of the slab
  std::int64_t begin, end;    // steps whose outputs are wanted
  double *rowBlock, *planes;  // scratch
};

TunedVolume::TunedVolume(const MagicWorkload& workload, SimdLevel level, LineSource source, int threads)
    : taps_(workload.taps().begin(), workload.taps().end()),
      first_(workload.first()),
      n_{workload.input().extent[0], workload.input().extent[1], workload.input().extent[2]},
      choice_(lineChoice(level, std::ssize(taps_), source, n_[0])) {
  chooseSlabs(threads);
  makeKernels();
  // Rows of the block that is filtered along x: what lies before the row, the row, what lies behind.
  rowLead_ = 8 - first_;  // room for extendRow, and what the taps meet first lies at a cache line
  rowPitch_ = rowStride<double>(rowLead_ + n_[0] + reach() + 8);
  planePitch_ = rowStride<double>(slabs_.largest() * n_[0]);
  ring_ = reach() + deepest_;
  const std::int64_t steps = parts_.largest() + reach();
  const std::int64_t planes = wholeDepth() ? std::min(n_[2], reach() + ring_) : std::min(steps, ring_);
  scratchBytes_ = (kMostOutputs * rowPitch_ + planes * planePitch_) * 8 + 128;
  team_ = std::make_unique<Team>(static_cast<int>(std::min<std::int64_t>(threads, slabs_.count * parts_.count)),
                                 scratchBytes_);
}

void TunedVolume::chooseSlabs(int threads) {
  // Fewer than registers allow: the ring is shorter, and reads and writes of memory take turns more often.
  // What the second-level cache holds has no memory to take turns with.
  const bool resident = 2 * n_[0] * n_[1] * n_[2] * 8 <= secondLevelCache() * 5 / 8;
  deepest_ =
      EvenPieces(n_[2], resident ? choice_.limits.acrossOutputs : std::min(kMostDepth, choice_.limits.acrossOutputs))
          .largest();
  // The ring shall leave room in the second-level cache for the input and the output.
  const std::int64_t ringRow = (reach() + deepest_) * n_[0] * 8;
  const std::int64_t fitting = std::max<std::int64_t>(secondLevelCache() * 5 / 8 / ringRow, 4);
  std::int64_t count = EvenPieces(n_[1], fitting).count;
  count = std::min((count + threads - 1) / threads * threads, n_[1]);
  slabs_ = EvenPieces(n_[1], (n_[1] + count - 1) / count);
  const std::int64_t parts = std::min((threads + slabs_.count - 1) / slabs_.count, n_[2]);
  parts_ = EvenPieces(n_[2], (n_[2] + parts - 1) / parts);
}

void TunedVolume::makeKernels() {
  const LineLimits& limits = choice_.limits;
  const EvenPieces blocks(slabs_.largest(), limits.acrossOutputs);
  // One row with every row along x, the rest along y: evenly spread over time.
  const std::int64_t rest = std::max<std::int64_t>(rowsRead(slabs_.largest()) - slabs_.largest(), 0);
  ahead_ = static_cast<int>((rest + blocks.count - 1) / blocks.count);
  for (int outputs = 1; outputs <= limits.acrossOutputs; ++outputs) {
    alongY_.emplace_back(choice_, taps_, LinePattern{LineAxis::Across, outputs, limits.acrossVectors, ahead_, false});
    alongZ_.emplace_back(choice_, taps_, LinePattern{LineAxis::Across, outputs, limits.acrossVectors, 0, false});
    streamZ_.emplace_back(choice_, taps_, LinePattern{LineAxis::Across, outputs, limits.acrossVectors, 0, true});
  }
  // As many vectors at once as divide the row best.
  const std::int64_t vectors = (n_[0] + limits.lanes - 1) / limits.lanes;
  const std::int64_t even = EvenPieces(vectors, limits.alongOutputs).largest();
  const auto outputs = static_cast<int>(std::min(even, n_[0] / limits.lanes));
  alongX_ = RowKernel(choice_, taps_, LinePattern{LineAxis::Along, outputs, limits.alongVectors, 1, false});
  // Writing past the caches pays only for what would not stay there anyway, and needs whole vectors.
  const std::int64_t lanes = limits.lanes;
  streaming_ = limits.generated && n_[0] * n_[1] * n_[2] * 8 > 2 * secondLevelCache() && n_[0] * n_[1] % lanes == 0 &&
               n_[0] % (lanes * limits.acrossVectors) == 0;
}

void TunedVolume::run(const double* in, double* out, const Control& control, RunTrace* /*trace*/) {
  team_->run(slabs_.count * parts_.count, control, [&](std::int64_t task, const Scratch& scratch) {
    walk(task, scratch, in, out, control);
    if (streaming_) __builtin_ia32_sfence();
  });
}

void TunedVolume::walk(std::int64_t task, const Scratch& scratch, const double* in, double* out,
                       const Control& control) const {
  ScratchCarver carve(scratch);
  const std::int64_t slab = task % slabs_.count, part = task / slabs_.count;
  Walk walk{in,
            out,
            control,
            slabs_.begin(slab),
            slabs_.size(slab),
            parts_.begin(part),
            parts_.begin(part + 1),
            carve.take<double>(kMostOutputs * rowPitch_),
            nullptr};
  walk.planes = carve.take<double>(0);
  const std::int64_t nz = n_[2], plane = n_[0] * n_[1], kept = reach();
  const bool whole = wholeDepth(), all = whole && nz <= kept + ring_;
  const auto planeOf = [&](std::int64_t q) {
    std::int64_t slot = (q - walk.begin) % ring_;
    if (whole) {
      const std::int64_t z = q % nz;
      slot = all || z < kept ? z : kept + (z - kept) % ring_;
    }
    return walk.planes + slot * planePitch_;
  };
  const bool stream = streaming_ && reinterpret_cast<std::uintptr_t>(out) % 64 == 0;
  const EvenPieces blocks(walk.end - walk.begin, deepest_);
  std::int64_t next = walk.begin;
  std::array<const double*, kMostTaps + kMostOutputs> from{};
  std::array<double*, kMostOutputs> to{};
  for (std::int64_t b = 0; b < blocks.count; ++b) {
    const std::int64_t begin = walk.begin + blocks.begin(b), outputs = blocks.size(b);
    for (; next < begin + outputs + reach(); ++next) {
      if (whole && next >= nz) continue;  // kept from the beginning
      control.check();
      filterPlane(walk, next % nz, planeOf(next));
    }
    for (std::int64_t p = 0; p < outputs + reach(); ++p) from[static_cast<std::size_t>(p)] = planeOf(begin + p);
    for (std::int64_t r = 0; r < outputs; ++r)
      to[static_cast<std::size_t>(r)] = out + wrapped(begin + r - first_, nz) * plane + walk.y0 * n_[0];
    const auto& kernels = stream ? streamZ_ : alongZ_;
    kernels[static_cast<std::size_t>(outputs - 1)].run({.in = from.data(), .out = to.data()}, walk.rows * n_[0]);
  }
}

void TunedVolume::filterPlane(const Walk& walk, std::int64_t z, double* plane) const {
  const std::int64_t nx = n_[0], ny = n_[1];
  const double* source = walk.in + z * nx * ny;
  const double* later = walk.in + (z + 1 < n_[2] ? z + 1 : 0) * nx * ny;
  const EvenPieces blocks(walk.rows, choice_.limits.acrossOutputs);
  std::array<const double*, kMostTaps + kMostOutputs> from{};
  std::array<const double*, kMostTaps + kMostOutputs> ahead{};
  std::array<double*, kMostOutputs> to{};
  for (std::int64_t b = 0; b < blocks.count; ++b) {
    const std::int64_t y = walk.y0 + blocks.begin(b), outputs = blocks.size(b);
    std::int64_t row = wrapped(y + first_, ny);
    for (std::int64_t p = 0; p < outputs + reach(); ++p) {
      from[static_cast<std::size_t>(p)] = source + row * nx;
      if (++row == ny) row = 0;
    }
    row = wrapped(walk.y0 + walk.rows + first_ + b * ahead_, ny);
    for (std::int64_t p = 0; p < ahead_; ++p) {
      ahead[static_cast<std::size_t>(p)] = later + row * nx;
      if (++row == ny) row = 0;
    }
    for (std::int64_t r = 0; r < outputs; ++r)
      to[static_cast<std::size_t>(r)] = walk.rowBlock + r * rowPitch_ + rowLead_;
    alongY_[static_cast<std::size_t>(outputs - 1)].run({.in = from.data(), .out = to.data(), .ahead = ahead.data()},
                                                       nx);
    for (std::int64_t r = 0; r < outputs; ++r)
      extendRow(to[static_cast<std::size_t>(r)], nx, -first_, reach() + first_);
    // An odd last row is computed twice.
    const std::int64_t together = choice_.limits.alongVectors, rows = (outputs + together - 1) / together * together;
    std::array<const double*, kMostOutputs> lines{};
    std::array<double*, kMostOutputs> results{};
    row = wrapped(walk.y0 + first_ + blocks.begin(b), ny);
    for (std::int64_t r = 0; r < rows; ++r) {
      const std::int64_t at = std::min(r, outputs - 1);
      lines[static_cast<std::size_t>(r)] = to[static_cast<std::size_t>(at)] + first_;
      results[static_cast<std::size_t>(r)] = plane + (blocks.begin(b) + at) * nx;
      ahead[static_cast<std::size_t>(r)] = later + row * nx;
      if (r < outputs - 1 && ++row == ny) row = 0;
    }
    alongX_.run({.in = lines.data(), .out = results.data(), .ahead = ahead.data(), .rows = rows}, nx);
  }
}

std::string TunedVolume::description() const {
  return std::to_string(slabs_.count) + " slabs of up to " + std::to_string(slabs_.largest()) + " rows, " +
         std::to_string(choice_.limits.acrossOutputs) + " outputs at once, " +
         (choice_.limits.generated ? "generated" : "compiled") + " kernels, " + std::to_string(scratchBytes_ >> 10) +
         " KiB a thread";
}

std::unique_ptr<MagicMethod> makeTunedMagic(const MagicWorkload& workload, SimdLevel level, LineSource source,
                                            int threads) {
  if (source == LineSource::Generated && !line::canGenerate(level)) return nullptr;
  if (workload.lines()) return std::make_unique<TunedLines>(workload, level, source, threads);
  return std::make_unique<TunedVolume>(workload, level, source, threads);
}

std::unique_ptr<MagicMethod> makeTunedMagic(const MagicWorkload& workload, const KernelTable& kernels, int threads) {
  return makeTunedMagic(workload, kernels.f64.level, LineSource::Best, threads);
}

}  // namespace sscope::cpu
