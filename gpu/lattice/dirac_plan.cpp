#include "gpu/lattice/dirac_plan.h"

#include <algorithm>
#include <array>
#include <utility>

#include "gpu/run/device_plan.h"

namespace sscope {

namespace {

PhaseOfRun phaseOf(DiracPhase phase) {
  return phase == DiracPhase::Upload   ? &Phases::upload
         : phase == DiracPhase::Kernel ? &Phases::kernel
                                       : &Phases::download;
}

class DiracPlan final : public DevicePlan {
 public:
  DiracPlan(DeviceEngine& engine, const DiracWorkload& workload, DiracDesign design, const PrepareOptions& options,
            const Control& control)
      : DevicePlan(engine, workload, options), design_(std::move(design)) {
    report_.variant = design_.variant;
    const lattice::Lattice& lattice = workload.field().lattice();
    const std::vector<std::byte> links = bytesOf(orderedLinks(workload, design_.links), design_.stored);
    std::vector<std::int32_t> neighbors;
    if (design_.neighborTable) neighbors = neighborTable(lattice);
    const auto table = std::as_bytes(std::span(neighbors));
    for (const DiracStep& step : design_.steps) requireGroup(step.source.group);
    askMemory(workload, static_cast<std::int64_t>(links.size() + table.size()));
    for (const DiracStep& step : design_.steps) stages_.push_back(stageOf(step, lattice));
    compile(stages_, control);
    links_ = stored(links, control);
    if (!table.empty()) neighbors_ = stored(table, control);
    if (design_.stored == Precision::f32) report_.bytes /= 2;
    report_.executedOperations = design_.executedPerSite * static_cast<double>(lattice.volume());
    // Of the step that computes, the last one where there are several.
    std::size_t main = 0;
    for (std::size_t i = 0; i < design_.steps.size(); ++i)
      if (design_.steps[i].phase == DiracPhase::Kernel) main = i;
    report_.launch["group"] = static_cast<double>(stages_[main].source.group.count());
    describe(stages_[main]);
  }

  [[nodiscard]] std::string description() const override { return design_.description; }

 protected:
  void compute(DeviceRun& run) override {
    run.upload();
    const double share = 0.9 / static_cast<double>(stages_.size());
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      const double done = share * static_cast<double>(i);
      run.launch(stages_[i], phaseOf(design_.steps[i].phase), run.part(done, done + share, "computing"));
    }
    run.download(slotOf(DiracArray::Output), 0);
  }

 private:
  [[nodiscard]] Slot slotOf(DiracArray array) const { return places_[static_cast<std::size_t>(array)]; }

  // Slots for what the steps use, `own` bytes for links and neighbors.
  void askMemory(const DiracWorkload& workload, std::int64_t own) {
    const std::int64_t site = kSpinorComponents * static_cast<std::int64_t>(sizeof(double));
    const std::int64_t field = workload.inputs()[0].bytes() + design_.sitesBeyond * site;
    askInput(field);
    for (const DiracArray array : {DiracArray::Output, DiracArray::First, DiracArray::Second})
      if (std::any_of(design_.steps.begin(), design_.steps.end(),
                      [&](const DiracStep& step) { return step.from == array || step.to == array; }))
        places_[static_cast<std::size_t>(array)] = ask(field, array == DiracArray::Output ? "output" : "between steps");
    askOwn(own, own);
    requireMemory(design_.variant + " needs", "choose a smaller lattice");
  }

  [[nodiscard]] KernelStage stageOf(const DiracStep& step, const lattice::Lattice& lattice) const {
    return {step.source,
            step.columns,
            lattice.extent(3),
            lattice.spatialVolume(),
            step.operationsPerSite,
            {kInput, slotOf(step.from), slotOf(step.to), &links_, &neighbors_, step.direction}};
  }

  DiracDesign design_;
  std::array<Slot, 4> places_{};  // by DiracArray; kInput is the input's
  OwnBuffer links_, neighbors_;
  std::vector<KernelStage> stages_;  // of the steps
};

}  // namespace

std::unique_ptr<Plan> makeDiracPlan(DeviceEngine& engine, const DiracWorkload& workload, DiracDesign design,
                                    const PrepareOptions& options, const Control& control) {
  return std::make_unique<DiracPlan>(engine, workload, std::move(design), options, control);
}

}  // namespace sscope
