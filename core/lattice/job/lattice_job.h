#pragma once
// The computations of the Lattice room and `sscope lattice`: configurations from the heat bath, and observables.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/lattice/configuration.h"
#include "core/lattice/observables.h"
#include "core/volume/volume.h"

namespace sscope {

struct GenerateSettings {
  lattice::Extents extents{8, 8, 8, 8};
  double beta = 6;  // 6 / g^2
  bool hot = true;  // start from random links, else from unit links
  int sweeps = 100;
  std::uint64_t seed = 1;
  bool operator==(const GenerateSettings&) const = default;
};
// The same settings give the same links. `afterSweep` sees the field after each sweep, counted from 1. Throws
// Error(Usage, Memory), Canceled.
using SweepWatcher = std::function<void(int sweep, const lattice::GaugeField& field)>;
[[nodiscard]] lattice::GaugeField generateField(const GenerateSettings& settings, const Control& control,
                                                const SweepWatcher& afterSweep = {});
// A warning about a chain that is likely too short: the plaquette settles in tens of sweeps, but quantities of longer
// distances, such as the energy after a flow and the charge, depend on a cold start for hundreds. Empty: no warning.
[[nodiscard]] std::string thermalizationNotice(const GenerateSettings& settings);
// The provenance for a file with such a field.
[[nodiscard]] lattice::Provenance provenanceOf(const GenerateSettings& settings);
// A Configuration for a generated field, with its observables and provenance.
[[nodiscard]] lattice::Configuration describeGenerated(lattice::GaugeField field, const GenerateSettings& settings,
                                                       const Control& control);

// The components of a volume of Polyakov loops.
enum class LoopPart { Real, Imaginary, Modulus, Phase };
inline constexpr int kLoopParts = 4;
inline constexpr std::array<const char*, kLoopParts> kLoopPartNames{"real", "imaginary", "modulus", "phase"};

// An observable of a configuration at one flow time.
struct LatticeField {
  lattice::Observable observable = lattice::Observable::Plaquette;
  int flowSteps = 0;  // of lattice::kFlowStep
  // f64 over space. Components are the time slices; those of a Polyakov loop are its parts (kLoopParts).
  std::shared_ptr<const Volume> volume;
  // Over all sites. For Polyakov loops: the modulus of the mean over space, and no sum.
  double mean = 0, sum = 0;
};
[[nodiscard]] LatticeField fieldOf(const lattice::GaugeField& links, lattice::Observable observable, int flowSteps,
                                   const Control& control);
// Values at sites as a volume with all time slices as components.
[[nodiscard]] std::shared_ptr<const Volume> slicesOf(const lattice::Lattice& sites, const std::vector<double>& values);

// One component as a separate volume.
[[nodiscard]] Volume componentOf(const Volume& volume, int component);

}  // namespace sscope
