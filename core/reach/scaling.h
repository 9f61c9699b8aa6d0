#pragma once
// Measurements of the same work on more and more ranks (strong scaling), or of as much more work (weak scaling).

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/reach/rank_bench.h"

namespace sscope::reach {

enum class Scaling : std::uint8_t { Strong, Weak };
[[nodiscard]] std::string_view toString(Scaling scaling);

struct ScalingReport {
  Scaling scaling = Scaling::Strong;
  std::string workload, title;
  std::vector<std::string> machines;    // of the ranks, in their order
  std::vector<RankMeasurement> points;  // by number of ranks, ascending
  std::string stopped{};                // "stopped after 2 of 4 rows"; empty: it ran to its end
};

// Times of the first point over that of `point`; for weak scaling of as much work.
[[nodiscard]] double speedUp(const ScalingReport& report, const RankMeasurement& point);
// 0..1, and more where caches help: the speed-up over how many times as many ranks there are.
[[nodiscard]] double efficiency(const ScalingReport& report, const RankMeasurement& point);
// Of the time that the compulsory bytes take at the bandwidth of all ranks together, 0..1; 0: not measured.
[[nodiscard]] double shareOfCopy(const RankMeasurement& point);
// The efficiency that work has which only copies and computes no more than its own: how the rate at which all ranks
// copy grows with them, and what they compute beside their own; 0: not measured.
[[nodiscard]] double allowedEfficiency(const ScalingReport& report, const RankMeasurement& point);
// The same of work that only computes.
[[nodiscard]] double arithmeticEfficiency(const ScalingReport& report, const RankMeasurement& point);

[[nodiscard]] std::string toTable(const ScalingReport& report);
// schema "stencilscope.scaling/1"; numbers in full precision.
[[nodiscard]] nlohmann::json toJson(const ScalingReport& report);

}  // namespace sscope::reach
