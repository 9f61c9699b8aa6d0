#include "ui/rooms/lattice/lattice_plots.h"

#include <utility>

#include "ui/base/text.h"
#include "ui/charts/chart_format.h"

namespace sscope {

namespace {

template <class Value>
Curve curveOf(const QString& name, const std::map<int, FlowPoint>& points, const Value& value) {
  Curve curve{name, {}, {}, false};
  for (const auto& [step, point] : points) {
    curve.x.push_back(point.time());
    curve.y.push_back(value(point));
  }
  return curve;
}

CurvePlot flowPlot(const QString& title, const QString& stem, Curve curve) {
  CurvePlot plot{title, stem, Words::tr("flow time t / a\u00b2"), {}, false, {}, {}};
  if (curve.x.size() < 2) plot.note = Words::tr("The curve grows as the flow time changes.");
  plot.curves.push_back(std::move(curve));
  return plot;
}

}  // namespace

CurvePlot energyPlot(const std::map<int, FlowPoint>& curve) {
  return flowPlot(
      Words::tr("Energy t\u00b2\u2009\u27e8E\u27e9"), QStringLiteral("flow-energy"),
      curveOf(Words::tr("t\u00b2\u2009\u27e8E\u27e9"), curve, [](const FlowPoint& p) { return p.scaled(); }));
}

CurvePlot chargePlot(const std::map<int, FlowPoint>& curve) {
  return flowPlot(Words::tr("Topological charge Q"), QStringLiteral("flow-charge"),
                  curveOf(Words::tr("Q"), curve, [](const FlowPoint& p) { return p.charge; }));
}

CurvePlot sweepPlot(const std::vector<double>& plaquettes) {
  CurvePlot plot{
      Words::tr("Plaquette after each sweep"), QStringLiteral("sweeps"), Words::tr("sweep"), {}, false, {}, {}};
  if (plaquettes.empty()) {
    plot.note = Words::tr("Generate a configuration to see its plaquette after each sweep of the heat bath.");
    return plot;
  }
  plot.fitted = true;  // the first sweeps go most of the way
  Curve curve{Words::tr("plaquette"), {}, plaquettes, false};
  for (std::size_t sweep = 1; sweep <= plaquettes.size(); ++sweep) curve.x.push_back(static_cast<double>(sweep));
  plot.curves = {std::move(curve)};
  return plot;
}

std::string flowCsv(const std::map<int, FlowPoint>& curve) {
  std::string out = "t,t2_energy,energy,charge,plaquette\n";
  for (const auto& [step, p] : curve)
    out += csvNumber(p.time()) + ',' + csvNumber(p.scaled()) + ',' + csvNumber(p.energy) + ',' + csvNumber(p.charge) +
           ',' + csvNumber(p.plaquette) + '\n';
  return out;
}

}  // namespace sscope
