#include "tests/lattice/lattice_support.h"

#include <cmath>

#include "core/lattice/heat_bath.h"
#include "core/lattice/workload/dirac_reference.h"

namespace sscope::test {

using namespace lattice;

ApplyDirac referenceOperator(const GaugeField& field, const WilsonParameters& parameters) {
  return [&field, parameters](bool adjoint, const SpinorField& in, SpinorField& out, const Control&) {
    WilsonParameters own = parameters;
    own.adjoint = own.adjoint != adjoint;
    diracReference(field, own, in, out);
  };
}

WilsonSystem referenceSystem(const GaugeField& field, const WilsonParameters& parameters) {
  const Lattice lattice = field.lattice();
  const ApplyHops hops = [&field, parameters, lattice](const Hops& wanted, const SpinorField& in, SpinorField& out,
                                                       const Control& control) {
    WilsonParameters own = parameters;
    own.adjoint = own.adjoint != wanted.adjoint;
    own.kappa *= -wanted.sign;
    // Center and neighbors do not meet on a lattice of two colors.
    SpinorField whole = zeroSpinor(lattice);
    putHalf(lattice, 1 - wanted.parity, in, whole, control);
    if (wanted.center != nullptr) putHalf(lattice, wanted.parity, *wanted.center, whole, control);
    out = halfOf(lattice, wanted.parity, applied(field, own, whole), control);
  };
  return {referenceOperator(field, parameters), lattice, hops, {}};
}

SpinorField applied(const GaugeField& field, const WilsonParameters& parameters, const SpinorField& in) {
  SpinorField out(in.size());
  diracReference(field, parameters, in, out);
  return out;
}

GaugeField transformed(const GaugeField& field, const std::vector<Matrix3>& gauge) {
  const Lattice& lattice = field.lattice();
  GaugeField result = field;
  for (std::int64_t x = 0; x < lattice.volume(); ++x)
    for (int mu = 0; mu < kDirections; ++mu)
      result.link(x, mu) = gauge[static_cast<std::size_t>(x)] * field.link(x, mu) *
                           adjoint(gauge[static_cast<std::size_t>(lattice.forward(x, mu))]);
  return result;
}

SpinorField transformed(const SpinorField& psi, const std::vector<Matrix3>& gauge) {
  SpinorField result(psi.size());
  for (std::size_t k = 0; k < psi.size(); ++k) {
    const std::size_t site = k / kSpinorElements, color = k / kSpins % kColors, spin = k % kSpins;
    for (std::size_t other = 0; other < kColors; ++other)
      result[k] += gauge[site](static_cast<int>(color), static_cast<int>(other)) *
                   psi[site * kSpinorElements + other * kSpins + spin];
  }
  return result;
}

GaugeField smoothField(const Lattice& lattice) {
  GaugeField field(lattice);
  for (std::uint64_t sweep = 0; sweep < 4; ++sweep) heatBathSweep(field, 6, 1, sweep, {});
  return field;
}

std::vector<Matrix3> randomGauge(const Lattice& lattice, std::uint64_t seed) {
  const GaugeField field = hotStart(lattice, seed);
  std::vector<Matrix3> gauge;
  for (std::int64_t x = 0; x < lattice.volume(); ++x) gauge.push_back(field.link(x, 0));
  return gauge;
}

double relativeDistance(const SpinorField& a, const SpinorField& b) {
  double difference = 0, norm = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    difference += std::norm(a[k] - b[k]);
    norm += std::norm(b[k]);
  }
  return std::sqrt(difference / norm);
}

}  // namespace sscope::test
