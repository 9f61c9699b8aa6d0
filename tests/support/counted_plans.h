#pragma once
// A table of variants whose plans are counted.

#include <memory>
#include <utility>

#include "core/engine/variant.h"

namespace sscope::test {

struct PlanCounts {
  int made = 0, alive = 0, adopted = 0;
  int runs = 0, uploads = 0;  // an upload: a run that uploaded anything
};

class CountedPlan final : public Plan {
 public:
  CountedPlan(std::unique_ptr<Plan> plan, std::shared_ptr<PlanCounts> counts)
      : plan_(std::move(plan)), counts_(std::move(counts)) {
    ++counts_->made;
    ++counts_->alive;
  }
  ~CountedPlan() override { --counts_->alive; }
  CountedPlan(const CountedPlan&) = delete;
  CountedPlan& operator=(const CountedPlan&) = delete;

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    return noted(plan_->run(inputs, outputs, control));
  }
  [[nodiscard]] ResidentRun runResident(const Inputs& inputs, std::span<const ArraySpec> specs, VolumePool& memory,
                                        const Control& control) override {
    ResidentRun run = plan_->runResident(inputs, specs, memory, control);
    run.report = noted(std::move(run.report));
    return run;
  }
  [[nodiscard]] bool adopt(const Workload& workload, const Control& control) override {
    const bool adopted = plan_->adopt(workload, control);
    if (adopted) ++counts_->adopted;
    return adopted;
  }
  [[nodiscard]] std::int64_t scratchBytes() const override { return plan_->scratchBytes(); }
  [[nodiscard]] std::string description() const override { return plan_->description(); }

 private:
  RunReport noted(RunReport report) {
    ++counts_->runs;
    if (report.phases.upload > 0) ++counts_->uploads;
    return report;
  }

  std::unique_ptr<Plan> plan_;
  std::shared_ptr<PlanCounts> counts_;
};

[[nodiscard]] inline VariantTable counted(const VariantTable& variants, const std::shared_ptr<PlanCounts>& counts) {
  VariantTable table;
  for (Variant row : variants.rows()) {
    row.prepare = [prepare = row.prepare, counts](Engine& engine, const Workload& workload,
                                                  const PrepareOptions& options,
                                                  const Control& control) -> std::unique_ptr<Plan> {
      return std::make_unique<CountedPlan>(prepare(engine, workload, options, control), counts);
    };
    table.add(std::move(row));
  }
  return table;
}

}  // namespace sscope::test
