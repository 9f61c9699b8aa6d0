#include "ui/rooms/lattice/lattice_plots.h"

#include <cmath>
#include <limits>
#include <utility>

#include "core/lattice/correlator.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/engine_colors.h"

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
  plot.fitted = true;  // most of the change is in the first sweeps
  Curve curve{Words::tr("plaquette"), {}, plaquettes, false};
  for (std::size_t sweep = 1; sweep <= plaquettes.size(); ++sweep) curve.x.push_back(static_cast<double>(sweep));
  plot.curves = {std::move(curve)};
  return plot;
}

std::string flowCsv(const std::map<int, FlowPoint>& curve) {
  std::string out = "t,t2_energy,energy,charge,plaquette\n";
  for (const auto& [step, p] : curve) out += csvLine(p.time(), p.scaled(), p.energy, p.charge, p.plaquette);
  return out;
}

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
// As many points as a wide screen has columns.
constexpr std::size_t kMostPoints = 3000;
constexpr double kWider = 0.8;  // of one curve than the next
constexpr int kFreeGray = 0x88;

// Keeps the smallest and the largest value of each stretch.
void thinOut(Curve& curve) {
  const std::size_t count = curve.x.size();
  if (count <= kMostPoints) return;
  const std::size_t stretch = 2 * count / kMostPoints + 1;
  Curve thin = curve;
  thin.x.clear();
  thin.y.clear();
  for (std::size_t begin = 0; begin < count; begin += stretch) {
    const std::size_t end = std::min(count, begin + stretch);
    std::size_t low = begin, high = begin;
    bool broken = false;
    for (std::size_t k = begin; k < end; ++k) {
      if (std::isnan(curve.y[k])) broken = true;
      if (curve.y[k] < curve.y[low] || std::isnan(curve.y[low])) low = k;
      if (curve.y[k] > curve.y[high] || std::isnan(curve.y[high])) high = k;
    }
    for (const std::size_t k : {std::min(low, high), std::max(low, high)}) {
      thin.x.push_back(curve.x[k]);
      thin.y.push_back(curve.y[k]);
    }
    if (!broken) continue;
    thin.x.push_back(curve.x[end - 1]);
    thin.y.push_back(kNone);
  }
  thin.x.push_back(curve.x.back());
  thin.y.push_back(curve.y.back());
  curve = std::move(thin);
}

Curve curveOf(const SolveLine& line, double& last) {
  Curve curve;
  curve.name = nameOf(line);
  curve.color = engineColor(line.place.engine);
  double before = 0;  // iterations of the systems before
  int system = 0;
  for (const SolvePoint& point : line.points) {
    if (point.system != system) {
      system = point.system;
      before = curve.x.empty() ? 0 : curve.x.back();
      // A system begins where the one before ended, without a line between them.
      curve.x.push_back(before);
      curve.y.push_back(kNone);
    }
    curve.x.push_back(before + point.iteration);
    curve.y.push_back(point.residual > 0 ? point.residual : kNone);
  }
  if (!curve.x.empty()) last = std::max(last, curve.x.back());
  thinOut(curve);
  return curve;
}

Curve curveOver(const std::vector<double>& values, double first, const QString& name, const QColor& color) {
  Curve curve{name, {}, values, true};
  curve.color = color;
  for (std::size_t t = 0; t < values.size(); ++t) curve.x.push_back(static_cast<double>(t) + first);
  return curve;
}

QColor freeColor() { return {kFreeGray, kFreeGray, kFreeGray}; }

CurvePlot plotOverTime(const QString& title, const QString& stem, const QString& yLabel) {
  CurvePlot plot{title, stem, Words::tr("t − t(source)"), yLabel, false, {}, {}};
  plot.whole = true;
  return plot;
}

// Adds C(T) = C(0) at the end.
std::vector<double> closed(std::vector<double> correlator) {
  if (!correlator.empty()) correlator.push_back(correlator.front());
  return correlator;
}

std::string cell(const std::vector<double>& values, std::size_t t) {
  return t < values.size() && std::isfinite(values[t]) ? csvNumber(values[t]) : std::string();
}

}  // namespace

QString nameOf(const SolveLine& line) {
  const std::string& variant = line.run ? line.run->variant : line.place.variant;
  const QString engine = toQt(line.place.engine);
  return variant.empty() ? engine : engine + QStringLiteral(" · ") + toQt(variant);
}

