#pragma once
// The Wilson flow of one gauge field, kept along the way: going back costs nothing, going on starts from where it was.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include "core/base/control.h"
#include "core/lattice/fields.h"

namespace sscope {

// What is known of the flowed field at one time.
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
  // `memory`: bytes for fields along the way; 0: a quarter of what the machine can give, at most 1 GiB. The start and
  // the newest field are always kept.
  explicit FlowTrail(std::shared_ptr<const lattice::GaugeField> start, std::int64_t memory = 0);

  // Sees the field after each step that is computed, and says whether to keep it. Where it throws, the flow ends and
  // the field of that step is kept.
  using Watcher = std::function<bool(int step, const lattice::GaugeField& field)>;
  // The field after `steps` >= 0 steps, from the nearest one that was kept before it. Throws Canceled.
  [[nodiscard]] std::shared_ptr<const lattice::GaugeField> at(int steps, const Control& control,
                                                              const Watcher& watcher = {});
  // The last step up to this one whose field is kept.
  [[nodiscard]] int nearest(int steps) const;
  [[nodiscard]] std::size_t kept() const { return fields_.size(); }

  // Computed once for each step. `field` is the one of that step.
  const FlowPoint& point(int step, const lattice::GaugeField& field, const Control& control);
  [[nodiscard]] bool knows(int step) const { return points_.contains(step); }

 private:
  void keep(int step, std::shared_ptr<const lattice::GaugeField> field);

  std::map<int, std::shared_ptr<const lattice::GaugeField>> fields_;  // by step
  std::map<int, FlowPoint> points_;
  std::size_t most_ = 2;  // fields
  int spacing_ = 1;       // steps between those kept on the way
};

}  // namespace sscope
