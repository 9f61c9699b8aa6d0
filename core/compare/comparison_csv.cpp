#include "core/compare/comparison.h"
#include "core/compare/comparison_tables.h"

namespace sscope::compare {

namespace {

// Without figures the columns of times are empty.
std::string rowOfLane(const Comparison& comparison, const Lane& lane, double factor, bool fastest) {
  const Measurement& m = lane.measurement;
  const bool has = lane.hasFigures();
  const auto seconds = [has](double value) { return has ? csvCell(value) : std::string(); };
  const Spread total = lane.total(), kernel = lane.kernel();
  const auto share = m.share();
  std::string words;
  for (const std::string& each : lane.disturbances()) words += (words.empty() ? "" : "; ") + each;
  std::string row;
  for (const std::string& each : {
           csvCell(comparison.where()),
           csvCell(comparison.date),
           csvCell(m.engine),
           csvCell(m.variant),
           csvCell(m.ran),
           csvCell(m.engineName),
           std::string(fastest ? "1" : "0"),
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
           lane.first ? csvCell(lane.first->seconds) : std::string(),
           lane.first ? csvCell(lane.first->phases.compile) : std::string(),
           has && share ? csvCell(*share) : std::string(),
           seconds(m.verification.relativeL2),
           csvCell(has ? words : ""),
           csvCell(lane.reason()),
       })
    row += (row.empty() ? "" : ",") + each;
  return row + "\n";
}

}  // namespace

std::string lanesCsv(const Comparison* comparison, std::span<const Comparison> others) {
  std::string csv =
      "machine,date,engine,variant,ran,device,fastest,factor,total_s,total_q1_s,total_q3_s,repetitions,"
      "kernel_s,kernel_q1_s,kernel_q3_s,upload_phase_s,kernel_phase_s,download_phase_s,first_s,first_compile_s,"
      "share_of_roof,relative_error,disturbed,reason\n";
  const auto add = [&csv](const Comparison& one) {
    const Standing all = standing(one.lanes, Times::Total);
    for (std::size_t i = 0; i < one.lanes.size(); ++i)
      csv += rowOfLane(one, one.lanes[i], all.factor[i], all.winner == i && all.level.empty());
  };
  if (comparison != nullptr) add(*comparison);
  for (const Comparison& other : others) add(other);
  return csv;
}

}  // namespace sscope::compare
