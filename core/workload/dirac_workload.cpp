#include "core/workload/dirac_workload.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/lattice/heat_bath.h"
#include "core/reference/dirac_reference.h"
#include "core/workload/ladder_options.h"

namespace sscope {

using namespace lattice;

namespace {

constexpr double kLargestKappa = 10;

Lattice latticeOf(const ArraySpec& input, std::int64_t time) {
  if (input.type != ElementType::f64 || input.extent[3] != kSpinorComponents)
    throw Error(ErrorKind::Usage, "Wilson's operator works on spinor fields: f64 with 24 components",
                "leave the input out");
  if (time < 1 || input.extent[2] % time != 0)
    throw Error(ErrorKind::Usage,
                "a time extent of " + std::to_string(time) + " does not divide the field's " +
                    std::to_string(input.extent[2]) + " planes",
                "give another --param time=T");
  return Lattice({static_cast<int>(input.extent[0]), static_cast<int>(input.extent[1]),
                  static_cast<int>(input.extent[2] / time), static_cast<int>(time)});
}

GaugeField linksOf(const Lattice& lattice, const OptionValues& values) {
  if (textOf(values, "links") == "unit") return GaugeField(lattice);
  return hotStart(lattice, static_cast<std::uint64_t>(integerOf(values, "seed")));
}

WilsonParameters wilsonOf(const OptionValues& values) {
  WilsonParameters parameters;
  parameters.kappa = realOf(values, "kappa");
  parameters.timeBoundary = textOf(values, "time_boundary") == "periodic" ? 1 : -1;
  parameters.adjoint = std::get<bool>(values.at("adjoint"));
  return parameters;
}

void requireValid(const WilsonParameters& parameters) {
  if (!(std::abs(parameters.kappa) <= kLargestKappa))
    throw Error(ErrorKind::Usage, "kappa is out of range", "give one in -10 to 10");
  if (parameters.timeBoundary != 1 && parameters.timeBoundary != -1)
    throw Error(ErrorKind::Usage, "the boundary in time is out of range", "give 1 (periodic) or -1 (antiperiodic)");
}

using AtSite = SpinorAtSite (*)(const GaugeField&, const WilsonParameters&, std::span<const Complex>, std::int64_t);

// The field as the reference reads it; copied where its elements do not follow each other.
class WholeField {
 public:
  explicit WholeField(const ConstArrayView& view) {
    const std::int64_t nx = view.extent[0], ny = view.extent[1];
    const auto count = static_cast<std::size_t>(view.elements() / 2);
    if (view.stride ==
        std::array<std::int64_t, 4>{kSpinorComponents, kSpinorComponents * nx, kSpinorComponents * nx * ny, 1}) {
      elements_ = {reinterpret_cast<const Complex*>(view.data), count};
      return;
    }
    copy_.reserve(count);
    const double* data = view.as<double>();
    for (std::int64_t z = 0; z < view.extent[2]; ++z)
      for (std::int64_t y = 0; y < ny; ++y)
        for (std::int64_t x = 0; x < nx; ++x)
          for (std::int64_t c = 0; c < kSpinorComponents; c += 2)
            copy_.emplace_back(data[view.offset(x, y, z, c)], data[view.offset(x, y, z, c + 1)]);
    elements_ = copy_;
  }
  [[nodiscard]] std::span<const Complex> elements() const { return elements_; }

 private:
  std::vector<Complex> copy_;
  std::span<const Complex> elements_;
};

void fill(const GaugeField& field, const WilsonParameters& parameters, const ConstArrayView& input, const Box& box,
          std::span<double> values, const Control& control, AtSite at) {
  const WholeField whole(input);
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

ArraySpec spinorSpec(const Lattice& lattice) {
  return {
      ElementType::f64,
      {lattice.extent(0), lattice.extent(1), std::int64_t{lattice.extent(2)} * lattice.extent(3), kSpinorComponents}};
}

const std::vector<Option>& DiracWorkload::options() {
  static const std::vector<Option> options{
      choiceOption("links", "Links", {"random", "unit"}, "random elements of SU(3) from the seed, or all one"),
      realOption("kappa", "Kappa", 0.12, -kLargestKappa, kLargestKappa, "", "the hopping parameter, 1 / (2 m + 8)"),
      integerOption("time", "Time extent", 32, 1, 4096, "extent along time; the shape's are those of space"),
      choiceOption("time_boundary", "Boundary in time", {"antiperiodic", "periodic"}, "of the spinors"),
      booleanOption("adjoint", "Adjoint", false, "the adjoint operator"),
      integerOption("seed", "Seed", 1, 0, 1'000'000'000, "of the links and of the noise that is computed on")};
  return options;
}

DiracWorkload::DiracWorkload(const ArraySpec& input, const OptionValues& values)
    : DiracWorkload(std::make_shared<GaugeField>(linksOf(latticeOf(input, integerOf(values, "time")), values)),
                    wilsonOf(values)) {}

DiracWorkload::DiracWorkload(std::shared_ptr<const GaugeField> field, const WilsonParameters& parameters)
    : field_(std::move(field)), parameters_(parameters), spec_(spinorSpec(field_->lattice())) {
  requireValid(parameters_);
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

// Eight hops of three colors and two spins, of products of complex numbers, and the site itself.
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
