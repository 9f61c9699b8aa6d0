#include "core/compare/lane.h"

#include <algorithm>
#include <cmath>

#include "core/base/words.h"
#include "core/measure/table.h"

namespace sscope::compare {

std::string Lane::name() const {
  const std::string& ran = measurement.ran;
  if (measurement.variant.empty()) return ran.empty() ? measurement.engine : measurement.engine + " " + ran;
  return measurement.engine + " " + labelOf(measurement);
}

std::string Lane::reason() const {
  if (!measurement.skipped.empty()) return measurement.skipped;
  if (!measurement.failed.empty()) return measurement.failed;
  return hasFigures() ? "" : "it was not timed";
}

std::vector<std::string> Lane::disturbances() const {
  std::vector<std::string> words;
  const std::size_t all = std::max({totals.size(), measurement.samples.size(), marks.kept});
  if (const SamplesBeside beside{marks.beside, marks.otherCores, marks.stolenCores}; beside.count > 0)
    words.push_back(beside.text(all));
  if (measurement.disturbed())
    words.push_back("a hypervisor took " + shortNumber(100 * *measurement.stolen) + " % of the processor's time");
  if (measurement.clock && measurement.clock->fell()) {
    std::string what = "the clock fell from " + std::to_string(std::llround(measurement.clock->highest)) + " to " +
                       std::to_string(std::llround(measurement.clock->lowest)) + " MHz";
    for (const std::string& limit : measurement.clock->limits) what += ", " + limit;
    words.push_back(what);
  }
  if (marks.repeated > 0)
    words.push_back(counted(static_cast<std::int64_t>(marks.repeated), "repetition") +
                    (marks.repeated == 1 ? " was" : " were") +
                    " taken again because this program did something else meanwhile");
  return words;
}

Spread timesOf(const Lane& lane, Times which) { return which == Times::Total ? lane.total() : lane.kernel(); }

Standing standing(const std::vector<Lane>& lanes, Times which) {
  Standing result;
  result.factor.assign(lanes.size(), 0);
  for (std::size_t i = 0; i < lanes.size(); ++i)
    if (lanes[i].hasFigures() && lanes[i].measurement.twinOf.empty() &&
        (!result.winner || timesOf(lanes[i], which).median < timesOf(lanes[*result.winner], which).median))
      result.winner = i;
  if (!result.winner) return result;
  const Spread best = timesOf(lanes[*result.winner], which);
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (!lanes[i].hasFigures() || !areComparable(lanes[i].measurement, lanes[*result.winner].measurement)) continue;
    const Spread spread = timesOf(lanes[i], which);
    result.factor[i] = best.median > 0 ? spread.median / best.median : 1;
    if (i != *result.winner && spread.firstQuartile <= best.thirdQuartile) result.level.push_back(i);
  }
  return result;
}

std::string standingText(const std::vector<Lane>& lanes, Times which) {
  const Standing result = standing(lanes, which);
  if (!result.winner) return {};
  const std::string words = which == Times::Total ? " with transfers" : " without transfers";
  std::optional<std::size_t> next;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const bool slower = i != *result.winner && std::ranges::find(result.level, i) == result.level.end();
    if (slower && result.factor[i] > 0 && (!next || result.factor[i] < result.factor[*next])) next = i;
  }
  std::vector<std::string> first{lanes[*result.winner].name()};
  for (const std::size_t i : result.level) first.push_back(lanes[i].name());
  std::string text = first.size() == 1 ? first[0] + " is the fastest" + words
                                       : listed(first) + " take the same time" + words + ", within their quartiles";
  std::vector<std::string> unranked;  // lanes without a factor
  for (std::size_t i = 0; i < lanes.size(); ++i)
    if (lanes[i].hasFigures() && result.factor[i] == 0) unranked.push_back(lanes[i].name());
  if (first.size() == 1 && !next && unranked.empty()) text = first[0] + " is the only one with figures";
  if (next)
    text += first.size() == 1
                ? ", " + shortNumber(result.factor[*next]) + " times as fast as " + lanes[*next].name()
                : "; the next is " + lanes[*next].name() + ", " + shortNumber(result.factor[*next]) + " times as long";
  if (!unranked.empty())
    text += "; no factor to " + listed(unranked) + ", which ran on " +
            (unranked.size() == 1 ? "another number" : "other numbers") + " of threads";
  return text;
}

std::string factorText(double factor) { return factor > 0 ? shortNumber(factor) : "-"; }

std::string durationText(double seconds) {
  if (!(seconds >= 1)) return shortNumber(1e3 * seconds) + " ms";
  if (seconds < 100) return shortNumber(seconds) + " s";
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  if (whole < 48 * 3600) return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
  return shortNumber(seconds / 86400) + " days";
}

}  // namespace sscope::compare
