#include "gpu/wavelet/magic_plan.h"

#include "core/base/ability.h"
#include "gpu/run/device_plan.h"

namespace sscope {

namespace {

class MagicPlan final : public DevicePlan, public PartPlan {
 public:
  MagicPlan(DeviceEngine& engine, const MagicWorkload& workload, MagicDesign design, const PrepareOptions& options,
            const Control& control)
      : DevicePlan(engine, workload, options), design_(std::move(design)) {
    std::vector<KernelStage>& steps = design_.steps;
    // The input stays, results take turns in two other slots so that the last one is the output.
    output_ = ask(workload.input().bytes(), "output");
    const Slot other = steps.size() > 1 ? ask(workload.input().bytes(), "between passes") : output_;
    requireMemory(design_.variant + " needs", "choose a smaller shape");
    Slot from = kInput;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Slot to = (steps.size() - 1 - i) % 2 == 0 ? output_ : other;
      steps[i].arguments.insert(steps[i].arguments.begin(), {from, to});
      from = to;
    }
    compile(steps, control);
    report_.variant = design_.variant;
    report_.executedOperations = design_.executedOperations;
    report_.launch = design_.launch;
    report_.launch["group x"] = static_cast<double>(steps.back().source.group[0]);
    report_.launch["group y"] = static_cast<double>(steps.back().source.group[1]);
    describe(steps.back());
  }

  RunReport runPart(const Inputs& inputs, const ArrayView& output, const PartPlanes& planes,
                    const Control& control) override {
    return computePart(inputs, output, planes, control);
  }

  [[nodiscard]] void* findAbility(const std::type_info& ability) override {
    return abilityAmong<PartPlan>(ability, this);
  }

  [[nodiscard]] std::string description() const override { return design_.description; }

 protected:
  void compute(DeviceRun& run) override {
    run.upload();
    if (!run.launchInRow(design_.steps)) {
      const double share = 0.9 / static_cast<double>(design_.steps.size());
      double done = 0;
      for (const KernelStage& step : design_.steps) {
        run.launch(step, &Phases::kernel, run.part(done, done + share, "computing"));
        done += share;
      }
    }
    run.download(output_, 0);
  }

 private:
  MagicDesign design_;
  Slot output_{};
};

}  // namespace

std::unique_ptr<Plan> makeMagicPlan(DeviceEngine& engine, const MagicWorkload& workload, MagicDesign design,
                                    const PrepareOptions& options, const Control& control) {
  return std::make_unique<MagicPlan>(engine, workload, std::move(design), options, control);
}

}  // namespace sscope
