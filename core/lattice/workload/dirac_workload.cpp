#include "core/lattice/workload/dirac_workload.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/boundary/boundary.h"
#include "core/lattice/workload/dirac_reference.h"

namespace sscope {

using namespace lattice;

namespace {

using AtSite = SpinorAtSite (*)(const GaugeField&, const WilsonParameters&, std::span<const Complex>, std::int64_t);

void fill(const GaugeField& field, const WilsonParameters& parameters, const ConstArrayView& input, const Box& box,
          std::span<double> values, const Control& control, AtSite at) {
  const WholeSpinor whole(input);
  std::size_t next = 0;
  for (std::int64_t z = box.begin[2]; z < box.end[2]; ++z)
    for (std::int64_t y = box.begin[1]; y < box.end[1]; ++y) {
      control.check();
      for (std::int64_t x = box.begin[0]; x < box.end[0]; ++x)
        for (const Complex& value :
             at(field, parameters, whole.elements(), x + input.extent[0] * (y + input.extent[1] * z))) {
          values[next++] = value.real();
          values[next++] = value.imag();
        }
    }
}

}  // namespace

const std::vector<Option>& DiracWorkload::options() {
  static const std::vector<Option> options = [] {
    std::vector<Option> all = wilsonOptions();
    all.push_back(booleanOption("adjoint", "Adjoint", false, "the adjoint operator"));
    return all;
  }();
  return options;
}

DiracWorkload::DiracWorkload(const ArraySpec& input, const OptionValues& values)
    : DiracWorkload(linksFor(input, values), [&] {
        WilsonParameters parameters = wilsonFrom(values);
        parameters.adjoint = std::get<bool>(values.at("adjoint"));
        return parameters;
      }()) {}

DiracWorkload::DiracWorkload(std::shared_ptr<const GaugeField> field, const WilsonParameters& parameters,
                             std::optional<bool> thirdRowsFollow)
    : field_(std::move(field)),
      parameters_(parameters),
      thirdRowsFollow_(thirdRowsFollow),
      spec_(spinorSpec(field_->lattice())) {
  requireValid(parameters_);
}

bool DiracWorkload::thirdRowsFollow() const {
  return thirdRowsFollow_ ? *thirdRowsFollow_ : lattice::thirdRowsFollow(*field_);
}

Box DiracWorkload::reach(const Box& box) const {
  const Lattice& lattice = field_->lattice();
  Box reach = box;
  for (std::size_t a = 0; a < 2; ++a) {
    const Range range = reachOf({box.begin[a], box.end[a]}, 3, 1, lattice.extent(static_cast<int>(a)), Boundary::wrap);
    reach.begin[a] = range.begin;
    reach.end[a] = range.end;
  }
  const std::int64_t plane = spec_.extent[0] * spec_.extent[1];
  for (std::int64_t slice = box.begin[2]; slice < box.end[2]; ++slice)
    for (const int mu : {2, 3})
      for (const std::int64_t site : {lattice.forward(slice * plane, mu), lattice.backward(slice * plane, mu)}) {
        reach.begin[2] = std::min(reach.begin[2], site / plane);
        reach.end[2] = std::max(reach.end[2], site / plane + 1);
      }
  return reach;
}

nlohmann::json DiracWorkload::parameters() const {
  return {{"lattice", field_->lattice().extents()},
          {"kappa", parameters_.kappa},
          {"time_boundary", parameters_.timeBoundary == 1 ? "periodic" : "antiperiodic"},
          {"adjoint", parameters_.adjoint}};
}

Work DiracWorkload::work() const {
  const auto sites = static_cast<double>(field_->lattice().volume());
  return {kDiracOperations * sites, kDiracBytes * sites};
}

// Eight hops with complex products over three colors and two spins, and the site itself.
std::int64_t DiracWorkload::termsPerOutput() const { return 8 * 3 * 2 * 2 + 1; }

void DiracWorkload::reference(std::span<const ConstArrayView> inputs, std::size_t, const Box& box,
                              std::span<double> values, const Control& control) const {
  fill(*field_, parameters_, inputs[0], box, values, control, diracReference);
}

void DiracWorkload::referenceMagnitude(std::span<const ConstArrayView> inputs, std::size_t, const Box& box,
                                       std::span<double> values, const Control& control) const {
  fill(*field_, parameters_, inputs[0], box, values, control, diracMagnitude);
}

}  // namespace sscope
