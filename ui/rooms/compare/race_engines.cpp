#include "ui/rooms/compare/race_engines.h"

#include <algorithm>

#include "ui/model/engine_times.h"

namespace sscope {

std::vector<EngineRow> raceRows(const std::vector<LaneState>& lanes, const EngineSet& engines) {
  std::vector<EngineRow> rows;
  for (const LaneState& lane : lanes) {
    if (!lane.result) continue;
    const Measurement& m = lane.result->measurement;
    EngineRow row;
    row.id = m.engine;
    row.variant = m.ran.empty() ? m.variant : m.ran;
    if (!lane.engine.available()) row.absentReason = lane.engine.absentReason;
    row.verification = lane.result->hasFigures() ? verificationText(m.verification) : lane.result->reason();
    row.check = m.verification;
    if (lane.result->hasFigures()) {
      row.measured = true;
      row.phases = m.phases;
      row.samples = lane.result->totals;
      row.disturbed = static_cast<int>(lane.result->marks.beside);
      row.predicted = m.predictedSeconds;
      row.gflops = m.gflops();
      row.verified = m.verification.verified;
      if (const auto share = m.share(); share && *share > 0) row.ceilingGflops = row.gflops / *share;
    }
    rows.push_back(std::move(row));
  }
  if (!rows.empty()) {
    std::ranges::stable_partition(rows, [](const EngineRow& row) { return row.absentReason.empty(); });
    return rows;
  }
  return EngineTimes().rows(engines, {});
}

}  // namespace sscope
