#include "core/lattice/job/lattice_settings.h"

#include "core/session/json_members.h"

namespace sscope {

using namespace json_members;
using nlohmann::json;

namespace {

constexpr int kMostExtent = 4096;
constexpr std::int64_t kMost = 1'000'000'000;

// Four whole numbers; without them the fallback.
std::array<int, 4> fourFrom(const json& object, const char* key, int low) {
  std::array<int, 4> four{};
  const json* value = member(object, key, &json::is_array, "an array of four whole numbers");
  if (!value) return four;
  if (value->size() != four.size()) bad("\"" + std::string(key) + "\" must hold four whole numbers");
  for (std::size_t mu = 0; mu < four.size(); ++mu)
    four[mu] = static_cast<int>(whole(json::object({{key, (*value)[mu]}}), key, low, low, kMostExtent));
  return four;
}

json configurationJson(const ConfigurationSource& from) {
  json object = json::object();
  if (from.empty()) return object;
  if (from.hasExtents()) object["extents"] = from.extents;
  if (!from.path.empty()) {
    object["path"] = from.path;
    return object;
  }
  object["beta"] = from.beta;
  object["start"] = from.hot ? "hot" : "cold";
  object["sweeps"] = from.sweeps;
  object["seed"] = from.seed;
  return object;
}

ConfigurationSource configurationFrom(const json& object) {
  ConfigurationSource from;
  from.path = text(object, "path");
  from.extents = fourFrom(object, "extents", 1);
  from.beta = number(object, "beta", from.beta, 0, 1e6);
  from.hot = oneOf(object, "start", "cold", {"cold", "hot"}) == "hot";
  from.sweeps = static_cast<int>(whole(object, "sweeps", from.sweeps, 0, kMost));
  from.seed = static_cast<std::uint64_t>(whole(object, "seed", 1, 0, INT64_MAX));
  return from;
}

json solveJson(const SolveSettings& solve) {
  json places = json::array();
  for (const SolveSettings::Place& place : solve.places)
    places.push_back({{"engine", place.engine}, {"variant", place.variant}});
  return {{"kappa", solve.kappa},
          {"timeBoundary", solve.timeBoundary},
          {"source", solve.source},
          {"site", solve.site},
          {"color", solve.color},
          {"spin", solve.spin},
          {"seed", solve.seed},
          {"propagator", solve.propagator},
          {"solver", solve.solver},
          {"tolerance", solve.tolerance},
          {"places", places},
          {"maxIterations", solve.maxIterations},
          {"preconditioner", solve.preconditioner}};
}

SolveSettings solveFrom(const json& object) {
  SolveSettings solve;
  solve.kappa = number(object, "kappa", solve.kappa, -10, 10);
  solve.timeBoundary = static_cast<int>(whole(object, "timeBoundary", solve.timeBoundary, -1, 1));
  if (solve.timeBoundary == 0) bad("\"timeBoundary\" must be -1 or 1");
  solve.source = oneOf(object, "source", solve.source, {"point", "hash"});
  solve.site = fourFrom(object, "site", 0);
  solve.color = static_cast<int>(whole(object, "color", 0, 0, 2));
  solve.spin = static_cast<int>(whole(object, "spin", 0, 0, 3));
  solve.seed = static_cast<std::uint64_t>(whole(object, "seed", 0, 0, INT64_MAX));
  solve.propagator = truth(object, "propagator", false);
  solve.solver = oneOf(object, "solver", solve.solver, {"auto", "cr", "gcr", "bicgstab", "cgnr"});
  solve.preconditioner = oneOf(object, "preconditioner", solve.preconditioner, {"auto", "none", "even-odd"});
  solve.tolerance = number(object, "tolerance", solve.tolerance, 1e-15, 0.999);
  solve.maxIterations = static_cast<int>(whole(object, "maxIterations", solve.maxIterations, 1, kMost));
  if (const json* places = member(object, "places", &json::is_array, "an array of engines"))
    for (const json& place : *places) {
      if (!place.is_object()) bad("\"places\" must hold objects");
      solve.places.push_back({text(place, "engine"), text(place, "variant")});
    }
  return solve;
}

}  // namespace

json toJson(const LatticeSettings& settings) {
  return {{"configuration", configurationJson(settings.configuration)},
          {"observable", settings.observable},
          {"part", settings.part},
          {"flowTime", settings.flowTime},
          {"slice", settings.slice},
          {"solve", solveJson(settings.solve)}};
}

LatticeSettings latticeSettingsFrom(const json& object) {
  LatticeSettings settings;
  if (const json* from = member(object, "configuration", &json::is_object, "an object"))
    settings.configuration = configurationFrom(*from);
  settings.observable =
      oneOf(object, "observable", settings.observable, {"plaquette", "energy", "charge", "polyakov", "link-trace"});
  settings.part = oneOf(object, "part", settings.part, {"real", "imaginary", "modulus", "phase"});
  settings.flowTime = number(object, "flowTime", 0, 0, 1000);
  settings.slice = static_cast<int>(whole(object, "slice", 0, 0, kMostExtent));
  if (const json* solve = member(object, "solve", &json::is_object, "an object")) settings.solve = solveFrom(*solve);
  return settings;
}

}  // namespace sscope
