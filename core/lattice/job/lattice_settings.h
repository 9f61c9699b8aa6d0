#pragma once
// Settings of the Lattice room, as stored in sessions. Qt-free.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/options/settings.h"

namespace sscope {

// Where a configuration comes from: a file, or the heat bath, which is reproducible.
struct ConfigurationSource {
  std::string path;              // empty: generated, or none
  std::array<int, 4> extents{};  // x, y, z, t: of the heat bath, or of a file that does not state its own
  double beta = 6;               // of the heat bath, as are the members below
  bool hot = false;              // the value in sessions without this member
  int sweeps = 100;
  std::uint64_t seed = 1;
  [[nodiscard]] bool hasExtents() const { return extents[0] > 0; }
  [[nodiscard]] bool empty() const { return path.empty() && !hasExtents(); }
  bool operator==(const ConfigurationSource&) const = default;
};

// The Solve tab.
struct SolveSettings {
  // An engine and the operator's variant; an empty variant means the engine's first.
  struct Place {
    std::string engine, variant;
    bool operator==(const Place&) const = default;
  };
  double kappa = 0.12;
  int timeBoundary = -1;                // -1 antiperiodic, 1 periodic
  std::string source = "point";         // "point", or "hash": random numbers
  std::array<int, 4> site{};            // of the point: x, y, z, t
  int color = 0, spin = 0;              // of the point
  std::uint64_t seed = 0;               // of the random numbers
  bool propagator = false;              // solve for all colors and spins of the point
  std::string solver = "auto";          // "auto", "cr", "gcr", "bicgstab", "cgnr"
  std::string preconditioner = "auto";  // "auto", "none", "even-odd"
  double tolerance = 1e-10;
  int maxIterations = 10000;
  std::vector<Place> places;  // empty: the chosen engine
  bool operator==(const SolveSettings&) const = default;
  [[nodiscard]] static const SettingsTable& table();
};

struct LatticeSettings {
  ConfigurationSource configuration;
  std::string observable = "charge";  // "plaquette" and the other names of lattice::observables()
  std::string part = "modulus";       // of a Polyakov loop: "real", "imaginary", "modulus", "phase"
  double flowTime = 0;
  int slice = 0;  // of time
  SolveSettings solve;
  bool operator==(const LatticeSettings&) const = default;
  [[nodiscard]] static const SettingsTable& table();
};

}  // namespace sscope
