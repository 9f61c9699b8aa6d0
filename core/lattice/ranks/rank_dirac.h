#pragma once
// Wilson's operator over ranks: each applies it to its part of the lattice on an engine of its own, with the spinors of
// its neighbors in a halo around it. The same bits as one engine of the same kind gives for the whole lattice.

#include <memory>
#include <string>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/lattice/fields.h"
#include "core/lattice/ranks/halo.h"
#include "core/lattice/ranks/lattice_part.h"
#include "core/lattice/wilson.h"
#include "core/lattice/workload/dirac_workload.h"
#include "core/measure/verify.h"

namespace sscope::lattice {

class RankDirac {
 public:
  // A part's spinors in the caller's arrays: consecutive time slices are `slice` elements apart.
  struct Place {
    const Complex* in = nullptr;
    Complex* out = nullptr;
    std::int64_t slice = 0;
  };

  // Every rank. `links`: of the part's own sites; the neighbors' links that its hops need are exchanged. Applies the
  // operator of `parameters` and, from its first use on, its adjoint. An empty variant means the engine's first; ranks
  // may have different engines. `options.threads` is this rank's share of the processor. Engine and variants outlive
  // this. Throws what preparing throws, Canceled, Error(Io).
  RankDirac(reach::Communicator& communicator, const LatticePart& part, const GaugeField& links,
            const WilsonParameters& parameters, Engine& engine, const VariantTable& variants, std::string variant,
            const PrepareOptions& options, const Control& control);
  // The same with links that have their halo already (withHalo).
  RankDirac(reach::Communicator& communicator, const LatticePart& part, std::shared_ptr<const GaugeField> links,
            const WilsonParameters& parameters, Engine& engine, const VariantTable& variants, std::string variant,
            const PrepareOptions& options, const Control& control);

  // Every rank: `out` <- D in or D^dagger in, on the part's own sites. If the engine computes rows (RowPlan), rows that
  // need no halo are computed during the exchange; else everything is computed after it. Throws Canceled, Error(Io,
  // Device, Memory).
  RunReport apply(reach::Communicator& communicator, bool adjoint, const Place& place, const Control& control);
  RunReport apply(reach::Communicator& communicator, bool adjoint, std::span<const Complex> in, std::span<Complex> out,
                  const Control& control);

  [[nodiscard]] const LatticePart& part() const { return part_; }
  // Whether rows are computed during the exchange of the halo.
  [[nodiscard]] bool overlaps() const { return forward_.rows != nullptr; }
  // The row ability of the operator's plan on the part's extended lattice; null if it has none.
  [[nodiscard]] RowPlan* rows() { return forward_.rows; }
  [[nodiscard]] std::string description() const;
  // Bytes of host memory, including fields with a halo.
  [[nodiscard]] std::int64_t scratchBytes() const;

 private:
  // The operator or its adjoint.
  struct Side {
    std::unique_ptr<Plan> plan;
    RowPlan* rows = nullptr;  // the ability of `plan`; null if it has none
    std::unique_ptr<SpinorHalo> halo;
  };
  [[nodiscard]] Side prepared(bool adjoint, const Control& control);
  void fill(const Place& place, const Control& control);
  using Pending = std::unique_ptr<reach::Exchange>;
  void applyRows(Side& side, Pending halo, const Place& place, const Control& control);
  RunReport applyWhole(Side& side, Pending halo, const Place& place, const Control& control);

  LatticePart part_;
  WilsonParameters parameters_;
  Engine& engine_;
  const VariantTable& variants_;
  std::string variant_;
  PrepareOptions options_;
  std::shared_ptr<const GaugeField> links_;  // with halo
  bool thirdRowsFollow_ = false;             // of the whole lattice
  Side forward_, adjoint_;
  SpinorField in_, out_;  // on the extended lattice
  SortedRows rows_;
};

// Compares a part's image under Wilson's operator with the formula.

// `links`: with the halo that the hops of the part need. `in`: the whole field on the extended lattice; it is changed.
// `out`: on the part's own sites. Uses the error bounds of the variant. Throws Canceled.
[[nodiscard]] Verification verifyPart(const Variant& variant, const LatticePart& part,
                                      std::shared_ptr<const GaugeField> links, const WilsonParameters& parameters,
                                      SpinorField& in, const SpinorField& out, const VerifyOptions& options,
                                      const Control& control);

}  // namespace sscope::lattice
