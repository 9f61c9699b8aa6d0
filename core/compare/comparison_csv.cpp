#include "core/compare/comparison.h"
#include "core/compare/comparison_tables.h"

namespace sscope::compare {

namespace {

// Without figures the columns of times are empty.
std::vector<std::string> rowOfLane(const Comparison& comparison, const Lane& lane, double factor, bool fastest) {
  const Measurement& m = lane.measurement;
  const bool has = lane.hasFigures();
  const auto seconds = [has](double value) { return has ? csvNumber(value) : std::string(); };
  const Spread total = lane.total(), kernel = lane.kernel();
  const auto share = m.share();
  std::string words;
  for (const std::string& each : lane.disturbances()) words += (words.empty() ? "" : "; ") + each;
  return {comparison.where(),
          comparison.date,
          m.engine,
          m.variant,
          m.ran,
          m.engineName,
          fastest ? "1" : "0",
          seconds(factor),
          seconds(total.median),
          seconds(total.firstQuartile),
          seconds(total.thirdQuartile),
          has ? std::to_string(lane.totals.size()) : std::string(),
          seconds(kernel.median),
          seconds(kernel.firstQuartile),
          seconds(kernel.thirdQuartile),
          seconds(m.phases.upload),
          seconds(m.phases.kernel),
          seconds(m.phases.download),
          lane.first ? csvNumber(lane.first->seconds) : std::string(),
          lane.first ? csvNumber(lane.first->phases.compile) : std::string(),
          has && share ? csvNumber(*share) : std::string(),
          seconds(m.verification.relativeL2),
          has ? words : "",
          lane.reason()};
}

}  // namespace

std::string lanesCsv(const Comparison* comparison, std::span<const Comparison> others) {
  TextRows rows{{"machine",        "date",           "engine",           "variant",     "ran",
                 "device",         "fastest",        "factor",           "total_s",     "total_q1_s",
                 "total_q3_s",     "repetitions",    "kernel_s",         "kernel_q1_s", "kernel_q3_s",
                 "upload_phase_s", "kernel_phase_s", "download_phase_s", "first_s",     "first_compile_s",
                 "share_of_roof",  "relative_error", "disturbed",        "reason"}};
  const auto add = [&rows](const Comparison& one) {
    const Standing all = standing(one.lanes, Times::Total);
    for (std::size_t i = 0; i < one.lanes.size(); ++i)
      rows.push_back(rowOfLane(one, one.lanes[i], all.factor[i], all.winner == i && all.level.empty()));
  };
  if (comparison != nullptr) add(*comparison);
  for (const Comparison& other : others) add(other);
  return csvTable(rows);
}

}  // namespace sscope::compare
