#pragma once
// A finished comparison with everything needed to check and repeat it: the content of tables, pages and capsules.

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
  std::vector<EngineInfo>
      engines;  // of the machine, without other libraries; a capsule stores id, name, driver and reason
  CaseRecipe recipe;
  std::vector<BenchRow> contenders;  // as asked for, one per lane
  RaceOptions how;
  std::vector<Lane> lanes;
  std::vector<std::string> notes{};  // sentences about the whole

  // The machine's name for display: its host, or its processor where that is not known.
  [[nodiscard]] std::string where() const;
};

// Whether both computed the same on the same data, so that their lanes can be compared.
[[nodiscard]] bool sameCase(const Comparison& one, const Comparison& other);

// A lane's factor to a common lane, in two runs.
struct FactorPair {
  struct Factor {
    double median = 0;         // the lane's median over that of the base
    double low = 0, high = 0;  // the bounds of the factor from the quartiles of both
  };
  std::string lane;  // its name
  Factor there, here;
  // Whether the ranges of the two overlap.
  [[nodiscard]] bool within() const { return here.high >= there.low && here.low <= there.high; }
};
struct Replay {
  std::string base;                 // the common lane: the fastest one there of those with figures in both
  std::vector<FactorPair> factors;  // of the other lanes with figures in both
};
// Compares the factors of a replay with those of its capsule; without factors where fewer than two lanes have figures
// in both. Lanes with the same engine id and variant are the same.
[[nodiscard]] Replay replayed(const Comparison& there, const Comparison& here, Times which);
// One sentence without a period: "the factors of 2 lanes to cpu:avx2 separable are those of the capsule within
// quartiles", or which ones differ and by how much. Empty without factors.
[[nodiscard]] std::string replayText(const Replay& replay);

// The table of lanes with times, marks and reasons, then sentences. Capsules of others follow as lanes of their
// machines.
[[nodiscard]] std::string toText(const Comparison& comparison, std::span<const Comparison> others = {});

// The same as CSV, one row per lane, in seconds. `comparison` may be null.
[[nodiscard]] std::string lanesCsv(const Comparison* comparison, std::span<const Comparison> others = {});

}  // namespace sscope::compare
