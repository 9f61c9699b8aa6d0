#include "gpu/filter/formula_plan.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/filter/formula/composed_formula.h"
#include "core/filter/formula/formula_program.h"
#include "gpu/filter/context.h"
#include "gpu/filter/formula_text.h"
#include "gpu/run/device_plan.h"

namespace sscope {

namespace {

// What cannot be zero bytes long.
constexpr std::size_t kLeastNumbers = 1;

class FormulaDevicePlan final : public DevicePlan {
 public:
  FormulaDevicePlan(DeviceEngine& engine, const FormulaWorkload& workload, const PrepareOptions& options,
                    const Control& control)
      : DevicePlan(engine, workload, options),
        workload_(workload),
        program_(compileFormula(workload.formula())),
        text_(formulaText(workload, program_, uniforms())),
        group_(properties().cpu ? Grid{64, 1} : Grid{64, 4}) {
    while (group_.count() > properties().largestGroup && group_.y > 1) group_.y /= 2;
    for (std::size_t i = 0; i < workload.setting().inputs.size(); ++i)
      inputs_.push_back(i == 0 ? kInput
                               : ask(workload.setting().inputs[i].spec.bytes(), "input " + std::to_string(i + 1)));
    output_ = ask(workload.outputs()[0].bytes(), "output");
    requireMemory("the formula needs", "choose a smaller region or another engine");
    describeStage();
    compile({&stage_, 1}, control);
    places_ = stored(std::as_bytes(std::span(placeTable_)), control);
    putNumbers(control);
    if (isInteger(workload.setting().output)) saturated_ = device().allocate(sizeof(std::uint64_t));
    report_.variant = "kernel";
    report_.launch = {{"group x", static_cast<double>(group_.x)}, {"group y", static_cast<double>(group_.y)}};
    describeRegisters(stage_);
  }

  bool adopt(const Workload& workload, const Control& control) override {
    const auto* next = workloadIf<FormulaWorkload>(workload);
    if (next == nullptr || !workload_.sameShape(*next)) return false;
    workload_ = *next;
    putNumbers(control);
    return true;
  }

  [[nodiscard]] std::string description() const override {
    return "one kernel of " + std::to_string(program_.steps.size()) + " steps";
  }

 protected:
  void compute(DeviceRun& run) override {
    if (!inputs_.empty()) run.upload();
    for (std::size_t i = 1; i < inputs_.size(); ++i) {
      if (run.lent(i)) continue;
      run.timed(&Phases::upload, [&] {
        const ConstArrayView& array = run.inputs.arrays[i];
        std::vector<std::int64_t> slices(static_cast<std::size_t>(array.extent[2]));
        std::iota(slices.begin(), slices.end(), 0);
        run.engine.transfer().uploadSlices(array, slices, run.engine.workspace().at(inputs_[i]), run.control);
      });
    }
    if (run.keeps()) run.leaveIn(output_, 0);
    run.report.saturated =
        run.counted(saturated_, 1, [&] { run.launch(stage_, &Phases::kernel, run.part(0, 0.9, "computing")); });
    if (!run.keeps()) run.download(output_, 0);
  }

  [[nodiscard]] std::optional<Slot> outputSlot(const Inputs& /*inputs*/) const override { return output_; }
  [[nodiscard]] std::optional<Slot> inputSlot(std::size_t input) const override {
    return input < inputs_.size() ? std::optional(inputs_[input]) : std::nullopt;
  }

 private:
  [[nodiscard]] std::vector<double> uniforms() const {
    const FormulaSetting& setting = workload_.setting();
    return uniformValues(program_, workload_.formula(), {{}, setting.volume, setting.spacing});
  }

  void putNumbers(const Control& control) {
    const std::vector<double> all = uniforms();
    std::vector<double> numbers;
    for (const std::size_t uniform : text_.numbers) numbers.push_back(all[uniform]);
    numbers.push_back(workload_.setting().constant);
    numbers.resize(std::max(numbers.size(), kLeastNumbers));
    numbers_ = stored(bytesOfTaps(numbers, workload_.precision()), control);
  }

