#pragma once
// The Wilson flow of one gauge field, kept along the way: going back costs nothing, going on starts from where it was.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "core/base/control.h"
#include "core/lattice/fields.h"
#include "core/lattice/wilson_flow.h"

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
  // the newest field are always kept, and beside them the flow itself where it stands (see lattice::WilsonFlow).
  explicit FlowTrail(std::shared_ptr<const lattice::GaugeField> start, std::int64_t memory = 0);

  // Told of each step that was computed; may ask for its point() and its field(). Where it throws, the flow ends there.
  using Watcher = std::function<void(int step)>;
  // The field after `steps` >= 0 steps, from the nearest one that is known before it. Throws Canceled, also in the
  // middle of a step; the flow stands at the last whole step then, and goes on from there when it is asked again.
  [[nodiscard]] std::shared_ptr<const lattice::GaugeField> at(int steps, const Control& control,
                                                              const Watcher& watcher = {});
  // The field of a step that a watcher is told of, which is kept then, or of one that is kept. Throws Canceled.
  [[nodiscard]] std::shared_ptr<const lattice::GaugeField> field(int step, const Control& control);
  // The last step up to this one whose field is kept, or where the flow stands.
  [[nodiscard]] int nearest(int steps) const;
  [[nodiscard]] std::size_t kept() const { return fields_.size(); }

  // Computed once for each step; of those that have a field() only. Throws Canceled.
  const FlowPoint& point(int step, const Control& control);
  [[nodiscard]] bool knows(int step) const { return points_.contains(step); }

 private:
  void keep(int step, std::shared_ptr<const lattice::GaugeField> field);
  void standAt(int step, const Control& control);

  std::map<int, std::shared_ptr<const lattice::GaugeField>> fields_;  // by step
  std::map<int, FlowPoint> points_;
  std::optional<lattice::WilsonFlow> flow_;
  int stands_ = 0;        // the step where the flow is
  std::size_t most_ = 2;  // fields
  int spacing_ = 1;       // steps between those kept on the way
};

}  // namespace sscope
