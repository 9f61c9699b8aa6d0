#include "core/compare/comparison.h"

#include <algorithm>
#include <optional>

#include "core/measure/table.h"

namespace sscope::compare {

namespace {

const Lane* sameLane(const Comparison& where, const Lane& lane) {
  const auto found = std::ranges::find_if(where.lanes, [&](const Lane& other) {
    return other.measurement.engine == lane.measurement.engine &&
           other.measurement.variant == lane.measurement.variant && other.hasFigures();
  });
  return found == where.lanes.end() ? nullptr : &*found;
}

}  // namespace

std::string Comparison::where() const {
  if (!machine.host.empty()) return machine.host;
  return machine.cpu.empty() ? "another machine" : machine.cpu;
}

bool sameCase(const Comparison& one, const Comparison& other) {
  return one.recipe.computes == other.recipe.computes && one.recipe.made == other.recipe.made &&
         one.recipe.data.fingerprint == other.recipe.data.fingerprint;
}

Replay replayed(const Comparison& there, const Comparison& here, Times which) {
  std::vector<std::pair<const Lane*, const Lane*>> both;
  for (const Lane& lane : there.lanes)
    if (lane.hasFigures())
      if (const Lane* now = sameLane(here, lane)) both.emplace_back(&lane, now);
  if (both.size() < 2) return {};
  const auto base =
      *std::ranges::min_element(both, {}, [&](const auto& pair) { return timesOf(*pair.first, which).median; });
  const auto factorOf = [&](const Lane& lane, const Lane& of) {
    const Spread own = timesOf(lane, which), other = timesOf(of, which);
    return FactorPair::Factor{own.median / other.median, own.firstQuartile / other.thirdQuartile,
                              own.thirdQuartile / other.firstQuartile};
  };
  Replay replay{base.first->name(), {}};
  for (const auto& [old, anew] : both) {
    if (old == base.first) continue;
    replay.factors.push_back({old->name(), factorOf(*old, *base.first), factorOf(*anew, *base.second)});
  }
  return replay;
}

std::string replayText(const Replay& replay) {
  if (replay.factors.empty()) return {};
  const auto words = [](const FactorPair::Factor& factor) {
    return shortNumber(factor.median) + " (" + shortNumber(factor.low) + " to " + shortNumber(factor.high) + ")";
  };
  std::string off;
  for (const FactorPair& factor : replay.factors)
    if (!factor.within())
      off += (off.empty() ? "" : ", ") + factor.lane + " took " + words(factor.here) + " times as long, there " +
             words(factor.there);
  const std::string lanes =
      replay.factors.size() == 1
          ? "the factor of " + replay.factors[0].lane + " to " + replay.base + " is"
          : "the factors of " + std::to_string(replay.factors.size()) + " lanes to " + replay.base + " are";
  return off.empty() ? lanes + (replay.factors.size() == 1 ? " that" : " those") + " of the capsule within quartiles"
                     : "compared with " + replay.base + ", " + off;
}

}  // namespace sscope::compare