CurvePlot residualPlot(const std::vector<SolveLine>& lines, double tolerance) {
  CurvePlot plot{Words::tr("Residual per iteration"),
                 QStringLiteral("residual"),
                 Words::tr("iteration"),
                 Words::tr("|r| / |b| of the recursion"),
                 true,
                 {},
                 {}};
  plot.whole = true;
  double last = 1;
  for (const SolveLine& line : lines) {
    if (line.points.empty()) continue;
    plot.curves.push_back(curveOf(line, last));
    // Dashed, if another curve is of the same engine.
    for (std::size_t k = 0; k + 1 < plot.curves.size(); ++k)
      if (plot.curves[k].color == plot.curves.back().color) plot.curves.back().dashed = true;
  }
  if (plot.curves.empty()) {
    plot.note = Words::tr("Solve to see how the residual falls, engine by engine.");
    return plot;
  }
  // Curves of engines that agree cover each other, so each one is wider than the next.
  for (std::size_t k = 0; k < plot.curves.size(); ++k)
    plot.curves[k].width = 1 + kWider * static_cast<double>(plot.curves.size() - 1 - k);
  Curve goal{Words::tr("tolerance"), {0, last}, {tolerance, tolerance}, false};
  goal.color = freeColor();
  goal.dashed = true;
  plot.curves.push_back(std::move(goal));
  return plot;
}

std::string residualCsv(const std::vector<SolveLine>& lines) {
  std::string out = "engine,variant,system,iteration,residual\n";
  for (const SolveLine& line : lines)
    for (const SolvePoint& point : line.points)
      out += csvLine(line.place.engine, line.run ? line.run->variant : line.place.variant, point.system,
                     point.iteration, point.residual);
  return out;
}

const SolveRun* correlatorRun(const std::vector<SolveLine>& lines) {
  for (const SolveLine& line : lines)
    if (line.run && !line.run->correlator.empty()) return line.run.get();
  return nullptr;
}

CurvePlot correlatorPlot(const SolveRun& run, const std::vector<double>& free) {
  CurvePlot plot = plotOverTime(Words::tr("Pion correlator"), QStringLiteral("correlator"), Words::tr("C(t)"));
  plot.logarithmic = true;
  const QColor color = engineColor(run.engine);
  const std::vector<double> whole = closed(run.correlator);
  plot.curves.push_back(curveOver(whole, 0, Words::tr("C(t)"), color));
  Curve mirror = curveOver({whole.rbegin(), whole.rend()}, 0, QStringLiteral("C(T − t)"), color);
  mirror.marks = false;
  mirror.dashed = true;
  plot.curves.push_back(std::move(mirror));
  if (!free.empty()) plot.curves.push_back(curveOver(closed(free), 0, Words::tr("free quarks"), freeColor()));
  return plot;
}

CurvePlot massPlot(const SolveRun& run, const std::vector<double>& free) {
  CurvePlot plot =
      plotOverTime(Words::tr("Effective mass"), QStringLiteral("effective-mass"), Words::tr("m, in lattice units"));
  const QColor color = engineColor(run.engine);
  plot.curves.push_back(curveOver(lattice::effectiveMass(run.correlator), 0.5, Words::tr("cosh"), color));
  Curve logarithm = curveOver(lattice::logarithmicMass(run.correlator), 0.5, Words::tr("ln C(t) / C(t + 1)"), color);
  logarithm.dashed = true;
  // Beyond the middle it is negative, and only in the table.
  for (std::size_t k = 0; k < logarithm.y.size(); ++k)
    if (2 * (k + 1) > run.correlator.size()) logarithm.y[k] = kNone;
  plot.curves.push_back(std::move(logarithm));
  if (!free.empty())
    plot.curves.push_back(curveOver(lattice::effectiveMass(free), 0.5, Words::tr("free quarks, cosh"), freeColor()));
  return plot;
}

std::string correlatorCsv(const SolveRun& run, const std::vector<double>& free) {
  const std::vector<double> masses = lattice::effectiveMass(run.correlator);
  const std::vector<double> logarithms = lattice::logarithmicMass(run.correlator);
  const std::vector<double> freeMasses = lattice::effectiveMass(free);
  std::string out = "t,C,m_eff,m_log";
  out += free.empty() ? "\n" : ",C_free,m_eff_free\n";
  for (std::size_t t = 0; t < run.correlator.size(); ++t) {
    out += std::to_string(t) + ',' + csvNumber(run.correlator[t]) + ',' + cell(masses, t) + ',' + cell(logarithms, t);
    out += free.empty() ? std::string("\n") : ',' + cell(free, t) + ',' + cell(freeMasses, t) + '\n';
  }
  return out;
}

}  // namespace sscope
