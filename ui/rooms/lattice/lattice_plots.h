#pragma once
// The curves and tables of the Lattice room.

#include <QString>
#include <map>
#include <string>
#include <vector>

#include "core/lattice/job/flow_trail.h"
#include "ui/charts/curve_chart.h"
#include "ui/rooms/lattice/lattice_controller.h"

namespace sscope {

// t^2 <E> over the flow time.
[[nodiscard]] CurvePlot energyPlot(const std::map<int, FlowPoint>& curve);
// The topological charge over the flow time.
[[nodiscard]] CurvePlot chargePlot(const std::map<int, FlowPoint>& curve);
// The plaquette after each sweep of a heat bath.
[[nodiscard]] CurvePlot sweepPlot(const std::vector<double>& plaquettes);
// All known points of the flow: t, t^2 <E>, <E>, Q, plaquette.
[[nodiscard]] std::string flowCsv(const std::map<int, FlowPoint>& curve);

// "cpu:avx2 · tuned"; without the variant while it is unknown.
[[nodiscard]] QString nameOf(const SolveLine& line);

// |r| / |b| over the iterations, one curve per engine, and the tolerance. Iterations of several systems follow each
// other. Long histories are thinned out; residualCsv() has all points.
[[nodiscard]] CurvePlot residualPlot(const std::vector<SolveLine>& lines, double tolerance);
[[nodiscard]] std::string residualCsv(const std::vector<SolveLine>& lines);

// The first run that has a correlator; null: there is none.
[[nodiscard]] const SolveRun* correlatorRun(const std::vector<SolveLine>& lines);
// C(t) and C(T - t). `free`: the correlator on unit links, may be empty.
[[nodiscard]] CurvePlot correlatorPlot(const SolveRun& run, const std::vector<double>& free);
[[nodiscard]] CurvePlot massPlot(const SolveRun& run, const std::vector<double>& free);
// t, C, m_eff of the cosh, m_eff of the logarithm (both between t and t + 1; empty where there is none), and the same
// of the free field where it is given.
[[nodiscard]] std::string correlatorCsv(const SolveRun& run, const std::vector<double>& free);

}  // namespace sscope
