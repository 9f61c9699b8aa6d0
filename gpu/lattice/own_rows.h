#pragma once
// A kernel over the time slices of a part that read their neighbors: those inside, which need no halo, and the first
// and the last one.

#include <vector>

#include "gpu/lattice/lattice_team.h"

namespace sscope {

class OwnRows {
 public:
  OwnRows() = default;
  // A built stage on the extended lattice, whose own slices are 1 to `slices`.
  OwnRows(const KernelStage& stage, std::int64_t slices) {
    if (slices > 2) inner_.push_back(onRows(stage, 2, slices - 2));
    outer_.push_back(onRows(stage, 1, 1));
    if (slices > 1) outer_.push_back(onRows(stage, slices, 1));
  }

  // Beside what the member queues next, up to TeamRun::join().
  void launchInner(TeamRun& run, std::size_t member) const { launch(run, member, inner_, &TeamRun::launchBeside); }
  void launchOuter(TeamRun& run, std::size_t member) const { launch(run, member, outer_, &TeamRun::launch); }
  [[nodiscard]] const std::vector<KernelStage>& inner() const { return inner_; }
  [[nodiscard]] const std::vector<KernelStage>& outer() const { return outer_; }

 private:
  using Launch = TeamRun::Span (TeamRun::*)(std::size_t, std::span<const KernelStage* const>);
  static void launch(TeamRun& run, std::size_t member, const std::vector<KernelStage>& stages, Launch how) {
    std::vector<const KernelStage*> all;
    for (const KernelStage& one : stages) all.push_back(&one);
    if (!all.empty()) (run.*how)(member, all);
  }

  std::vector<KernelStage> inner_, outer_;
};

}  // namespace sscope
