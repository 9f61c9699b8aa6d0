#pragma once
// Shares of the workloads dirac and cr for measurements over ranks.

#include <vector>

#include "core/lattice/ranks/rank_cr.h"
#include "core/lattice/ranks/rank_dirac.h"
#include "core/reach/rank_share.h"

namespace sscope::lattice {

// A rank's part of the workload dirac, timed: a run exchanges the spinors of the halo.
class DiracShare final : public reach::RankShare {
 public:
  // Every rank. `input`: of all ranks; `values`: of DiracWorkload, complete. Engine and variants outlive this. Throws
  // as latticeParts() and RankDirac.
  DiracShare(reach::Communicator& communicator, const ArraySpec& input, const OptionValues& values, Engine& engine,
             const VariantTable& variants, const reach::ShareRequest& request, const Control& control);

  reach::ShareTimes run(reach::Communicator& communicator, const Control& control) override;
  void poison(std::uint8_t pattern) override;
  [[nodiscard]] Verification verify(reach::Communicator& communicator, const VerifyOptions& options,
                                    const Control& control) override;
  [[nodiscard]] reach::ShareFacts facts() const override { return facts_; }
  [[nodiscard]] const SpinorField& output() const { return out_; }

 private:
  OptionValues values_;
  std::uint64_t seed_;
  const Variant& variant_;
  LatticePart part_;
  WilsonParameters parameters_;
  RankDirac dirac_;
  SpinorField in_, out_;
  reach::ShareFacts facts_;
};

// A rank's part of the workload cr, timed: halos and sums are exchanged in every iteration.
class CrShare final : public reach::RankShare {
 public:
  // Every rank. `input`: of all ranks; `values`: of CrWorkload, complete. Engine and variants outlive this. Throws as
  // latticeParts() and RankCr.
  CrShare(reach::Communicator& communicator, const ArraySpec& input, const OptionValues& values, Engine& engine,
          const VariantTable& variants, const reach::ShareRequest& request, const Control& control);

  reach::ShareTimes run(reach::Communicator& communicator, const Control& control) override;
  void poison(std::uint8_t pattern) override;
  // On small lattices the first rank compares the solution with the reference. On large ones, whose reference would
  // take minutes, the residual from the formula is compared with that of the recursion.
  [[nodiscard]] Verification verify(reach::Communicator& communicator, const VerifyOptions& options,
                                    const Control& control) override;
  [[nodiscard]] reach::ShareFacts facts() const override { return facts_; }
  [[nodiscard]] const SpinorField& solution() const { return solution_; }

 private:
  [[nodiscard]] Verification againstReference(reach::Communicator& communicator, const VerifyOptions& options,
                                              const Control& control) const;
  [[nodiscard]] Verification byResidual(reach::Communicator& communicator, const Control& control) const;

  OptionValues values_;
  std::uint64_t seed_;
  const Variant& variant_;
  LatticePart part_;
  CrParameters parameters_;
  RankCr cr_;
  SpinorField source_, solution_;
  std::vector<double> residuals_;
  reach::ShareFacts facts_;
};

}  // namespace sscope::lattice
