#pragma once
// Workload "dirac": Wilson's operator D = 1 - kappa H on a lattice of four dimensions (A. Cassagne et al., "Portage
// d'un code de lattice QCD sur GPU", 2013, the stencil core), complex float64.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core/base/control.h"
#include "core/engine/run_report.h"
#include "core/lattice/even_odd.h"
#include "core/lattice/fields.h"
#include "core/lattice/wilson.h"
#include "core/lattice/workload/spinor_input.h"
#include "core/workload/workload.h"

namespace sscope {

// One spinor field in, one out. The links are part of the operator, like the taps of a filter.
class DiracWorkload final : public Workload {
 public:
  // links, kappa, time, time_boundary, adjoint, seed.
  [[nodiscard]] static const std::vector<Option>& options();
  // With generated links (random or unit) on the input's lattice, whose time extent is an option. Throws Error(Usage)
  // when input and values do not fit together.
  DiracWorkload(const ArraySpec& input, const OptionValues& values);
  // For a given gauge field. `thirdRowsFollow`: of the lattice of which the field is a part; by default the field's
  // own. Throws Error(Usage) for parameters out of range.
  DiracWorkload(std::shared_ptr<const lattice::GaugeField> field, const lattice::WilsonParameters& parameters,
                std::optional<bool> thirdRowsFollow = {});

  [[nodiscard]] std::string_view name() const override { return "dirac"; }
  [[nodiscard]] nlohmann::json parameters() const override;
  [[nodiscard]] std::vector<ArraySpec> inputs() const override { return {spec_}; }
  [[nodiscard]] std::vector<ArraySpec> outputs() const override { return {spec_}; }
  // 1368 operations per site, with spin projection; 960 bytes per site: a spinor in, one out, four links.
  [[nodiscard]] Work work() const override;
  [[nodiscard]] Precision precision() const override { return Precision::f64; }
  [[nodiscard]] std::int64_t termsPerOutput() const override;
  void reference(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box, std::span<double> values,
                 const Control& control) const override;
  void referenceMagnitude(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                          std::span<double> values, const Control& control) const override;
  // The sites of the box and their eight neighbors; the third axis holds z and t.
  [[nodiscard]] Box reach(const Box& box) const override;
  // By voxel, because links mix the colors of a site and the error of a rebuilt third row scales with the whole row.
  [[nodiscard]] ErrorScale errorScale() const override { return ErrorScale::Voxel; }

  [[nodiscard]] const lattice::GaugeField& field() const { return *field_; }
  [[nodiscard]] const std::shared_ptr<const lattice::GaugeField>& sharedField() const { return field_; }
  [[nodiscard]] const lattice::WilsonParameters& wilson() const { return parameters_; }
  // Whether variants may leave the third rows of links out (lattice::thirdRowsFollow).
  [[nodiscard]] bool thirdRowsFollow() const;

 private:
  std::shared_ptr<const lattice::GaugeField> field_;
  lattice::WilsonParameters parameters_;
  std::optional<bool> thirdRowsFollow_;
  ArraySpec spec_;
};

// The ability of plans of the workload dirac to apply only the hops between even and odd sites, for even-odd
// preconditioning. Fields are in host memory.
class HopPlan {
 public:
  virtual ~HopPlan() = default;
  // out <- center + sign kappa H in (lattice::Hops), with the workload's kappa; if the workload is the adjoint
  // operator, `adjoint` is inverted. All extents of the lattice must be even. Throws as Plan::run(), Error(Usage) for
  // fields of other sizes.
  virtual RunReport hop(const lattice::Hops& hops, const lattice::SpinorField& in, lattice::SpinorField& out,
                        const Control& control) = 0;
};

// The ability of plans of the workload dirac to compute some rows of sites, by the operator or by its hops to the sites
// of one parity, for parts of a lattice during the exchange of the halo. Fields are in host memory.

// Rows of sites along x, [begin, end); row r = y + Ly (z + Lz t). `out`: the place of the first row's spinors;
// `center`, for hops only: the spinors to which they are added, null: zero.
struct RowRange {
  std::int64_t begin = 0, end = 0;
  double* out = nullptr;
  const double* center = nullptr;
};

class RowPlan {
 public:
  virtual ~RowPlan() = default;
  // Computes D in on these rows, from a dense whole field; only rows that hops from these rows reach are read. The same
  // bits as run(). Throws as Plan::run().
  virtual void applyRows(const double* in, std::span<const RowRange> rows, const Control& control) = 0;
  // The same for HopPlan::hop(): half fields of a lattice whose extent along x is even. The parity is that of
  // coordinates in this lattice; the center in `hops` is ignored.
  virtual void hopRows(const lattice::Hops& hops, const double* in, std::span<const RowRange> rows,
                       const Control& control) = 0;
  // The report of a run without work and times.
  [[nodiscard]] virtual RunReport rowReport() const = 0;
};

}  // namespace sscope
