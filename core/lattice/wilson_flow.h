#pragma once
// The gradient flow of Wilson's action, which smooths a gauge field. Source: M. Luescher, Properties and uses of the
// Wilson flow in lattice QCD, JHEP 08 (2010) 071, appendix C: a Runge-Kutta scheme of third order.

#include <cstdint>
#include <memory>

#include "core/base/control.h"
#include "core/lattice/fields.h"
#include "core/lattice/observables.h"

namespace sscope::cpu {
class VectorFlow;
}

namespace sscope::lattice {

inline constexpr double kFlowStep = 0.01;
// The scheme is stable while the step times the largest eigenvalue of the lattice's Laplacian, 16, is below 2.51.
inline constexpr double kLongestFlowStep = 0.15;

// Smooths a field step by step, on all cores with the processor's widest vectors. The result does not depend on the
// number of threads; its last digits may differ between kinds of processors. Takes 2 KB per site.
class WilsonFlow {
 public:
  // Throws Error(Memory), Canceled.
  WilsonFlow(const GaugeField& field, const Control& control);
  WilsonFlow(WilsonFlow&&) noexcept;
  WilsonFlow& operator=(WilsonFlow&&) noexcept;
  ~WilsonFlow();

  // Starts over with another field on the same lattice. Throws Canceled and then changes nothing.
  void restart(const GaugeField& field, const Control& control);
  // `epsilon`: the flow time of the step, in units of the lattice spacing squared. Throws Canceled and then changes
  // nothing.
  void step(double epsilon, const Control& control);
  // Throws Error(Memory), Canceled.
  [[nodiscard]] GaugeField field(const Control& control) const;
  // The observables of field(). Throws Error(Memory), Canceled.
  [[nodiscard]] CloverSums sums(const Control& control) const;
  [[nodiscard]] CloverPlaneSums planeSums(const Control& control) const;

 private:
  [[nodiscard]] cpu::CloverDensities densities(const Control& control) const;

  Lattice lattice_;
  std::unique_ptr<cpu::VectorFlow> flow_;
};

// Throws Error(Usage) for a step that is not positive, or with which the flow is not stable.
void requireStableFlow(double step);

struct FlowSteps {
  std::int64_t count = 0;
  double epsilon = 0;  // of each
};
// Equal steps of at most `step` that end at `time` >= 0. Throws Error(Usage).
[[nodiscard]] FlowSteps flowSteps(double time, double step);
// The field after the flow time >= 0, in equal steps of at most `step`. The smoothing radius is sqrt(8 time). Throws
// Error(Usage, Memory), Canceled.
[[nodiscard]] GaugeField flowed(GaugeField field, double time, double step, const Control& control);

}  // namespace sscope::lattice
