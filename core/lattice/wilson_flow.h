#pragma once
// The gradient flow of Wilson's action, which smooths a gauge field. Source: M. Luescher, Properties and uses of the
// Wilson flow in lattice QCD, JHEP 08 (2010) 071, appendix C: a Runge-Kutta scheme of third order.

#include <functional>

#include "core/base/control.h"
#include "core/lattice/fields.h"

namespace sscope::lattice {

inline constexpr double kFlowStep = 0.01;

// The field after the flow time (in units of the lattice spacing squared, >= 0), in equal steps of at most `step`. The
// smoothing radius is sqrt(8 time). Throws Error(Usage), Canceled.
// `afterStep` sees the field after each of them; it may throw to end the flow there.
using FlowWatcher = std::function<void(std::int64_t step, const GaugeField& field)>;
[[nodiscard]] GaugeField flowed(GaugeField field, double time, double step, const Control& control,
                                const FlowWatcher& afterStep = {});

}  // namespace sscope::lattice
