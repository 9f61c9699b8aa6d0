#pragma once
// The top rung: the whole filter in one sweep, or lines straight from memory, on all threads.

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "core/cpu/run/kernel_table.h"
#include "core/cpu/run/scratch.h"
#include "core/cpu/wavelet/magic/line_kernel.h"
#include "core/cpu/wavelet/magic/magic_plan.h"

namespace sscope::cpu {

// Lines along x, as rows or as columns.

// Straight: every line is copied, extended at both ends and filtered from the copy. Transposed: groups of lines are
// transposed in the first-level cache, so that a vector holds the same element of several lines and rows of the output
// are written directly.
class TunedLines final : public MagicMethod {
 public:
  TunedLines(const MagicWorkload& workload, SimdLevel level, LineSource source, int threads);

  void run(const double* in, double* out, const Control& control, RunTrace* trace) override;
  [[nodiscard]] int threads() const override { return team_->threads(); }
  [[nodiscard]] std::int64_t scratchBytes() const override { return scratchBytes_ * team_->threads(); }
  [[nodiscard]] std::string description() const override;

 private:
  void straight(std::int64_t begin, std::int64_t lines, const double* in, double* out, const Scratch& scratch) const;
  void turned(std::int64_t begin, std::int64_t lines, const double* in, double* out, const Scratch& scratch) const;
  [[nodiscard]] std::int64_t reach() const { return std::ssize(taps_) - 1; }

  std::vector<double> taps_;
  std::int64_t first_, n_, lines_;
  bool transposed_;
  LineChoice choice_;
  EvenPieces groups_{1, 1};
  RowKernel along_;
  std::vector<RowKernel> across_;  // by outputs
  std::int64_t pitch_ = 0;         // of rows in scratch, in elements
  std::int64_t scratchBytes_ = 0;
  std::unique_ptr<Team> team_;
};

// All three axes in one sweep over the volume.

// The volume is cut into slabs of rows, and each is walked along z. Of every plane of a slab, blocks of rows are
// filtered along y (reading the input in place, wrapped around by pointers), then along x in the first-level cache,
// into a ring of planes, from which blocks of output planes are computed along z. Nothing is computed twice: the first
// planes are kept for the end of the walk.
class TunedVolume final : public MagicMethod {
 public:
  TunedVolume(const MagicWorkload& workload, SimdLevel level, LineSource source, int threads);

  void run(const double* in, double* out, const Control& control, RunTrace* trace) override;
  [[nodiscard]] int threads() const override { return team_->threads(); }
  [[nodiscard]] std::int64_t scratchBytes() const override { return scratchBytes_ * team_->threads(); }
  [[nodiscard]] std::string description() const override;

 private:
  struct Walk;  // one slab, one part of z
  void chooseSlabs(int threads);
  void makeKernels();
  void walk(std::int64_t task, const Scratch& scratch, const double* in, double* out, const Control& control) const;
  void filterPlane(const Walk& walk, std::int64_t z, double* plane) const;
  [[nodiscard]] bool wholeDepth() const { return parts_.count == 1; }
  [[nodiscard]] std::int64_t reach() const { return std::ssize(taps_) - 1; }
  // Rows of a plane that a slab of `rows` rows reads.
  [[nodiscard]] std::int64_t rowsRead(std::int64_t rows) const { return std::min(rows + reach(), n_[1]); }

  std::vector<double> taps_;
  std::int64_t first_;
  std::array<std::int64_t, 3> n_;
  LineChoice choice_;
  EvenPieces slabs_{1, 1}, parts_{1, 1};  // of rows, and of planes if there are more threads than slabs
  std::int64_t deepest_ = 1;              // planes of the output at once
  std::int64_t ring_ = 0, rowPitch_ = 0, rowLead_ = 0, planePitch_ = 0;  // the latter three in elements
  bool streaming_ = false;
  // By outputs; y fetches ahead_ rows of the next plane with every block.
  std::vector<RowKernel> alongY_, alongZ_, streamZ_;
  int ahead_ = 0;
  RowKernel alongX_;
  std::int64_t scratchBytes_ = 0;
  std::unique_ptr<Team> team_;
};

[[nodiscard]] std::unique_ptr<MagicMethod> makeTunedMagic(const MagicWorkload& workload, const KernelTable& kernels,
                                                          int threads);
// The same with kernels from one source, for comparisons; null if it has none.
[[nodiscard]] std::unique_ptr<MagicMethod> makeTunedMagic(const MagicWorkload& workload, SimdLevel level,
                                                          LineSource source, int threads);

}  // namespace sscope::cpu
