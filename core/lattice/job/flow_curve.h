#pragma once
// Energy and charge along the Wilson flow, step by step, and the scales that are read off it.
// t0: M. Luescher, JHEP 08 (2010) 071. w0: S. Borsanyi et al., JHEP 09 (2012) 010.

#include <optional>
#include <vector>

#include "core/base/control.h"
#include "core/lattice/fields.h"
#include "core/lattice/wilson_flow.h"

namespace sscope {

struct FlowCurveSettings {
  double step = lattice::kFlowStep;  // of the integration, > 0; a point for each
  double end = 2;                    // flow time, >= step; the last step is shorter where it must be
};

// Of the field at one flow time, in units of the lattice spacing.
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
  std::optional<double> t0;            // t^2 E = 0.3, E of the clover; empty where the curve does not reach it
  std::optional<double> w0;            // w0^2 is the t where t d(t^2 E)/dt = 0.3
};

// Throws Error(Usage, Memory), Canceled.
[[nodiscard]] FlowCurve flowCurve(const lattice::GaugeField& field, const FlowCurveSettings& settings,
                                  const Control& control);

// Where the curve t^2 E first rises through 0.3, between points by a straight line; and the root of the t where its
// logarithmic derivative does, which is taken between points, and between those by a straight line.
[[nodiscard]] std::optional<double> scaleT0(const std::vector<FlowCurvePoint>& points);
[[nodiscard]] std::optional<double> scaleW0(const std::vector<FlowCurvePoint>& points);

}  // namespace sscope
