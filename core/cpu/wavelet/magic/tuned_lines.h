#pragma once
// Lines along x, as rows or as columns.

#include <vector>

#include "core/cpu/run/scratch.h"
#include "core/cpu/wavelet/magic/magic_plan.h"
#include "core/cpu/wavelet/magic/row_kernel.h"

namespace sscope::cpu {

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

}  // namespace sscope::cpu
