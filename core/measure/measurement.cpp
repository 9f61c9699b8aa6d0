#include "core/measure/measurement.h"

#include <algorithm>
#include <iterator>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "core/engine/joined_parts.h"
#include "core/measure/ceilings.h"
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
  if (!twinOf.empty()) operations = executedOperations = predictedSeconds = 0;  // it only copies the data
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

namespace {

std::string rate(double value, const char* unit) { return shortNumber(value) + " " + unit; }

// `known`: the ceiling that may explain the achieved rate; 0 if it was not measured.
std::string explained(double achieved, double known, const char* unit, const std::string& what,
                      const std::string& beyond) {
  if (known <= 0) return "the ceiling of " + what + " is missing";
  if (achieved <= known) return what + " reach " + rate(known, unit);
  return what + " reach " + rate(known, unit) + ", and the ceiling of " + beyond + " is missing";
}

}  // namespace

std::string surpassedText(const Measurement& m) {
  const auto share = m.share();
  if (!share || *share <= 1) return {};
  const Ceilings& ceilings = *m.ceilings;
  const double peak = ceilings.gflops(m.precision), seconds = m.spread().median;
  const double operations = m.leastOperations() / seconds * 1e-9;
  const std::string row = m.engine + " " + labelOf(m) + " surpasses ";
  const bool memory =
      m.bytes > 0 && ceilings.gbs > 0 && (peak <= 0 || m.leastOperations() / m.bytes * ceilings.gbs < peak);
  if (memory && m.coldCaches())
    return row + "the copy's " + rate(ceilings.gbs, "GB/s") + " with " + rate(m.gbs(), "GB/s") +
           ", though no cache holds its data: the ceiling was measured too low" +
           (m.beside.count > 0 ? ", as the row was, beside other programs" : "") +
           "; measure it again with --remeasure while nothing else runs";
  if (memory)
    return row + "the copy's " + rate(ceilings.gbs, "GB/s") + " with " + rate(m.gbs(), "GB/s") +
           ": its data do not come from memory; " +
           explained(m.gbs(), ceilings.gbsCache, "GB/s", "second-level caches", "caches nearer to the cores");
  const std::string text =
      row + rate(peak, "GFLOP/s") + " of multiply-adds in registers with " + rate(operations, "GFLOP/s") + ": ";
  if (!m.ofIntegers()) return text + "it executes fewer operations than it counts, whose number is missing";
  return text + explained(operations, ceilings.gopsInteger, "GOP/s", "multiply-adds of integers", "narrower integers");
}

namespace {

bool isPeer(const Measurement& m) { return isPeer(m.engineKind); }

// For a joined engine also the share of each part.
std::string engineText(const Measurement& m) {
  std::string shares;
  for (const PartShare& part : sharesIn(m.launch, m.engine))
    shares += (shares.empty() ? "" : " + ") + shortNumber(100 * part.share);
  return m.engine + (shares.empty() ? "" : " (" + shares + " %)");
}

std::string variantText(const Measurement& m) {
  if (m.variant.empty()) return "-";
  return m.ran.empty() || m.ran == m.variant ? labelOf(m) : labelOf(m) + " (" + m.ran + ")";
}

std::vector<std::string> rowOf(const Measurement& m, const std::vector<const Measurement*>& peers, bool counted) {
  std::vector<std::string> row{engineText(m), variantText(m)};
  if (!m.skipped.empty()) {
    row.push_back("skipped: " + m.skipped);
  } else if (!m.hasFigures()) {
    row.push_back("FAILED: " + m.failed);
  } else {
    const Spread spread = m.spread();
    row.insert(row.end(), {std::to_string(m.threads),
                           inMilliseconds(spread.median) + (m.disturbed() || m.beside.count > 0 ? " !" : "") +
                               (m.clock && m.clock->fell() ? " ~" : ""),
                           quartilesText(spread), inMilliseconds(m.phases.total), shortNumber(m.gflops()), shareText(m),
                           errorText(m)});
    if (counted) std::ranges::copy(eventTexts(m), std::back_inserter(row));
    for (const Measurement* peer : peers)
      row.push_back(isPeer(m) || !areComparable(m, *peer) ? "-"
                                                          : shortNumber(peer->spread().median / spread.median) + "x");
  }
  return row;
}

}  // namespace

std::string toTable(const std::vector<Measurement>& results) {
  std::vector<const Measurement*> peers;
  for (const Measurement& m : results)
    if (isPeer(m) && m.hasFigures()) peers.push_back(&m);
  std::vector<std::string> header{"engine",   "variant", "threads",    "ms",   "quartiles",
                                  "total ms", "GFLOP/s", "of ceiling", "error"};
  const bool counted =
      std::any_of(results.begin(), results.end(), [](const Measurement& m) { return !m.counters.values.empty(); });
  if (counted)
    for (const PerfEvent& event : hardwareEvents()) header.push_back("M " + event.name);
  for (const Measurement* peer : peers) header.push_back("vs " + peer->engine + " " + peer->variant);
  TextRows rows{header};
  for (const Measurement& m : results) rows.push_back(rowOf(m, peers, counted));
  return textTable(rows);
}

using nlohmann::json;

namespace {

// The fields of a row of the JSON document, in the order of the columns; phases and counters are flattened.
constexpr const char* kColumns[] = {
    "workload",    "variant",      "ran",          "engine",      "engine_name",  "threads",
    "shape",       "params",       "input",        "precision",   "reps",         "median_s",
    "min_s",       "q1_s",         "q3_s",         "max_s",       "samples_s",    "compile_s",
    "upload_s",    "kernel_s",     "download_s",   "total_s",     "flops",        "executed_flops",
    "bytes",       "gflops",       "gbs",          "caches",      "stolen_share", "peak_gflops",
    "peak_gbs",    "peak_date",    "peak_engine",  "utilization", "rel_l2",       "max_ulp",
    "compared",    "coverage",     "verified",     "approximate", "skipped",      "failed",
    "cycles",      "instructions", "l1d_accesses", "l1d_misses",  "l2_misses",    "counters_unavailable",
    "predicted_s", "overlap_s",    "first_mhz",    "last_mhz",    "lowest_mhz",   "memory_mhz",
    "batch"};

std::string joined(const json& list, char separator) {
  std::string text;
  for (const json& element : list) text += (text.empty() ? "" : std::string(1, separator)) + element.dump();
  return text;
}

std::string cell(const json& row, const std::string& column) {
  const json* value = nullptr;
  if (row.contains(column)) {
    value = &row[column];
  } else if (row.contains("phases") && row["phases"].contains(column)) {
    value = &row["phases"][column];
  } else if (row.contains("clock") && row["clock"].contains(column)) {
    value = &row["clock"][column];
  } else if (row.contains("counters") && row["counters"].contains(column)) {
    value = &row["counters"][column];
  }
  if (value == nullptr || value->is_null()) return {};
  if (column == "shape") return joined(*value, 'x');
  if (column == "samples_s") return joined(*value, ';');
  return value->is_string() ? value->get<std::string>() : value->dump();
}

}  // namespace

std::string toCsv(const BenchReport& report) {
  TextRows rows{{std::begin(kColumns), std::end(kColumns)}};
  for (const Measurement& measurement : report.results) {
    const json row = toJson(measurement);
    std::vector<std::string>& cells = rows.emplace_back();
    for (const char* column : kColumns) cells.push_back(cell(row, column));
  }
  return csvTable(rows) + (report.stopped.empty() ? "" : "# " + report.stopped + '\n');
}

}  // namespace sscope
