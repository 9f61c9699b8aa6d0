#include "core/lattice/job/lattice_settings.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/options/json_members.h"

namespace sscope {

using namespace json_members;
using nlohmann::json;

namespace {

constexpr int kMostExtent = 4096;
constexpr std::int64_t kMost = 1'000'000'000;

using Four = std::array<int, 4>;

void readFour(Four& four, const json& list, const char* key, int low) {
  if (!list.is_array() || list.size() != four.size()) bad("\"" + std::string(key) + "\" must hold four whole numbers");
  for (std::size_t mu = 0; mu < four.size(); ++mu)
    four[mu] = static_cast<int>(whole(json::object({{key, list[mu]}}), key, low, low, kMostExtent));
}

void writeSite(const Four& site, json& list) { list = site; }

void readSite(Four& site, const json& list) { readFour(site, list, "site", 0); }

// A file, the settings of the heat bath, or nothing; the members that are present decide.
void writeConfiguration(const ConfigurationSource& from, json& object) {
  object = json::object();
  if (from.empty()) return;
  if (from.hasExtents()) object["extents"] = from.extents;
  if (!from.path.empty()) {
    object["path"] = from.path;
    return;
  }
  object["beta"] = from.beta;
  object["start"] = from.hot ? "hot" : "cold";
  object["sweeps"] = from.sweeps;
  object["seed"] = from.seed;
}

void readConfiguration(ConfigurationSource& from, const json& object) {
  if (!object.is_object()) bad("\"configuration\" must be an object");
  from.path = text(object, "path");
  if (object.contains("extents") && !object["extents"].is_null())
    readFour(from.extents, object["extents"], "extents", 1);
  from.beta = number(object, "beta", from.beta, 0, 1e6);
  from.hot = oneOf(object, "start", "cold", {"cold", "hot"}) == "hot";
  from.sweeps = static_cast<int>(whole(object, "sweeps", from.sweeps, 0, kMost));
  from.seed = static_cast<std::uint64_t>(whole(object, "seed", 1, 0, INT64_MAX));
}

void writePlaces(const std::vector<SolveSettings::Place>& places, json& list) {
  list = json::array();
  for (const auto& [engine, variant] : places) list.push_back({{"engine", engine}, {"variant", variant}});
}

void readPlaces(std::vector<SolveSettings::Place>& places, const json& list) {
  if (!list.is_array()) bad("\"places\" must be an array of engines");
  for (const json& place : list) {
    if (!place.is_object()) bad("\"places\" must hold objects");
    places.push_back({text(place, "engine"), text(place, "variant")});
  }
}

std::string nameOf(const ConfigurationSource& from) {
  if (from.empty()) return {};
  if (!from.path.empty()) return std::filesystem::path(from.path).filename().string();
  std::string text = "generated ";
  for (std::size_t mu = 0; mu < from.extents.size(); ++mu)
    text += (mu == 0 ? "" : "x") + std::to_string(from.extents[mu]);
  return text;
}

}  // namespace

const SettingsTable& SolveSettings::table() {
  using S = SolveSettings;
  static const SettingsTable made =
      SettingsOf<S>()
          .group("operator")
          .real("kappa", "hopping parameter", &S::kappa, -10, 10)
          .shown("\u03ba", "Hopping parameter kappa")
          .help(
              "kappa = 1 / (2 m + 8), m being the bare quark mass in lattice units: heavier quarks to the left; close "
              "to the critical value the solver needs many iterations")
          .slider(0.01, 0.25, 1e-4)
          .step(0.001)
          .whole("timeBoundary", "boundary in time", &S::timeBoundary, -1, 1)
          .except(std::int64_t{0}, "give -1 or 1")
          .titles({{"-1", "antiperiodic"}, {"1", "periodic"}})
          .shown("Time", "Boundary of the quarks in time")
          .help("Hops across the seam of time are multiplied by -1, or not")
          .group("source")
          .choice("source", "source", &S::source, {"point", "hash"})
          .titles({{"point", "point"}, {"hash", "random numbers"}})
          .shown("Kind", "Source")
          .help("One at a point, or random numbers everywhere, the same on every machine")
          .other("site", "point", &S::site, writeSite, readSite)
          .whole("color", "color", &S::color, 0, 2)
          .shown("Color", "Color of the source")
          .help("Color, 0 to 2")
          .whole("spin", "spin", &S::spin, 0, 3)
          .shown("Spin", "Spin of the source")
          .help("Spin, 0 to 3")
          .whole("seed", "seed", &S::seed, 0, INT64_MAX)
          .shown("Seed", "Seed of the source")
          .help("The same seed gives the same source")
          .truth("propagator", "propagator", &S::propagator)
          .shown("whole propagator")
          .help("Solve for all 12 colors and spins of the point: the pion correlator and its effective mass")
          .group("solver")
          .choice("solver", "solver", &S::solver, {"auto", "cr", "gcr", "bicgstab", "cgnr"})
          .titles({{"auto", "auto", "BiCGstab with a random shadow residual, then CGNR from there if that fails"},
                   {"cr", "cr", "Conjugate residual on gamma5 D, as in the paper the ladder comes from"},
                   {"gcr", "gcr", "Generalized conjugate residual on D, restarted every 16 directions"},
                   {"bicgstab", "bicgstab", "Stabilized biconjugate gradients on D"},
                   {"cgnr", "cgnr", "Conjugate gradients on the normal equations: slow and safe"}})
          .shown("Method", "Solver")
          .choice("preconditioner", "preconditioner", &S::preconditioner, {"auto", "none", "even-odd"})
          .titles(
              {{"auto", "auto",
                "Even-odd where every extent is even and the engine can: half the sites, about half the iterations"},
               {"none", "none", "The whole lattice at once"},
               {"even-odd", "even-odd",
                "Even sites alone, from which the odd ones follow; none where that is not possible"}})
          .real("tolerance", "tolerance", &S::tolerance, 1e-15, 0.999)
          .help("Solved once |b - D x| / |b| is at most this; arrow keys step by factors of ten")
          .decades()
          .whole("maxIterations", "most iterations", &S::maxIterations, 1, kMost)
          .shown("At most", "Iteration limit")
          .help("After this many iterations of one system, the best iterate is kept and reported as not converged")
          .unit("iterations")
          .step(100)
          .group("places")
          .other("places", "variants", &S::places, writePlaces, readPlaces)
          .table();
  return made;
}

const SettingsTable& LatticeSettings::table() {
  using S = LatticeSettings;
  static const SettingsTable made =
      SettingsOf<S>("lattice", "lattice", "lattice", "Lattice")
          .optional()
          .other("configuration", "configuration", &S::configuration, writeConfiguration, readConfiguration)
          .group("field")
          .choice("observable", "field", &S::observable, {"plaquette", "energy", "charge", "polyakov", "link-trace"})
          .choice("part", "part", &S::part, {"real", "imaginary", "modulus", "phase"})
          .titles({{"real", "real part"}, {"imaginary", "imaginary part"}, {"modulus", "modulus"}, {"phase", "phase"}})
          .shown("Part", "The part of the complex number that is shown")
          .help("The part of the complex number that is shown")
          .group("flow")
          .real("flowTime", "flow time", &S::flowTime, 0, 1000)
          .help(
              "Smooth the links by the Wilson flow for this time, in units of the lattice spacing squared and steps of "
              "0.01; double-click the slider to go back to 0")
          .slider(0, 10, 0.01)
          .step(0.01)
          .group({})
          .whole("slice", "time slice", &S::slice, 0, kMostExtent)
          .within("solve", &S::solve, SolveSettings::table())
          .file("configuration.relativePath", &S::configuration, &ConfigurationSource::path)
          .document([](const S& s) { return nameOf(s.configuration); })
          .command([](const S& s, bool shown) -> std::string {
            if (s.configuration.empty() && !shown) return {};
            return "sscope lattice field and sscope lattice solve";
          })
          .table();
  return made;
}

}  // namespace sscope
