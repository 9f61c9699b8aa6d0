#pragma once
// Fields and operators that several tests use.

#include "core/lattice/fields.h"
#include "core/lattice/solver.h"
#include "core/lattice/wilson.h"

namespace sscope::test {

// The operator from its formula.
[[nodiscard]] lattice::ApplyDirac referenceOperator(const lattice::GaugeField& field,
                                                    const lattice::WilsonParameters& parameters);
// With hops between the sites of either parity, also from the formula.
[[nodiscard]] lattice::WilsonSystem referenceSystem(const lattice::GaugeField& field,
                                                    const lattice::WilsonParameters& parameters);
[[nodiscard]] lattice::SpinorField applied(const lattice::GaugeField& field,
                                           const lattice::WilsonParameters& parameters, const lattice::SpinorField& in);
// The field and a spinor field seen through another gauge at each site: U' = W(x) U W(x + mu)^dagger, psi' = W psi.
[[nodiscard]] lattice::GaugeField transformed(const lattice::GaugeField& field,
                                              const std::vector<lattice::Matrix3>& gauge);
[[nodiscard]] lattice::SpinorField transformed(const lattice::SpinorField& psi,
                                               const std::vector<lattice::Matrix3>& gauge);
// Links after a few sweeps of the heat bath at beta 6.
[[nodiscard]] lattice::GaugeField smoothField(const lattice::Lattice& lattice);
[[nodiscard]] std::vector<lattice::Matrix3> randomGauge(const lattice::Lattice& lattice, std::uint64_t seed);
// |a - b| / |b|.
[[nodiscard]] double relativeDistance(const lattice::SpinorField& a, const lattice::SpinorField& b);
// As float32 holds it. Volatile, because GCC 12 at -O2 takes two conversions to float and back, side by side, for
// nothing.
[[nodiscard]] inline lattice::Complex inFloat32(const lattice::Complex& value) {
  const volatile float re = static_cast<float>(value.real()), im = static_cast<float>(value.imag());
  return {re, im};
}

}  // namespace sscope::test
