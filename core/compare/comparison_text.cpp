#include "core/compare/comparison.h"
#include "core/measure/table.h"

namespace sscope::compare {

namespace {

std::string phase(double seconds) { return seconds > 0 ? inMilliseconds(seconds) : "-"; }

std::vector<std::string> header() {
  return {"",          "lane",     "first ms",  "compile", "upload",  "kernel",       "download", "ms",
          "quartiles", "total ms", "quartiles", "times",   "of roof", "1000 volumes", "error"};
}

// `best`: of its machine; empty: it has none.
std::vector<std::string> rowOf(const Lane& lane, const std::string& prefix, const Standing& total, std::size_t place) {
  const Measurement& m = lane.measurement;
  const bool wins = total.winner == place;
  std::vector<std::string> row{wins ? "*" : "", prefix + lane.name()};
  if (!lane.hasFigures()) {
    row.push_back((m.skipped.empty() ? "FAILED: " : "skipped: ") + lane.reason());
    return row;
  }
  const std::string mark = lane.disturbances().empty() ? "" : " !";
  const double compile = lane.first ? std::max(lane.first->phases.compile, m.phases.compile) : m.phases.compile;
  row.insert(row.end(),
             {lane.first ? inMilliseconds(lane.first->seconds) : "-", phase(compile), phase(m.phases.upload),
              phase(m.phases.kernel), phase(m.phases.download), inMilliseconds(lane.kernel().median) + mark,
              quartilesText(lane.kernel()), inMilliseconds(lane.total().median), quartilesText(lane.total()),
              factorText(total.factor[place]), shareText(m), durationText(1000 * lane.total().median), errorText(m)});
  return row;
}

void addRows(TextRows& rows, const Comparison& comparison, const std::string& prefix) {
  const Standing total = standing(comparison.lanes, Times::Total);
  for (std::size_t i = 0; i < comparison.lanes.size(); ++i)
    rows.push_back(rowOf(comparison.lanes[i], prefix, total, i));
}

// The columns of times are empty without figures.
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

std::string toText(const Comparison& comparison, std::span<const Comparison> others) {
  std::string text = titleOf(comparison.recipe) + "\n";
  TextRows rows{header()};
  addRows(rows, comparison, "");
  for (const Comparison& other : others) addRows(rows, other, other.where() + ": ");
  text += textTable(rows);
  const auto add = [&](const std::string& sentence) {
    if (!sentence.empty()) text += sentence + "\n";
  };
  const std::string total = standingText(comparison.lanes, Times::Total);
  add(total);
  add(standingText(comparison.lanes, Times::Kernel));
  for (const Comparison& other : others) {
    const std::string there = standingText(other.lanes, Times::Total);
    add(there.empty() ? "" : "on " + other.where() + ", " + there);
    add(replayText(replayed(other, comparison, Times::Total)));
  }
  for (const Lane& lane : comparison.lanes)
    if (lane.hasFigures())
      for (const std::string& words : lane.disturbances()) add("! " + lane.name() + ": " + words);
  for (const std::string& note : comparison.notes) add(note);
  return text;
}

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
