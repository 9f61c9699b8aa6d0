#include <nlohmann/json.hpp>

#include "core/measure/measurement.h"

namespace sscope {

using nlohmann::json;

namespace {

// Every row that ran has "verified" and the errors, also if they are the reason of a failure.
void addVerification(json& row, const Verification& verification) {
  row["verified"] = verification.verified;
  if (verification.compared == 0) return;
  row["rel_l2"] = verification.relativeL2;
  row["max_ulp"] = verification.maximumUlp;
  row["compared"] = verification.compared;
  row["coverage"] = verification.coverage;
}

void addFigures(json& row, const Measurement& m) {
  const Spread spread = m.spread();
  row["reps"] = m.samples.size();
  row["median_s"] = spread.median;
  row["min_s"] = spread.minimum;
  row["q1_s"] = spread.firstQuartile;
  row["q3_s"] = spread.thirdQuartile;
  row["max_s"] = spread.maximum;
  row["samples_s"] = m.samples;
  if (m.batch > 1) row["batch"] = m.batch;
  row["phases"] = toJson(m.phases);
  row["flops"] = m.operations;
  if (m.executedOperations > 0) row["executed_flops"] = m.executedOperations;
  if (m.predictedSeconds > 0) row["predicted_s"] = m.predictedSeconds;
  row["bytes"] = m.bytes;
  row["gflops"] = m.gflops();
  row["gbs"] = m.gbs();
  row["caches"] = m.caches;
  if (m.stolen) row["stolen_share"] = *m.stolen;
  if (m.disturbed()) row["disturbed"] = true;
  if (m.beside.count > 0)
    row["beside"] = {
        {"repetitions", m.beside.count}, {"other_cores", m.beside.otherCores}, {"stolen_cores", m.beside.stolenCores}};
  if (m.clock) row["clock"] = toJson(*m.clock);
  if (!m.counters.values.empty()) row["counters"] = m.counters.values;
  if (!m.counters.unavailable.empty()) row["counters_unavailable"] = m.counters.unavailable;
  if (!m.ceilings) return;
  row["peak_gflops"] = m.ceilings->gflops(m.precision);
  row["peak_gbs"] = m.ceilings->gbs;
  row["peak_date"] = m.ceilings->date;
  if (!m.ceilingsOf.empty()) row["peak_engine"] = m.ceilingsOf;
  if (const auto share = m.share()) row["utilization"] = *share;
  if (const std::string words = surpassedText(m); !words.empty()) row["surpassed"] = words;
}

}  // namespace

json toJson(const RowClock& clock) {
  json row{{"first_mhz", clock.first},
           {"last_mhz", clock.last},
           {"lowest_mhz", clock.lowest},
           {"highest_mhz", clock.highest}};
  if (clock.memory > 0) row["memory_mhz"] = clock.memory;
  if (!clock.limits.empty()) row["limits"] = clock.limits;
  if (clock.fell()) row["fell"] = true;
  return row;
}

json toJson(const Phases& phases) {
  return {{"compile_s", phases.compile},   {"upload_s", phases.upload},   {"kernel_s", phases.kernel},
          {"download_s", phases.download}, {"overlap_s", phases.overlap}, {"total_s", phases.total}};
}

json toJson(const Ceilings& ceilings) {
  return {{"gflops_f32", ceilings.gflopsF32},
          {"gflops_f64", ceilings.gflopsF64},
          {"gbs", ceilings.gbs},
          {"gflops_loaded", ceilings.gflopsLoaded},
          {"gops_integer", ceilings.gopsInteger},
          {"gbs_cache", ceilings.gbsCache},
          {"gbs_local", ceilings.gbsLocal},
          {"threads", ceilings.threads},
          {"date", ceilings.date}};
}

json toJson(const Machine& machine) {
  return {{"host", machine.host},
          {"cpu", machine.cpu},
          {"threads", machine.threads},
          {"os", machine.os},
          {"memory_bytes", machine.memoryBytes},
          {"last_cache_bytes", machine.lastCacheBytes}};
}

json toJson(const Measurement& m) {
  json row{{"workload", m.workload}, {"variant", m.variant},
           {"engine", m.engine},     {"engine_name", m.engineName},
           {"shape", m.shape},       {"params", m.params},
           {"input", m.input},       {"precision", std::string(toString(m.precision))}};
  if (!m.skipped.empty()) {
    row["skipped"] = m.skipped;
    return row;
  }
  row["ran"] = m.ran;
  if (!m.twinOf.empty()) row["memory_only_twin_of"] = m.twinOf;
  if (!m.lowerPrecision.empty()) row["lower_precision"] = m.lowerPrecision;
  if (!m.launch.empty()) row["launch"] = m.launch;
  row["threads"] = m.threads;
  addVerification(row, m.verification);
  if (m.approximate) row["approximate"] = true;
  if (m.otherFilter) row["another_filter"] = true;
  if (!m.failed.empty()) {
    row["verified"] = false;
    row["failed"] = m.failed;
  }
  if (m.hasFigures()) addFigures(row, m);
  return row;
}

json toJson(const BenchReport& report) {
  json machine = toJson(report.machine);
  machine["devices"] = json::array();
  for (const EngineInfo& info : report.devices)
    machine["devices"].push_back({{"id", info.id},
                                  {"name", info.name},
                                  {"driver", info.driver},
                                  {"available", info.available()},
                                  {"reason", info.absentReason}});
  json results = json::array();
  for (const Measurement& measurement : report.results) results.push_back(toJson(measurement));
  json document{{"schema", "stencilscope.bench/1"},
                {"version", SSCOPE_VERSION},
                {"machine", std::move(machine)},
                {"results", std::move(results)}};
  if (!report.stopped.empty()) document["stopped"] = report.stopped;
  return document;
}

}  // namespace sscope
