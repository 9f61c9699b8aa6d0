#include "core/reach/scaling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/statistics.h"
#include "core/base/stopwatch.h"
#include "core/base/words.h"
#include "core/measure/judged_parts.h"
#include "core/measure/machine.h"
#include "core/measure/measurement.h"
#include "core/measure/table.h"
#include "core/parts/agreed.h"
#include "core/reach/rank_share.h"

namespace sscope::reach {

namespace {

constexpr int kMostRuns = 1000;  // of a sample

// The maximum of each value over all ranks.
template <std::size_t N>
std::array<double, N> largest(const std::array<double, N>& own, Communicator& communicator, const Control& control) {
  const std::vector<double> all = communicator.gather(own, control);
  std::array<double, N> result = own;
  for (std::size_t i = 0; i < all.size(); ++i) result[i % N] = std::max(result[i % N], all[i]);
  return result;
}

class RankBench {
 public:
  RankBench(Communicator& communicator, RankShare& share, const RankBenchOptions& options, const Control& control)
      : communicator_(communicator), share_(share), options_(options), control_(control), quiet_{control.stop, {}} {
    result_.ranks = communicator.size();
  }

  RankMeasurement run() {
    control_.report(0, "checking");
    check(kPoison);
    chooseBatch();
    race();
    control_.report(0.9, "checking the last run");
    check(kOtherPoison);
    gatherFacts();
    control_.report(1, "done");
    return std::move(result_);
  }

 private:
  // An untimed run over poison.
  void check(std::uint8_t pattern) {
    share_.poison(pattern);
    share_.run(communicator_, quiet_);
    const Verification own = share_.verify(communicator_, options_.verify, quiet_);
    agreed(communicator_, quiet_, [&] {
      if (verdictOf(own) == Verdict::Wrong) refuse("the output of rank " + std::to_string(communicator_.rank()), own);
    });
    const Verification all = worstOfRanks(own, communicator_, quiet_);
    if (!all.verified) refuse("the output", all);
    keepWorse(all);
  }

  [[noreturn]] static void refuse(const std::string& what, const Verification& found) {
    throw Error(ErrorKind::Device, judgmentText(what, found), "its results are left out");
  }

  // The larger errors of two checks of the same elements.
  void keepWorse(Verification now) {
    const Verification& first = result_.verification;
    now.relativeL2 = std::max(now.relativeL2, first.relativeL2);
    now.maximumUlp = std::max(now.maximumUlp, first.maximumUlp);
    now.largestShare = std::max(now.largestShare, first.largestShare);
    now.full = now.full && (first.full || !first.verified);
    result_.verification = std::move(now);
  }

  // Seconds of `runs` consecutive runs and of their parts; each is the maximum over all ranks.
  std::array<double, 3> timed(int runs) {
    ShareTimes sum;
    communicator_.barrier(quiet_);
    const Stopwatch watch;
    for (int i = 0; i < runs; ++i) {
      const ShareTimes one = share_.run(communicator_, quiet_);
      sum.exchange += one.exchange;
      sum.compute += one.compute;
    }
    std::array<double, 3> all = largest<3>({watch.seconds(), sum.exchange, sum.compute}, communicator_, quiet_);
    for (double& each : all) each /= runs;
    return all;
  }

  void chooseBatch() {
    constexpr int kTried = 3;
    double quickest = timed(1)[0];
    for (int i = 1; i < kTried; ++i) quickest = std::min(quickest, timed(1)[0]);
    const double runs = std::ceil(options_.batchSeconds / std::max(quickest, 1e-9));
    result_.batch = static_cast<int>(std::clamp(runs, 1.0, double{kMostRuns}));
  }

  void race() {
    std::vector<double> exchange, compute;
    double elapsed = 0;
    for (int i = 0; i < options_.repetitions || elapsed < options_.seconds; ++i) {
      const double done = std::max(elapsed / options_.seconds, static_cast<double>(i) / options_.repetitions);
      control_.report(0.1 + 0.8 * std::min(done, 1.0), "timing");
      const auto [total, waited, computed] = timed(result_.batch);
      result_.samples.push_back(total);
      exchange.push_back(waited);
      compute.push_back(computed);
      elapsed += total * result_.batch;
    }
    result_.exchange = medianOf(exchange);
    result_.compute = medianOf(compute);
  }

  void gatherFacts() {
    ShareFacts& facts = result_.facts = share_.facts();
    const auto [bytes, messages, computed] =
        largest<3>({static_cast<double>(facts.sentBytes), static_cast<double>(facts.messages), facts.computed},
                   communicator_, quiet_);
    facts.sentBytes = std::llround(bytes);
    facts.messages = std::llround(messages);
    facts.computed = computed;
  }

  Communicator& communicator_;
  RankShare& share_;
  const RankBenchOptions& options_;
  const Control& control_;
  Control quiet_;
  RankMeasurement result_;
};

}  // namespace

RankMeasurement benchShare(Communicator& communicator, RankShare& share, const RankBenchOptions& options,
                           const Control& control) {
  return RankBench(communicator, share, options, control).run();
}

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
  text += "ms: the slowest rank's, median and quartiles; exchange: the longest wait of a rank for others\n";
  text +=
      "copy GB/s: the rate at which all ranks copy at once; of copy: the share of the time that moving the compulsory "
      "bytes takes at that rate\n";
  text +=
      "allowed: the efficiency of work that only copies, at these rates, and computes the planes around its own as "
      "well\n";
  if (report.points.back().arithmeticGflops > 0)
    text += "arithmetic: the same of work that only computes, as threads share cores and clocks fall; most does both\n";
  if (std::ranges::any_of(report.points, [](const auto& one) { return one.threadsSeconds > 0; }))
    text += "threads ms: one process with as many threads as these ranks have together\n";
  text += "caches: one buffer, which may stay in them if it is small\n";
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

// The efficiency of work whose time is determined by this rate of all ranks.
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
