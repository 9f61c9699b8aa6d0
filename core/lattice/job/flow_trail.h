#pragma once
// The Wilson flow of one gauge field with stored intermediate fields: going back is free, and going forward continues
// from the last step.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "core/base/control.h"
#include "core/lattice/fields.h"
#include "core/lattice/wilson_flow.h"

namespace sscope {

// Observables of the flowed field at one time.
struct FlowPoint {
  int step = 0;          // of lattice::kFlowStep
  double energy = 0;     // mean of the clover energy density
  double charge = 0;     // sum of the topological charge density
  double plaquette = 0;  // mean of Re tr P / 3
  [[nodiscard]] double time() const;
  [[nodiscard]] double scaled() const;  // t^2 <E>
  bool operator==(const FlowPoint&) const = default;
};

class FlowTrail {
 public:
  // `memory`: bytes for intermediate fields; 0: a quarter of the available memory, at most 1 GiB. The start, the newest
  // field and the state of the flow (lattice::WilsonFlow) are always kept in addition.
  explicit FlowTrail(std::shared_ptr<const lattice::GaugeField> start, std::int64_t memory = 0);

  // Called after each computed step; may call point() and field() for it. The flow stops where it throws.
  using Watcher = std::function<void(int step)>;
  // The field after `steps` >= 0 steps, computed from the nearest stored earlier field. Throws Canceled, even in the
  // middle of a step; the next call continues from the last whole step.
  [[nodiscard]] std::shared_ptr<const lattice::GaugeField> at(int steps, const Control& control,
                                                              const Watcher& watcher = {});
  // The field of the watcher's current step, which is then stored, or of a stored step. Throws Canceled.
  [[nodiscard]] std::shared_ptr<const lattice::GaugeField> field(int step, const Control& control);
  // The last step up to this one that is stored or current.
  [[nodiscard]] int nearest(int steps) const;
  [[nodiscard]] std::size_t kept() const { return fields_.size(); }

  // Computed once per step; only for steps that have a field(). Throws Canceled.
  const FlowPoint& point(int step, const Control& control);
  [[nodiscard]] bool knows(int step) const { return points_.contains(step); }

 private:
  void keep(int step, std::shared_ptr<const lattice::GaugeField> field);
  void standAt(int step, const Control& control);

  std::map<int, std::shared_ptr<const lattice::GaugeField>> fields_;  // by step
  std::map<int, FlowPoint> points_;
  std::optional<lattice::WilsonFlow> flow_;
  int current_ = 0;       // the flow's current step
  std::size_t most_ = 2;  // fields
  int spacing_ = 1;       // steps between stored fields
};

}  // namespace sscope
