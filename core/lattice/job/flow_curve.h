#pragma once
// Energy and charge along the Wilson flow, step by step, and the scales t0 and w0. t0: M. Luescher, JHEP 08 (2010) 071.
// w0: S. Borsanyi et al., JHEP 09 (2012) 010.

#include <functional>
#include <optional>
#include <vector>

#include "core/base/control.h"
#include "core/lattice/fields.h"
#include "core/lattice/wilson_flow.h"

namespace sscope {

struct FlowCurveSettings {
  double step = lattice::kFlowStep;  // of the integration, > 0; one point per step
  double end = 2;                    // flow time, >= step; the last step may be shorter
};

// The field at one flow time, in lattice units.
struct FlowCurvePoint {
  double time = 0;
  double cloverEnergy = 0;     // mean of the density tr F F, F from the clover
  double plaquetteEnergy = 0;  // mean of 2 sum over the six planes of Re tr(1 - P)
  double charge = 0;           // topological
  double plaquette = 0;        // mean of Re tr P / 3
  [[nodiscard]] double scaledClover() const { return time * time * cloverEnergy; }
  [[nodiscard]] double scaledPlaquette() const { return time * time * plaquetteEnergy; }
};

struct FlowCurve {
  std::vector<FlowCurvePoint> points;  // from t = 0 on
  std::optional<double> t0;            // t^2 E = 0.3, E from the clover; empty if the curve does not reach it
  std::optional<double> w0;            // w0^2 is the t where t d(t^2 E)/dt = 0.3
};

// The interface of a flowing field for flowCurve().
struct FlowingField {
  std::function<void(double epsilon, const Control& control)> step;
  std::function<lattice::CloverSums(const Control& control)> sums;
};

// Throws Error(Usage, Memory), Canceled, and what the field throws.
[[nodiscard]] FlowCurve flowCurve(const FlowingField& flow, const FlowCurveSettings& settings, const Control& control);
[[nodiscard]] FlowCurve flowCurve(const lattice::GaugeField& field, const FlowCurveSettings& settings,
                                  const Control& control);
// Throws Error(Usage) for settings that flowCurve() refuses, before there is a field.
void requireValid(const FlowCurveSettings& settings);

// t0: where t^2 E first rises through 0.3, by linear interpolation. w0: the square root of the t where t d(t^2 E)/dt
// does, with derivatives between points and linear interpolation.
[[nodiscard]] std::optional<double> scaleT0(const std::vector<FlowCurvePoint>& points);
[[nodiscard]] std::optional<double> scaleW0(const std::vector<FlowCurvePoint>& points);

}  // namespace sscope
