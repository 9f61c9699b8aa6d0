#pragma once
// A comparison that is over, with all that is needed to believe and to repeat it: what tables, pages and capsules show.

#include <span>
#include <string>
#include <vector>

#include "core/compare/case.h"
#include "core/compare/lane.h"
#include "core/compare/race.h"
#include "core/engine/engine.h"
#include "core/measure/machine.h"

namespace sscope::compare {

struct Comparison {
  std::string version;  // of the program that measured
  std::string date;     // UTC, "2026-03-01T12:00:00Z"
  Machine machine;
  std::vector<EngineInfo> engines;  // of the machine, other libraries aside; in a capsule id, name, driver and reason
  CaseRecipe recipe;
  std::vector<BenchRow> contenders;  // as asked for, one per lane
  RaceOptions how;
  std::vector<Lane> lanes;
  std::vector<std::string> notes{};  // sentences about the whole

  // The machine's name for display: its host, or its processor where that is not known.
  [[nodiscard]] std::string where() const;
};

// Whether two computed the same on the same data, so that their lanes can stand beside each other.
[[nodiscard]] bool sameCase(const Comparison& one, const Comparison& other);

// How a lane's factor to a common lane came out again in another run.
struct FactorPair {
  struct Factor {
    double median = 0;         // the lane's median over that of the base
    double low = 0, high = 0;  // what the quartiles of both leave possible
  };
  std::string lane;  // its name
  Factor there, here;
  // Whether the two are the same as far as the quartiles of both runs tell.
  [[nodiscard]] bool within() const { return here.high >= there.low && here.low <= there.high; }
};
struct Replay {
  std::string base;  // the lane to which all factors are, the fastest there of those that have figures in both
  std::vector<FactorPair> factors;  // of the others that have
};
// Compares the ratios of a replay with those of its capsule; empty where fewer than two lanes have figures in both.
// Lanes are the same where engine id and variant are.
[[nodiscard]] Replay replayed(const Comparison& there, const Comparison& here, Times which);
// One sentence without a period: "the factors of 2 lanes to cpu:avx2 separable are those of the capsule within
// quartiles", or which are not and by how much. Empty without factors.
[[nodiscard]] std::string replayText(const Replay& replay);

// The table of lanes for people, with what they took, their marks and reasons; then sentences. Capsules of others
// follow as lanes of their machines.
[[nodiscard]] std::string toText(const Comparison& comparison, std::span<const Comparison> others = {});

// The same as numbers, one row for each lane; seconds. `comparison` may be null.
[[nodiscard]] std::string lanesCsv(const Comparison* comparison, std::span<const Comparison> others = {});

}  // namespace sscope::compare