  // Begins a table of the indices of an input along an axis; gives its first place.
  std::int32_t putPlaces(std::size_t input, std::size_t axis) {
    const FormulaSetting& setting = workload_.setting();
    const FormulaReach& reach = workload_.formula().reach(input);
    const auto begin = static_cast<std::int32_t>(placeTable_.size());
    for (std::int64_t i = setting.region.begin[axis] + reach.low[axis]; i < setting.region.end[axis] + reach.high[axis];
         ++i) {
      const std::int64_t at = boundaryIndex(i, setting.volume[axis], setting.boundary);
      placeTable_.push_back(at < 0 ? -1 : static_cast<std::int32_t>(at - setting.inputs[input].box.begin[axis]));
    }
    return begin;
  }

  void describeStage() {
    const FormulaSetting& setting = workload_.setting();
    const Box& region = setting.region;
    const std::int64_t length = region.size(0) * workload_.components();
    stage_.source = {"formula_rows", {}, workload_.precision(), 1, group_};
    defineStore(stage_.source, setting.output, false, false);
    stage_.source.extra.emplace_back("formula_functions.h");
    stage_.source.define("WIDE", workload_.precision() == Precision::f64 ? 1 : 0);
    stage_.source.text = text_.text;
    stage_.columns = length;
    stage_.rows = region.size(1) * region.size(2);
    stage_.elementsPerRow = length;
    stage_.operationsPerElement = std::max(workload_.formula().operations(), 4.0);
    for (const Slot slot : inputs_) stage_.arguments.emplace_back(slot);
    stage_.arguments.insert(
        stage_.arguments.end(),
        {output_, &places_, &numbers_, &saturated_, int32(length), int32(region.size(1)), int32(workload_.components()),
         int32(region.begin[0]), int32(region.begin[1]), int32(region.begin[2])});
    for (std::size_t i = 0; i < setting.inputs.size(); ++i) {
      const auto& [nx, ny, nz, nc] = setting.inputs[i].spec.extent;
      for (std::size_t a = 0; a < 3; ++a) stage_.arguments.emplace_back(putPlaces(i, a));
      stage_.arguments.insert(stage_.arguments.end(), {int32(nc), nx * nc, nx * ny * nc});
    }
    if (placeTable_.empty()) placeTable_.push_back(0);
  }

  FormulaWorkload workload_;
  FormulaProgram program_;
  FormulaText text_;
  Grid group_;
  std::vector<Slot> inputs_;
  Slot output_{};
  std::vector<std::int32_t> placeTable_;
  OwnBuffer places_, numbers_, saturated_;
  KernelStage stage_;
};

}  // namespace

std::string formulaRestriction(const FormulaWorkload& workload) {
  const FormulaSetting& setting = workload.setting();
  if (setting.inputs.size() > kMostFormulaInputs)
    return "it reads " + std::to_string(setting.inputs.size()) + " inputs; more than " +
           std::to_string(kMostFormulaInputs) + " are not passed to a kernel";
  const std::size_t steps = compileFormula(workload.formula()).steps.size();
  if (steps > kMostFormulaSteps)
    return "the formula has " + std::to_string(steps) + " steps; more than " + std::to_string(kMostFormulaSteps) +
           " are not compiled into a kernel";
  constexpr std::int64_t kLimit = std::numeric_limits<std::int32_t>::max() / 4;
  const Box& region = setting.region;
  if (region.size(0) * workload.components() > kLimit || region.size(1) > kLimit / region.size(2))
    return "its kernel counts rows and their values in 32 bits, and this has too many";
  return {};
}

std::unique_ptr<Plan> makeFormulaPlan(DeviceEngine& engine, const FormulaWorkload& workload,
                                      const PrepareOptions& options, const Control& control) {
  return std::make_unique<FormulaDevicePlan>(engine, workload, options, control);
}

}  // namespace sscope
