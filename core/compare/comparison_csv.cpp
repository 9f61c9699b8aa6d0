#include <charconv>
#include <string_view>

#include "core/compare/comparison.h"

namespace sscope::compare {

namespace {

std::string cell(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string cell(double value) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return error == std::errc{} ? std::string(text, end) : std::string();
}

// Without figures the columns of times are empty.
std::string rowOfLane(const Comparison& comparison, const Lane& lane, double factor, bool fastest) {
  const Measurement& m = lane.measurement;
  const bool has = lane.hasFigures();
  const auto seconds = [has](double value) { return has ? cell(value) : std::string(); };
  const Spread total = lane.total(), kernel = lane.kernel();
  const auto share = m.share();
  std::string words;
  for (const std::string& each : lane.disturbances()) words += (words.empty() ? "" : "; ") + each;
  std::string row;
  for (const std::string& each : {
           cell(comparison.where()),
           cell(comparison.date),
           cell(m.engine),
           cell(m.variant),
           cell(m.ran),
           cell(m.engineName),
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
           lane.first ? cell(lane.first->seconds) : std::string(),
           lane.first ? cell(lane.first->phases.compile) : std::string(),
           has && share ? cell(*share) : std::string(),
           seconds(m.verification.relativeL2),
           cell(has ? words : ""),
           cell(lane.reason()),
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
