#pragma once
// Observables of a gauge field. Sources: K. G. Wilson, Phys. Rev. D 10 (1974) 2445 (plaquette, Polyakov loop); M.
// Luescher, JHEP 08 (2010) 071 (energy density and charge density from the clover).

#include <string>
#include <string_view>
#include <vector>

#include "core/base/control.h"
#include "core/lattice/fields.h"
#include "core/volume/volume.h"

namespace sscope::cpu {
struct CloverDensities;
}

namespace sscope::lattice {

enum class Observable {
  Plaquette,  // action density: the sum over the six planes of 1 - Re tr P / 3
  Energy,     // tr F F summed over the six planes, F from the clover
  Charge,     // topological: tr(Fxy Fzt - Fxz Fyt + Fxt Fyz) / (4 pi^2)
  Polyakov,   // tr of the product of the links along t, / 3: complex, one number per point of space
  LinkTrace,  // Re tr U / 3, the mean of the four links; gauge-dependent
};

struct ObservableInfo {
  Observable observable;
  std::string name;         // "plaquette", as on the command line
  std::string title;        // "Plaquette action density"
  std::string explanation;  // one sentence
};
[[nodiscard]] const std::vector<ObservableInfo>& observables();
// Throws Error(Usage) listing the known ones.
[[nodiscard]] Observable observableNamed(std::string_view name);

// Means over the lattice. plaquette: Re tr P / 3 over all sites and planes; linkTrace: Re tr U / 3 over all links.
[[nodiscard]] double meanPlaquette(const GaugeField& field, const Control& control = {});
// The same over the planes without time.
[[nodiscard]] double meanSpatialPlaquette(const GaugeField& field, const Control& control = {});
[[nodiscard]] double meanLinkTrace(const GaugeField& field, const Control& control = {});

// From the clover: the mean energy density, the sum of the charge density, and meanPlaquette(). The last digits may
// differ between kinds of processors.
struct CloverSums {
  double meanEnergy = 0, charge = 0, plaquette = 0;
};
[[nodiscard]] CloverSums sumsOf(const cpu::CloverDensities& densities, const Lattice& lattice);
// The sums over planes of constant z and t from which these follow, in order of z, then t. Added in the order of
// OrderedSum (ranks/rank_space.h), they are the same for any number of ranks.
struct CloverPlaneSums {
  std::vector<Complex> energyAndCharge, plaquette;  // the plaquettes' sum of Re tr P, without an imaginary part
};
[[nodiscard]] CloverPlaneSums planeSumsOf(const cpu::CloverDensities& densities, const Lattice& lattice);
[[nodiscard]] CloverSums sumsOf(Complex energyAndCharge, Complex plaquette, const Lattice& lattice);
[[nodiscard]] CloverSums cloverSums(const GaugeField& field, const Control& control = {});

// The field strength in the plane of mu and nu by the four leaves of the clover: Hermitian and traceless, (Q -
// Q^dagger) / 8i less its trace. This is the formula for one site; the densities of all sites use a faster method.
[[nodiscard]] Matrix3 fieldStrength(const GaugeField& field, std::int64_t site, int mu, int nu);

// One value per site, in the order of sites. Throws Error(Usage) for Polyakov.
[[nodiscard]] std::vector<double> densities(const GaugeField& field, Observable observable, const Control& control);
// One value for each point of space, x fastest.
[[nodiscard]] std::vector<Complex> polyakovLoops(const GaugeField& field, const Control& control);

// |psi|^2 of each site.
[[nodiscard]] std::vector<double> densities(const Lattice& lattice, const SpinorField& psi);

inline constexpr int kAllTimeSlices = -1;
// Throws Error(Usage) for an invalid time slice; kAllTimeSlices is valid.
void requireTimeSlice(const Lattice& lattice, int timeSlice);
// Values of sites as a volume of f64 over space: one time slice, or all of them as its components. The spacing is 1, in
// lattice units, without a unit. Throws as requireTimeSlice.
[[nodiscard]] Volume asVolume(const Lattice& lattice, const std::vector<double>& values, int timeSlice);
// Any of the observables as a volume; Polyakov has no time and two components, the real and imaginary parts.
[[nodiscard]] Volume observableVolume(const GaugeField& field, Observable observable, int timeSlice,
                                      const Control& control);

}  // namespace sscope::lattice
