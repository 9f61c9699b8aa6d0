#pragma once
// Workload "dirac": Wilson's operator D = 1 - kappa H on a lattice of four dimensions (A. Cassagne et al., "Portage
// d'un code de lattice QCD sur GPU", 2013, the stencil core), complex float64.

#include <memory>
#include <optional>

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
  // Of a gauge field. `thirdRowsFollow`: of the lattice that the field is a part of; else the field's own. Throws
  // Error(Usage) for parameters out of range.
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

}  // namespace sscope
