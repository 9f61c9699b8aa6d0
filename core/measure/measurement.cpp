#include "core/measure/measurement.h"

#include <fmt/core.h>

#include "core/measure/ceiling_store.h"
#include "core/measure/table.h"

namespace sscope {

double Measurement::gflops() const {
  const double median = spread().median;
  return median > 0 ? operations / median * 1e-9 : 0;
}

double Measurement::gbs() const {
  const double median = spread().median;
  return median > 0 ? bytes / median * 1e-9 : 0;
}

std::optional<double> Measurement::share() const {
  if (!ceilings || !hasFigures()) return std::nullopt;
  return utilization(*ceilings, precision, leastOperations(), bytes, spread().median);
}

std::string definitionOf(const Measurement& measurement) {
  return measurement.otherFilter ? "another filter" : measurement.approximate ? "approximate" : "";
}

std::string errorText(const Measurement& measurement) {
  const Verification& found = measurement.verification;
  if (found.relativeL2 == 0 && found.wrong == 0) return "0 (equal)";
  const std::string definition = definitionOf(measurement);
  return fmt::format("{:.1e}", found.relativeL2) + (definition.empty() ? "" : " (" + definition + ")");
}

std::string shareText(const Measurement& measurement) {
  const auto share = measurement.share();
  return share ? inPercent(*share) : "unknown";
}

std::vector<std::string> eventTexts(const Measurement& measurement) {
  std::vector<std::string> texts;
  for (const PerfEvent& event : hardwareEvents()) {
    const auto found = measurement.counters.values.find(event.name);
    texts.push_back(found == measurement.counters.values.end() ? "-" : shortNumber(1e-6 * found->second));
  }
  return texts;
}

bool areComparable(const Measurement& a, const Measurement& b) {
  const auto onProcessor = [](const Measurement& m) { return isPeer(m.engineKind) || hasThreads(m.engineKind); };
  return isPeer(a.engineKind) == isPeer(b.engineKind) || !onProcessor(a) || !onProcessor(b) || a.threads == b.threads;
}

nlohmann::json givenParameters(const Measurement& measurement) {
  nlohmann::json given = measurement.params;
  for (const std::string& name : measurement.searched) given.erase(name);
  return given;
}

std::string labelOf(const Measurement& measurement) {
  const std::string& words = measurement.lowerPrecision;
  return words.empty() ? measurement.variant : measurement.variant + " [" + words + "]";
}

Measurement describe(const Workload& workload, const std::string& engine, const std::string& variant) {
  Measurement m;
  m.workload = workload.name();
  m.engine = engine;
  m.variant = variant;
  m.precision = workload.precision();
  m.params = workload.parameters();
  const std::vector<ArraySpec> inputs = workload.inputs();
  if (inputs.empty()) return m;
  m.shape = {inputs[0].extent[0], inputs[0].extent[1], inputs[0].extent[2]};
  m.input = toString(inputs[0].type);
  return m;
}

void Measurement::take(const RunReport& report, const Work& counted) {
  ran = report.variant;
  if (report.precision) precision = *report.precision;
  threads = report.threads;
  operations = report.operations > 0 ? report.operations : counted.operations;
  bytes = report.bytes > 0 ? report.bytes : counted.bytes;
  executedOperations = report.executedOperations;
  predictedSeconds = report.predictedSeconds;
  phases = report.phases;
  launch = report.launch;
  if (!twinOf.empty()) operations = executedOperations = predictedSeconds = 0;  // it only moves the data
}

Measurement measurementOf(const Workload& workload, const EngineInfo& engine, const std::string& variant,
                          const RunReport& report, const Verification& verification) {
  Measurement m = describe(workload, engine.id, variant.empty() ? report.variant : variant);
  m.engineName = engine.name;
  m.engineKind = engine.kind;
  m.take(report, workload.work());
  m.samples = {report.phases.kernel > 0 ? report.phases.kernel : report.phases.total};
  m.verification = verification;
  return m;
}

}  // namespace sscope
