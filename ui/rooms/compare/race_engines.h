#pragma once
// What a race says in the charts of the Engines panel.

#include <vector>

#include "core/engine/engine.h"
#include "ui/charts/engine_charts.h"
#include "ui/rooms/compare/lane_state.h"

namespace sscope {

// One row for each lane that is over; before there are any, one for each engine, without figures.
[[nodiscard]] std::vector<EngineRow> raceRows(const std::vector<LaneState>& lanes, const EngineSet& engines);

}  // namespace sscope
