#pragma once
// The curves of the Lattice room.

#include <map>
#include <vector>

#include "core/lattice/job/flow_trail.h"
#include "ui/charts/curve_chart.h"

namespace sscope {

// t^2 <E> over the flow time.
[[nodiscard]] CurvePlot energyPlot(const std::map<int, FlowPoint>& curve);
// The topological charge over the flow time.
[[nodiscard]] CurvePlot chargePlot(const std::map<int, FlowPoint>& curve);
// The plaquette after each sweep of a heat bath.
[[nodiscard]] CurvePlot sweepPlot(const std::vector<double>& plaquettes);
// All known points of the flow: t, t^2 <E>, <E>, Q, plaquette.
[[nodiscard]] std::string flowCsv(const std::map<int, FlowPoint>& curve);

}  // namespace sscope
