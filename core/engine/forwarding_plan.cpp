#include "core/engine/forwarding_plan.h"

#include <utility>

namespace sscope {

namespace {

class TracedPlan final : public ForwardingPlan {
 public:
  TracedPlan(std::unique_ptr<Plan> plan, std::string name, std::shared_ptr<RunTrace> trace)
      : ForwardingPlan(std::move(plan)), name_(std::move(name)), trace_(std::move(trace)) {}

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    const double begin = trace_->now();
    const std::size_t before = trace_->count();
    RunReport report = ForwardingPlan::run(inputs, outputs, control);
    record(report, begin, before);
    return report;
  }
  [[nodiscard]] ResidentRun runResident(const Inputs& inputs, std::span<const ArraySpec> specs, VolumePool& memory,
                                        const Control& control) override {
    const double begin = trace_->now();
    const std::size_t before = trace_->count();
    ResidentRun run = ForwardingPlan::runResident(inputs, specs, memory, control);
    record(run.report, begin, before);
    return run;
  }

 private:
  void record(const RunReport& report, double begin, std::size_t before) {
    if (trace_->count() == before) trace_->add(report.variant.empty() ? name_ : report.variant, begin, trace_->now());
  }

  std::string name_;
  std::shared_ptr<RunTrace> trace_;
};

}  // namespace

std::unique_ptr<Plan> traced(std::unique_ptr<Plan> plan, std::string name, std::shared_ptr<RunTrace> trace) {
  return std::make_unique<TracedPlan>(std::move(plan), std::move(name), std::move(trace));
}

}  // namespace sscope
