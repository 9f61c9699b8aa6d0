#include <fmt/core.h>

#include <cmath>

#include "core/compare/comparison.h"
#include "core/measure/text_table.h"

namespace sscope::compare {

namespace {

std::string milliseconds(const Spread& spread) { return shortNumber(1e3 * spread.median); }

std::string quartiles(const Spread& spread) {
  return shortNumber(1e3 * spread.firstQuartile) + ".." + shortNumber(1e3 * spread.thirdQuartile);
}

std::string phase(double seconds) { return seconds > 0 ? shortNumber(1e3 * seconds) : "-"; }

std::string errorOf(const Measurement& m) {
  if (m.verification.relativeL2 == 0 && m.verification.wrong == 0) return "0 (equal)";
  const std::string definition = definitionOf(m);
  return fmt::format("{:.1e}", m.verification.relativeL2) + (definition.empty() ? "" : " (" + definition + ")");
}

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
  const auto share = m.share();
  const double compile = lane.first ? std::max(lane.first->phases.compile, m.phases.compile) : m.phases.compile;
  row.insert(
      row.end(),
      {lane.first ? shortNumber(1e3 * lane.first->seconds) : "-", phase(compile), phase(m.phases.upload),
       phase(m.phases.kernel), phase(m.phases.download), milliseconds(lane.kernel()) + mark, quartiles(lane.kernel()),
       milliseconds(lane.total()), quartiles(lane.total()), factorText(total.factor[place]),
       share ? shortNumber(100 * *share) + " %" : "unknown", durationText(1000 * lane.total().median), errorOf(m)});
  return row;
}

void addRows(std::vector<std::vector<std::string>>& rows, const Comparison& comparison, const std::string& prefix) {
  const Standing total = standing(comparison.lanes, Times::Total);
  for (std::size_t i = 0; i < comparison.lanes.size(); ++i)
    rows.push_back(rowOf(comparison.lanes[i], prefix, total, i));
}

}  // namespace

std::string toText(const Comparison& comparison, std::span<const Comparison> others) {
  std::string text = titleOf(comparison.recipe) + "\n";
  std::vector<std::vector<std::string>> rows{header()};
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

}  // namespace sscope::compare
