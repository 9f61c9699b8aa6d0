#include "core/reach/scaling.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

#include <nlohmann/json.hpp>

#include "core/base/statistics.h"
#include "core/base/words.h"
#include "core/measure/machine.h"
#include "core/measure/measurement.h"
#include "core/measure/table.h"

namespace sscope::reach {

namespace {

double medianSeconds(const RankMeasurement& point) { return spreadOf(point.samples).median; }

std::string shapeText(const ArraySpec& spec) {
  const auto& [nx, ny, nz, components] = spec.extent;
  return VolumeShape{nx, ny, nz, static_cast<int>(components)}.text();
}

nlohmann::json pointJson(const ScalingReport& report, const RankMeasurement& point) {
  const Spread spread = spreadOf(point.samples);
  const ShareFacts& facts = point.facts;
  nlohmann::json json{{"ranks", point.ranks},
                      {"devices", point.devices},
                      {"shape", facts.whole.extent},
                      {"element_type", toString(facts.whole.type)},
                      {"engine", facts.engine},
                      {"variant", facts.variant},
                      {"threads_per_rank", facts.threads},
                      {"samples_s", point.samples},
                      {"runs_per_sample", point.batch},
                      {"median_s", spread.median},
                      {"quartiles_s", {spread.firstQuartile, spread.thirdQuartile}},
                      {"exchange_s", point.exchange},
                      {"compute_s", point.compute},
                      {"operations", facts.work.operations},
                      {"bytes", facts.work.bytes},
                      {"sent_bytes", facts.sentBytes},
                      {"messages", facts.messages},
                      {"sums", facts.sums},
                      {"computed_per_own", facts.computed},
                      {"speed_up", speedUp(report, point)},
                      {"efficiency", efficiency(report, point)},
                      {"relative_l2", point.verification.relativeL2},
                      {"max_ulp", point.verification.maximumUlp},
                      {"compared", point.verification.compared},
                      {"coverage", point.verification.coverage}};
  if (point.copyGbs > 0) {
    json["copy_gbs"] = point.copyGbs;
    json["share_of_copy"] = shareOfCopy(point);
    json["allowed_efficiency"] = allowedEfficiency(report, point);
  }
  if (point.arithmeticGflops > 0) {
    json["arithmetic_gflops"] = point.arithmeticGflops;
    json["arithmetic_efficiency"] = arithmeticEfficiency(report, point);
  }
  if (point.threadsSeconds > 0) json["threads_s"] = point.threadsSeconds;
  return json;
}

std::string footnotes(const ScalingReport& report) {
  std::string text;
  const std::set<std::string> machines(report.machines.begin(), report.machines.end());
  const ShareFacts& facts = report.points.back().facts;
  if (const int devices = report.points.back().devices; devices > 0)
    text += counted(devices, "device") + " for " + counted(report.points.back().ranks, "rank") + ", ";
  text += facts.engine + " " + facts.variant + ", " + counted(facts.threads, "thread") + " per rank, on " +
          counted(static_cast<std::int64_t>(machines.size()), "machine") + "\n";
  text += "ms: the slowest rank's, median and quartiles; exchange: what the rank that waits longest waits for others\n";
  text +=
      "copy GB/s: what these ranks copy, all at once; of copy: what moving the compulsory bytes takes at that rate\n";
  text +=
      "allowed: the efficiency of work that only copies, at these rates, and computes the planes around its own as "
      "well\n";
  if (report.points.back().arithmeticGflops > 0)
    text += "arithmetic: the same of work that only computes, as threads share cores and clocks fall; most does both\n";
  if (std::ranges::any_of(report.points, [](const auto& one) { return one.threadsSeconds > 0; }))
    text += "threads ms: one process with as many threads as these ranks have together\n";
  text += "caches: one buffer, which may stay in them where it is small\n";
  std::set<std::string> compared;
  for (const RankMeasurement& point : report.points) compared.insert(point.verification.coverage);
  for (const std::string& one : compared) text += "compared on every rank: " + one + "\n";
  return text;
}

}  // namespace

std::string_view toString(Scaling scaling) { return scaling == Scaling::Strong ? "strong" : "weak"; }

double speedUp(const ScalingReport& report, const RankMeasurement& point) {
  const RankMeasurement& first = report.points.front();
  const double work = report.scaling == Scaling::Weak ? static_cast<double>(point.ranks) / first.ranks : 1;
  return work * medianSeconds(first) / medianSeconds(point);
}

double efficiency(const ScalingReport& report, const RankMeasurement& point) {
  return speedUp(report, point) * report.points.front().ranks / point.ranks;
}

double shareOfCopy(const RankMeasurement& point) {
  return point.copyGbs > 0 ? point.facts.work.bytes * 1e-9 / point.copyGbs / medianSeconds(point) : 0;
}

namespace {

// Of work that takes as long as such a rate of all ranks allows.
double efficiencyBy(double RankMeasurement::*rate, const ScalingReport& report, const RankMeasurement& point) {
  const RankMeasurement& first = report.points.front();
  if (!(first.*rate > 0) || !(point.*rate > 0)) return 0;
  const double share = std::min(1.0, point.*rate / (first.*rate) * first.ranks / point.ranks);
  return share * first.facts.computed / point.facts.computed;
}

}  // namespace

double allowedEfficiency(const ScalingReport& report, const RankMeasurement& point) {
  return efficiencyBy(&RankMeasurement::copyGbs, report, point);
}

double arithmeticEfficiency(const ScalingReport& report, const RankMeasurement& point) {
  return efficiencyBy(&RankMeasurement::arithmeticGflops, report, point);
}

std::string toTable(const ScalingReport& report) {
  const bool threads = std::ranges::any_of(report.points, [](const auto& one) { return one.threadsSeconds > 0; });
  TextRows rows{{"ranks", "shape", "ms", "quartiles", "exchange ms", "sent KiB", "GFLOP/s", "GB/s", "copy GB/s",
                 "of copy", "speed-up", "efficiency", "allowed", "arithmetic", "error"}};
  if (threads) rows.front().insert(rows.front().begin() + 3, "threads ms");
  for (const RankMeasurement& point : report.points) {
    const Spread spread = spreadOf(point.samples);
    rows.push_back({std::to_string(point.ranks), shapeText(point.facts.whole), inMilliseconds(spread.median),
                    quartilesText(spread), inMilliseconds(point.exchange),
                    shortNumber(static_cast<double>(point.facts.sentBytes) / 1024),
                    shortNumber(point.facts.work.operations / spread.median * 1e-9),
                    shortNumber(point.facts.work.bytes / spread.median * 1e-9),
                    point.copyGbs > 0 ? shortNumber(point.copyGbs) : "-",
                    point.copyGbs > 0 ? inPercent(shareOfCopy(point)) : "-", shortNumber(speedUp(report, point)),
                    inPercent(efficiency(report, point)),
                    point.copyGbs > 0 ? inPercent(allowedEfficiency(report, point)) : "-",
                    point.arithmeticGflops > 0 ? inPercent(arithmeticEfficiency(report, point)) : "-",
                    shortNumber(point.verification.relativeL2)});
    if (threads)
      rows.back().insert(rows.back().begin() + 3,
                         point.threadsSeconds > 0 ? inMilliseconds(point.threadsSeconds) : "-");
  }
  return report.title + ", " + std::string(toString(report.scaling)) + " scaling\n" + textTable(rows) +
         footnotes(report) + (report.stopped.empty() ? "" : report.stopped + "\n");
}

nlohmann::json toJson(const ScalingReport& report) {
  nlohmann::json json{{"schema", "stencilscope.scaling/1"},
                      {"date", isoTime()},
                      {"machine", sscope::toJson(thisMachine())},
                      {"machines", report.machines},
                      {"workload", report.workload},
                      {"title", report.title},
                      {"scaling", toString(report.scaling)},
                      {"points", nlohmann::json::array()}};
  for (const RankMeasurement& point : report.points) json["points"].push_back(pointJson(report, point));
  if (!report.stopped.empty()) json["stopped"] = report.stopped;
  return json;
}

}  // namespace sscope::reach
