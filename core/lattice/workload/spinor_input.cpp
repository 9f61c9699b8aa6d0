#include "core/lattice/workload/spinor_input.h"

#include <cmath>

#include "core/base/error.h"
#include "core/lattice/heat_bath.h"
#include "core/workload/catalog.h"

namespace sscope {

using namespace lattice;

namespace {

constexpr double kLargestKappa = 10;

}  // namespace

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

ArraySpec spinorSpec(const Lattice& lattice) {
  return {
      ElementType::f64,
      {lattice.extent(0), lattice.extent(1), std::int64_t{lattice.extent(2)} * lattice.extent(3), kSpinorComponents}};
}

std::vector<Option> wilsonOptions() {
  return {choiceOption("links", "Links", {"random", "unit"}, "random elements of SU(3) from the seed, or all one"),
          realOption("kappa", "Kappa", 0.12, -kLargestKappa, kLargestKappa, "", "the hopping parameter, 1 / (2 m + 8)"),
          integerOption("time", "Time extent", 32, 1, 4096, "extent along time; the shape's are those of space"),
          choiceOption("time_boundary", "Boundary in time", {"antiperiodic", "periodic"}, "of the spinors"),
          integerOption("seed", "Seed", 1, 0, 1'000'000'000, "of the links and of the input noise")};
}

std::shared_ptr<const GaugeField> linksFor(const ArraySpec& input, const OptionValues& values) {
  const Lattice lattice = latticeOf(input, integerOf(values, "time"));
  if (textOf(values, "links") == "unit") return std::make_shared<GaugeField>(lattice);
  return std::make_shared<GaugeField>(hotStart(lattice, static_cast<std::uint64_t>(integerOf(values, "seed"))));
}

WilsonParameters wilsonFrom(const OptionValues& values) {
  WilsonParameters parameters;
  parameters.kappa = realOf(values, "kappa");
  parameters.timeBoundary = textOf(values, "time_boundary") == "periodic" ? 1 : -1;
  return parameters;
}

void requireValid(const WilsonParameters& parameters) {
  if (!(std::abs(parameters.kappa) <= kLargestKappa))
    throw Error(ErrorKind::Usage, "kappa is out of range", "give a value from -10 to 10");
  if (parameters.timeBoundary != 1 && parameters.timeBoundary != -1)
    throw Error(ErrorKind::Usage, "the boundary in time is out of range", "give 1 (periodic) or -1 (antiperiodic)");
}

namespace {

// visit(k, at) for the numbers of a view in the order of a dense one.
template <class View, class Visit>
void forEachNumber(const View& view, Visit&& visit) {
  std::size_t next = 0;
  for (std::int64_t z = 0; z < view.extent[2]; ++z)
    for (std::int64_t y = 0; y < view.extent[1]; ++y)
      for (std::int64_t x = 0; x < view.extent[0]; ++x)
        for (std::int64_t c = 0; c < view.extent[3]; ++c) visit(next++, view.offset(x, y, z, c));
}

// Whether the elements of a spinor field are contiguous in memory.
bool isWhole(const ConstArrayView& view) {
  const std::int64_t nx = view.extent[0], ny = view.extent[1];
  return view.stride ==
         std::array<std::int64_t, 4>{kSpinorComponents, kSpinorComponents * nx, kSpinorComponents * nx * ny, 1};
}

}  // namespace

WholeSpinor::WholeSpinor(const ConstArrayView& view) {
  const auto count = static_cast<std::size_t>(view.elements() / 2);
  if (isWhole(view)) {
    elements_ = {reinterpret_cast<const Complex*>(view.data), count};
    return;
  }
  copy_.resize(count);
  forEachNumber(view, [&](std::size_t k, std::int64_t at) {
    const double value = view.as<double>()[at];
    copy_[k / 2] = k % 2 == 0 ? Complex(value, copy_[k / 2].imag()) : Complex(copy_[k / 2].real(), value);
  });
  elements_ = copy_;
}

SpinorTarget::SpinorTarget(const ArrayView& view)
    : view_(view),
      scattered_(isWhole(view) ? 0 : static_cast<std::size_t>(view.elements() / 2)),
      elements_(isWhole(view) ? reinterpret_cast<Complex*>(view.data) : scattered_.data()) {}

void SpinorTarget::finish() const {
  if (scattered_.empty()) return;
  const auto* values = reinterpret_cast<const double*>(scattered_.data());
  forEachNumber(view_, [&](std::size_t k, std::int64_t at) { view_.as<double>()[at] = values[k]; });
}

}  // namespace sscope
