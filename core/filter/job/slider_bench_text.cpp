#include "core/base/statistics.h"
#include "core/filter/job/slider_bench.h"
#include "core/measure/measurement.h"
#include "core/measure/table.h"

namespace sscope {

namespace {

std::vector<double> phaseOf(const SliderRow& row, double Phases::*phase) {
  std::vector<double> samples;
  for (const Phases& phases : row.phases) samples.push_back(phases.*phase);
  return samples;
}

std::string nameOf(const SliderRow& row) { return row.variant.empty() ? row.engine : row.engine + "/" + row.variant; }

std::string milliseconds(const std::vector<double>& samples) {
  return samples.empty() ? "-" : inMilliseconds(medianOf(samples));
}

std::string quartiles(const std::vector<double>& samples) {
  return samples.empty() ? "-" : quartilesText(spreadOf(samples), "-");
}

}  // namespace

std::string toTable(std::span<const SliderRow> rows) {
  TextRows cells{{"engine", "step", "n", "slices ms", "whole ms", "quartiles", "compile", "upload", "kernel",
                  "download", "rest", "brick ms", "slices on", "ran"}};
  for (const SliderRow& row : rows) {
    if (!row.failed.empty()) {
      cells.push_back({nameOf(row), toString(row.state), "failed: " + row.failed});
      continue;
    }
    cells.push_back({nameOf(row), toString(row.state), std::to_string(row.phases.size()), milliseconds(row.slices),
                     milliseconds(row.whole), quartiles(row.whole.empty() ? row.slices : row.whole),
                     milliseconds(phaseOf(row, &Phases::compile)), milliseconds(phaseOf(row, &Phases::upload)),
                     milliseconds(phaseOf(row, &Phases::kernel)), milliseconds(phaseOf(row, &Phases::download)),
                     milliseconds(row.rest), milliseconds(row.brick), row.previewed, row.ran});
  }
  return textTable(cells);
}

nlohmann::json toJson(const SliderRow& row) {
  nlohmann::json json{{"engine", row.engine}, {"variant", row.variant}, {"step", toString(row.state)}};
  if (!row.failed.empty()) {
    json["failed"] = row.failed;
    return json;
  }
  json["ran"] = row.ran;
  json["previewed_on"] = row.previewed;
  json["slices_seconds"] = row.slices;
  json["whole_seconds"] = row.whole;
  json["brick_seconds"] = row.brick;
  if (row.state == SliderState::Resident) json["device_bytes"] = row.deviceBytes;
  json["phases"] = nlohmann::json::array();
  for (const Phases& phases : row.phases) json["phases"].push_back(toJson(phases));
  json["verified"] = row.verification.verified;
  json["rel_l2"] = row.verification.relativeL2;
  json["coverage"] = row.verification.coverage;
  return json;
}

}  // namespace sscope
