#include "core/lattice/job/flow_curve.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/base/error.h"

namespace sscope {

using lattice::CloverSums;
using lattice::WilsonFlow;

namespace {

constexpr double kReference = 0.3;
constexpr double kPlanes = 6;
constexpr double kColors = lattice::kColors;
constexpr int kMostSteps = 1000000;

double stepsOf(const FlowCurveSettings& settings) { return std::ceil(settings.end / settings.step - 1e-9); }

FlowCurvePoint pointOf(double time, const CloverSums& sums) {
  return {time, sums.meanEnergy, 2 * kPlanes * kColors * (1 - sums.plaquette), sums.charge, sums.plaquette};
}

// The flow goes down the action's gradient. If the action rises, the steps are too long for these links.
void requireFalling(const std::vector<FlowCurvePoint>& points) {
  constexpr double kRounding = 1e-9;
  const double before = points[points.size() - 2].plaquetteEnergy, now = points.back().plaquetteEnergy;
  if (now <= before + kRounding * std::max(before, 1e-3)) return;
  throw Error(ErrorKind::BadData,
              "the action rises along the flow at t = " + std::to_string(points.back().time) +
                  ", so later values have no meaning",
              "give a shorter step, or links of SU(3)");
}

// The first time at which the values rise through the reference.
std::optional<double> crossing(const std::vector<std::pair<double, double>>& curve) {
  for (std::size_t k = 1; k < curve.size(); ++k) {
    const auto [t, before] = curve[k - 1];
    const auto [u, after] = curve[k];
    if (before < kReference && after >= kReference) return t + (u - t) * (kReference - before) / (after - before);
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> scaleT0(const std::vector<FlowCurvePoint>& points) {
  std::vector<std::pair<double, double>> curve;
  for (const FlowCurvePoint& p : points) curve.emplace_back(p.time, p.scaledClover());
  return crossing(curve);
}

std::optional<double> scaleW0(const std::vector<FlowCurvePoint>& points) {
  std::vector<std::pair<double, double>> curve;
  for (std::size_t k = 1; k < points.size(); ++k) {
    const FlowCurvePoint &a = points[k - 1], &b = points[k];
    const double middle = (a.time + b.time) / 2;
    curve.emplace_back(middle, middle * (b.scaledClover() - a.scaledClover()) / (b.time - a.time));
  }
  const std::optional<double> square = crossing(curve);
  return square ? std::optional(std::sqrt(*square)) : std::nullopt;
}

void requireValid(const FlowCurveSettings& settings) {
  if (!(settings.step > 0) || !(settings.end >= settings.step))
    throw Error(
        ErrorKind::Usage,
        "the flow cannot run to " + std::to_string(settings.end) + " in steps of " + std::to_string(settings.step),
        "give a step above 0 and an end of at least one step");
  lattice::requireStableFlow(settings.step);
  if (stepsOf(settings) > kMostSteps)
    throw Error(ErrorKind::Usage, "these are more than a million steps of the flow", "give longer steps");
}

FlowCurve flowCurve(const FlowingField& flow, const FlowCurveSettings& settings, const Control& control) {
  requireValid(settings);
  const int steps = static_cast<int>(stepsOf(settings));
  FlowCurve curve;
  curve.points.push_back(pointOf(0, flow.sums(control)));
  for (int k = 0; k < steps; ++k) {
    control.report(static_cast<double>(k) / steps, "flow");
    const double from = k * settings.step, to = k + 1 < steps ? (k + 1) * settings.step : settings.end;
    flow.step(to - from, {control.stop, {}});
    curve.points.push_back(pointOf(to, flow.sums({control.stop, {}})));
    requireFalling(curve.points);
  }
  curve.t0 = scaleT0(curve.points);
  curve.w0 = scaleW0(curve.points);
  return curve;
}

FlowCurve flowCurve(const lattice::GaugeField& field, const FlowCurveSettings& settings, const Control& control) {
  requireValid(settings);
  WilsonFlow flow(field, control);
  return flowCurve({[&](double epsilon, const Control& own) { flow.step(epsilon, own); },
                    [&](const Control& own) { return flow.sums(own); }},
                   settings, control);
}

}  // namespace sscope
