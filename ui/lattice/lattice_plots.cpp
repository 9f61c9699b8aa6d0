#include "ui/lattice/lattice_plots.h"

#include <QCoreApplication>

#include "ui/charts/chart_format.h"

namespace sscope {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("LatticePlots", text); }

template <class Value>
Curve curveOf(const QString& name, const std::map<int, FlowPoint>& points, const Value& value) {
  Curve curve{name, {}, {}, false};
  for (const auto& [step, point] : points) {
    curve.x.push_back(point.time());
    curve.y.push_back(value(point));
  }
  return curve;
}

}  // namespace

CurvePlot energyPlot(const std::map<int, FlowPoint>& curve) {
  CurvePlot plot{
      tr("Energy t\u00b2\u2009\u27e8E\u27e9"), QStringLiteral("flow-energy"), tr("flow time t"), {}, false, {}, {}};
  plot.curves = {curveOf(tr("t\u00b2\u2009\u27e8E\u27e9"), curve, [](const FlowPoint& p) { return p.scaled(); })};
  return plot;
}

CurvePlot chargePlot(const std::map<int, FlowPoint>& curve) {
  CurvePlot plot{tr("Topological charge Q"), QStringLiteral("flow-charge"), tr("flow time t"), {}, false, {}, {}};
  plot.curves = {curveOf(tr("Q"), curve, [](const FlowPoint& p) { return p.charge; })};
  return plot;
}

CurvePlot sweepPlot(const std::vector<double>& plaquettes) {
  CurvePlot plot{tr("Plaquette after each sweep"), QStringLiteral("sweeps"), tr("sweep"), {}, false, {}, {}};
  Curve curve{tr("plaquette"), {}, plaquettes, false};
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
