#pragma once
// A plan that wraps another one and adds something: what it does not override is the other's, abilities included.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/plan.h"

namespace sscope {

class ForwardingPlan : public Plan {
 public:
  explicit ForwardingPlan(std::unique_ptr<Plan> plan) : plan_(std::move(plan)) {}

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    return plan_->run(inputs, outputs, control);
  }
  [[nodiscard]] ResidentRun runResident(const Inputs& inputs, std::span<const ArraySpec> specs, VolumePool& memory,
                                        const Control& control) override {
    return plan_->runResident(inputs, specs, memory, control);
  }
  [[nodiscard]] bool readsResident() const override { return plan_->readsResident(); }
  [[nodiscard]] bool overlapsCopies() const override { return plan_->overlapsCopies(); }
  [[nodiscard]] bool adopt(const Workload& workload, const Control& control) override {
    return plan_->adopt(workload, control);
  }
  [[nodiscard]] std::int64_t grain() const override { return plan_->grain(); }
  [[nodiscard]] std::int64_t scratchBytes() const override { return plan_->scratchBytes(); }
  [[nodiscard]] std::vector<PlanBuffer> buffers() const override { return plan_->buffers(); }
  [[nodiscard]] std::string description() const override { return plan_->description(); }
  [[nodiscard]] void* findAbility(const std::type_info& ability) override { return plan_->findAbility(ability); }

 private:
  std::unique_ptr<Plan> plan_;
};

}  // namespace sscope
