#pragma once
// Comparisons that were never measured, to be written, drawn and replayed.

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/compare/comparison.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/recipe.h"

namespace sscope::test {

// A lane whose quoted times are these, with and without transfers.
[[nodiscard]] inline compare::Lane laneWith(const std::string& engine, std::vector<double> totals,
                                            std::vector<double> kernels) {
  compare::Lane lane;
  Measurement& m = lane.measurement;
  m.workload = "filter";
  m.variant = m.ran = "separable";
  m.engine = engine;
  m.engineName = "an engine";
  m.engineKind = EngineKind::OpenCl;
  m.shape = {16, 16, 16};
  m.params = {{"boundary", "nearest"}};
  m.input = "f32";
  m.samples = std::move(kernels);
  m.phases = {0.5, 0.25, 0.125, 0.0625, 0.03125, 0.5};
  m.operations = 1e9;
  m.bytes = 1e8;
  m.caches = "emptied before the kernels";
  m.verification.verified = true;
  m.verification.relativeL2 = 1e-7;
  m.verification.maximumUlp = 1.5;
  m.verification.compared = 4096;
  m.verification.coverage = "full volume";
  m.ceilings = Ceilings{100, 50, 20, 1, "2026-03-01T12:00:00Z", 80, 200, 60, 0};
  m.stolen = 0.001;
  m.clock = RowClock{1500, 1490, 1480, 1510, 2600, {"power cap"}};
  lane.totals = std::move(totals);
  lane.why = "the engine's first";
  compare::FirstResult first;
  first.seconds = 2;
  first.phases = {0.5, 0.25, 0.125, 0.0625, 0, 2};
  first.slabs = {{{{0, 0, 0}, {16, 16, 8}}, 0, 1, {0.5, 0.25, 0.125, 0.0625, 0, 1}},
                 {{{0, 0, 8}, {16, 16, 16}}, 1, 2, {0, 0, 0.125, 0.0625, 0, 1}}};
  first.verification = m.verification;
  first.plan = "tiles of 8 x 8";
  first.scratchBytes = 1024;
  lane.first = first;
  return lane;
}

// The document of a bank of one filter.
[[nodiscard]] inline nlohmann::json bankOf(const std::string& spec) {
  FilterBank bank;
  bank.filters.push_back(parseFilterSpec(spec));
  nameApart(bank);
  return toJson(bank);
}

[[nodiscard]] inline compare::Comparison comparisonOf(std::vector<compare::Lane> lanes) {
  compare::Comparison result;
  result.version = SSCOPE_VERSION;
  result.date = "2026-03-01T12:00:00Z";
  result.machine = {"workbench", "A processor", 8, "Debian", std::int64_t{16} << 30, std::int64_t{32} << 20};
  for (const char* id : {"opencl:0", "cuda:0"}) {
    EngineInfo info;
    info.id = id;
    info.kind = EngineKind::OpenCl;
    info.name = "an engine";
    info.driver = "1.2";
    if (std::string(id) == "cuda:0") info.absentReason = "libcuda.so.1 not found";
    result.engines.push_back(info);
  }
  result.recipe.computes = "filters";
  result.recipe.parameters = bankOf("gaussian:sigma=1.5");
  result.recipe.data.spec = {ElementType::f32, {16, 16, 16, 1}};
  result.recipe.data.fingerprint = "0123456789abcdef";
  result.recipe.workload = "filter";
  result.recipe.made = {{"boundary", "nearest"}};
  for (const compare::Lane& lane : lanes)
    result.contenders.push_back({lane.measurement.engine, lane.measurement.variant, {}});
  result.lanes = std::move(lanes);
  result.notes = {"A note."};
  return result;
}

// Three lanes: a fast one, one that takes twice as long, and one that is not there.
[[nodiscard]] inline compare::Comparison threeLanes() {
  compare::Lane absent;
  absent.measurement.workload = "filter";
  absent.measurement.engine = "cuda:0";
  absent.measurement.input = "f32";
  absent.measurement.skipped = "libcuda.so.1 not found";
  return comparisonOf({laneWith("opencl:0", {1, 1.1, 1.2}, {0.5, 0.6, 0.7}),
                       laneWith("opencl:1", {2, 2.2, 2.4}, {0.4, 0.45, 0.5}), absent});
}

}  // namespace sscope::test
