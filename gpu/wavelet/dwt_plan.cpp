#include "gpu/wavelet/dwt_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "core/base/ability.h"
#include "core/base/error.h"
#include "core/wavelet/polyphase.h"
#include "core/wavelet/resident_inverse.h"
#include "core/workload/workload_options.h"
#include "gpu/run/device_array.h"
#include "gpu/run/device_plan.h"

namespace sscope {

namespace {

using Extent = std::array<std::int64_t, 3>;

// An array on the device: rows and slices without gaps.
struct Place {
  Slot slot = kInput;
  std::int64_t row = 0, slice = 0;
};
Place placeOf(Slot slot, const Extent& extent) { return {slot, extent[0], extent[0] * extent[1]}; }

// One launch (or several short ones): one axis of one level.
struct Pass {
  std::size_t axis = 0;
  Extent extent{};   // of the level
  Extent corner{};   // of the averages, for split sources and targets
  Extent present{};  // of the source, where it is extended
  Place source, averagesIn, target, averagesOut;
  bool extended = false, splitSource = false, splitTarget = false;
};

std::string listOf(const std::vector<double>& taps, Precision precision) {
  std::string list;
  for (const double tap : taps) list += (list.empty() ? "" : ",") + kernelLiteral(tap, precision);
  return list;
}

// Rounded down where the kernel has no doubles: the same coefficients are larger than these.
std::vector<std::byte> bytesOfThresholds(const std::vector<double>& thresholds, Precision precision) {
  std::vector<float> floats;
  for (const double threshold : thresholds) {
    const auto rounded = static_cast<float>(std::min(threshold, double{std::numeric_limits<float>::max()}));
    floats.push_back(rounded > threshold ? std::nextafter(rounded, 0.0F) : rounded);
  }
  const auto bytes =
      precision == Precision::f64 ? std::as_bytes(std::span(thresholds)) : std::as_bytes(std::span(floats));
  return {bytes.begin(), bytes.end()};
}

// The array of a run that does not read it.
ConstArrayView shapeOnly(const ArraySpec& spec) {
  ConstArrayView view;
  view.type = spec.type;
  view.extent = spec.extent;
  return view;
}

// Sharing more loads is worth the registers where an element is large.
std::int64_t blockOf(const std::string& text, Precision precision) {
  if (text == "auto") return precision == Precision::f32 ? 4 : 16;
  return std::stoll(text);
}

class DwtDevicePlan final : public DevicePlan, public PartPlan, public ResidentInverse {
 public:
  DwtDevicePlan(DeviceEngine& engine, const DwtWorkload& workload, DwtRung rung, const PrepareOptions& options,
                const Control& control)
      : DevicePlan(engine, workload, options),
        workload_(workload),
        rung_(rung),
        phases_(polyphaseOf(workload.wavelet(), workload.forward())),
        block_(rung == DwtRung::Tuned ? blockOf(textOf(options.values, "block"), workload.precision()) : 1),
        group_(properties().cpu ? Grid{64, 1} : Grid{64, 4}) {
    while (group_.count() > properties().largestGroup && group_.y > 1) group_.y /= 2;
    askMemory();
    listPasses();
    for (const Pass& pass : passes_) stages_.push_back(stageOf(pass));
    compile(stages_, control);
    report_.variant = rung == DwtRung::Naive ? "naive" : "tuned";
    report_.launch = {{"group x", static_cast<double>(group_.x)}, {"group y", static_cast<double>(group_.y)}};
    report_.saturated = {0};
  }

  [[nodiscard]] void* findAbility(const std::type_info& ability) override {
    return abilityAmong<PartPlan, ResidentInverse>(ability, this);
  }

  RunReport runPart(const Inputs& inputs, const ArrayView& output, const PartPlanes& planes,
                    const Control& control) override {
    return computePart(inputs, output, planes, control);
  }

  [[nodiscard]] std::string description() const override {
    return report_.variant + ", " + std::to_string(passes_.size()) + " passes, groups of " + std::to_string(group_.x) +
           " x " + std::to_string(group_.y) +
           (rung_ == DwtRung::Tuned ? ", blocks of " + std::to_string(block_) + " pairs" : "");
  }

  [[nodiscard]] std::optional<ResidentRun> runThresholded(ResidentArray& coefficients, const BandThresholds& thresholds,
                                                          ThresholdMode mode, VolumePool& memory,
                                                          const Control& control) override;

 protected:
  void compute(DeviceRun& run) override;
  [[nodiscard]] std::optional<Slot> outputSlot(const Inputs& /*inputs*/) const override { return output_; }

 private:
  void askMemory() {
    const Pyramid& pyramid = workload_.pyramid();
    const auto askFor = [&](const Extent& n, const char* what) {
      return ask(n[0] * n[1] * n[2] * (workload_.precision() == Precision::f32 ? 4 : 8), what);
    };
    output_ = ask(workload_.outputs()[0].bytes(), "output");
    for (std::size_t i = 0; i + 1 < static_cast<std::size_t>(pyramid.dimensions()); ++i)
      between_[i] = askFor(pyramid.extent, "between passes");
    for (int i = 0; i + 1 < std::min(pyramid.levels, 3); ++i)
      averages_[static_cast<std::size_t>(i)] = askFor(pyramid.extentAt(i + 1), "averages");
    requireMemory("the transform needs", "choose a smaller shape or another engine");
  }

  // Of runThresholded(). Where the coefficients come from, and whether they were not there any more.
  struct Given {
    const DeviceArray* coefficients = nullptr;
    std::vector<std::byte> thresholds{};  // of the kernel
    bool soft = false, missed = false;
  };

  [[nodiscard]] Precision thresholdPrecision() const {
    return properties().fp64 ? Precision::f64 : workload_.precision();
  }
  void buildThreshold(const Control& control);
  // The coefficients after the threshold to kInput.
  void threshold(DeviceRun& run);
  void listPasses();
  [[nodiscard]] KernelSource sourceOf(const Pass& pass) const;
  [[nodiscard]] KernelStage stageOf(const Pass& pass) const;

  DwtWorkload workload_;
  DwtRung rung_;
  Polyphase phases_;
  std::int64_t block_;  // pairs a work item computes down its column
  Grid group_;
  Slot output_{};
  std::array<Slot, 2> between_{};   // the passes of a level
  std::array<Slot, 2> averages_{};  // of every second level
  std::vector<Pass> passes_;
  std::vector<KernelStage> stages_;  // of the passes
  KernelStage threshold_;            // built when it is first asked for
  OwnBuffer thresholds_;
  Given* given_ = nullptr;  // while runThresholded() runs
};

void DwtDevicePlan::buildThreshold(const Control& control) {
  const Pyramid& pyramid = workload_.pyramid();
  const Extent& n = pyramid.extent;
  const Precision precision = thresholdPrecision();
  threshold_.source = {"dwt_threshold", {}, precision, 1, group_};
  threshold_.source.define("ELEMENT", workload_.precision() == Precision::f32 ? "f32" : "f64");
  threshold_.source.define("AXES", std::int64_t{pyramid.axes[0]} + 2 * pyramid.axes[1] + 4 * pyramid.axes[2]);
  threshold_.columns = n[0];
  threshold_.rows = n[1] * n[2];
  threshold_.elementsPerRow = n[0];
  threshold_.operationsPerElement = 8;
  thresholds_ = device().allocate(8 * pyramid.levels * (precision == Precision::f32 ? 4 : 8));
  threshold_.arguments = {kNoBuffer,   kInput,      &thresholds_,          int32(n[0]),
                          int32(n[1]), int32(n[2]), int32(pyramid.levels), std::int32_t{0}};
  compile({&threshold_, 1}, control);
}

std::optional<ResidentRun> DwtDevicePlan::runThresholded(ResidentArray& coefficients, const BandThresholds& thresholds,
                                                         ThresholdMode mode, VolumePool& memory,
                                                         const Control& control) {
  Given given;
  given.coefficients = DeviceArray::of(coefficients);
  const ArraySpec spec = workload_.inputs()[0];
  if (given.coefficients == nullptr || phases_.forward) return {};
  if (coefficients.spec() != spec)
    throw Error(ErrorKind::Usage, "these are not the coefficients that the plan is for", "prepare it for their shape");
  const Pyramid& pyramid = workload_.pyramid();
  std::vector<double> table(8 * static_cast<std::size_t>(pyramid.levels), 0.0);
  for (int level = 1; level <= pyramid.levels; ++level)
    for (unsigned high = 1; high < 8; ++high)
      if (((high & 1U) == 0 || pyramid.axes[0]) && ((high & 2U) == 0 || pyramid.axes[1]) &&
          ((high & 4U) == 0 || pyramid.axes[2]))
        table[8 * static_cast<std::size_t>(level - 1) + high] = thresholds[pyramid.bandIndex(level, high)];
  given.thresholds = bytesOfThresholds(table, thresholdPrecision());
  given.soft = mode == ThresholdMode::Soft;
  if (!threshold_.kernel) buildThreshold(control);
  const ConstArrayView shape = shapeOnly(spec);
  const std::vector<ArraySpec> out = workload_.outputs();
  given_ = &given;
  const struct Ended {
    ~Ended() { plan.given_ = nullptr; }
    DwtDevicePlan& plan;
  } ended{*this};
  ResidentRun ran = runResident({{&shape, 1}, 0}, out, memory, control);
  if (given.missed) return {};
  return ran;
}

void DwtDevicePlan::threshold(DeviceRun& run) {
  threshold_.arguments.front() = given_->coefficients->bufferOn(engine_);
  threshold_.arguments.back() = std::int32_t{given_->soft ? 1 : 0};
  run.write(thresholds_, given_->thresholds);
  engine_.workspace().resident.reset();
  run.launch(threshold_);
}

void DwtDevicePlan::listPasses() {
  const Pyramid& pyramid = workload_.pyramid();
  const auto& given = workload_.input().extent;
  const Place input{kInput, given[0], given[0] * given[1]};
  const Place output = placeOf(output_, pyramid.extent);
  const auto averages = [&](int level) { return placeOf(averages_[level % 2 == 1 ? 0 : 1], pyramid.extentAt(level)); };
  const int last = pyramid.levels - 1;
  for (int step = 0; step < pyramid.levels; ++step) {
    const int level = phases_.forward ? step : last - step;
    std::size_t begin = passes_.size();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!pyramid.axes[axis]) continue;
      Pass pass;
      pass.axis = axis;
      pass.extent = pyramid.extentAt(level);
      pass.corner = pyramid.extentAt(level + 1);
      pass.present = {given[0], given[1], given[2]};
      const std::size_t done = passes_.size() - begin;
      if (done > 0) pass.source = passes_.back().target;
      pass.target = placeOf(between_[done == 0 ? 0 : 1], pass.extent);
      passes_.push_back(std::move(pass));
    }
    Pass &head = passes_[begin], &tail = passes_.back();
    if (phases_.forward) {
      head.source = level == 0 ? input : averages(level);
      head.extended = level == 0 && pyramid.extent != head.present;
      tail.target = output;
      tail.splitTarget = level < last;
      tail.averagesOut = averages(level + 1);
    } else {
      head.source = input;
      head.splitSource = level < last;
      head.averagesIn = averages(level + 1);
      tail.target = level == 0 ? output : averages(level);
    }
  }
}

KernelSource DwtDevicePlan::sourceOf(const Pass& pass) const {
  const Precision precision = workload_.precision();
  const char* entry = rung_ == DwtRung::Naive ? "dwt_naive" : pass.axis == 0 ? "dwt_rows" : "dwt_columns";
  KernelSource source{entry, {"dwt_common.h"}, precision, 1, group_};
  source.define("AXIS", static_cast<std::int64_t>(pass.axis));
  source.define("FORWARD", phases_.forward ? 1 : 0);
  source.define("TERMS", phases_.terms);
  source.define("OFFSET", phases_.offset);
  source.define("PHASE", phases_.phase);
  source.define("TAPS_U", listOf(phases_.u, precision));
  source.define("TAPS_V", listOf(phases_.v, precision));
  source.define("EXTENDED", pass.extended ? 1 : 0);
  source.define("SPLIT_SOURCE", pass.splitSource ? 1 : 0);
  source.define("SPLIT_TARGET", pass.splitTarget ? 1 : 0);
  source.define("BLOCK", block_);
  return source;
}

KernelStage DwtDevicePlan::stageOf(const Pass& pass) const {
  const Extent& n = pass.extent;
  const std::int64_t pairs = n[pass.axis] / 2;
  const bool columns = rung_ == DwtRung::Tuned && pass.axis > 0;
  const std::int64_t along = columns ? (pairs + block_ - 1) / block_ : pairs;
  const auto buffer = [&](const Place& place, bool used) {
    return used ? StageArgument(place.slot) : StageArgument(kNoBuffer);
  };
  KernelStage stage;
  stage.source = sourceOf(pass);
  stage.columns = pass.axis == 0 ? pairs : n[0];
  stage.rows = pass.axis == 0 ? n[1] * n[2] : along * n[3 - pass.axis];
  stage.elementsPerRow = n[0] * (columns ? 2 * block_ : pass.axis == 0 ? 1 : 2);
  stage.operationsPerElement = 4.0 * static_cast<double>(phases_.terms);
  stage.arguments = {buffer(pass.source, true),
                     buffer(pass.averagesIn, pass.splitSource),
                     buffer(pass.target, true),
                     buffer(pass.averagesOut, pass.splitTarget),
                     pass.source.row,
                     pass.source.slice,
                     pass.averagesIn.row,
                     pass.averagesIn.slice,
                     pass.target.row,
                     pass.target.slice,
                     pass.averagesOut.row,
                     pass.averagesOut.slice,
                     int32(n[0]),
                     int32(n[1]),
                     int32(n[2]),
                     int32(pass.corner[0]),
                     int32(pass.corner[1]),
                     int32(pass.corner[2]),
                     int32(pass.present[0]),
                     int32(pass.present[1]),
                     int32(pass.present[2])};
  return stage;
}

void DwtDevicePlan::compute(DeviceRun& run) {
  if (given_ == nullptr) {
    run.upload();
  } else if (given_->coefficients->bufferOn(engine_) != nullptr) {
    threshold(run);
  } else {
    given_->missed = true;
    return;
  }
  if (run.keeps()) run.leaveIn(output_, 0);
  const auto elements = [](const Pass& pass) {
    return static_cast<double>(pass.extent[0] * pass.extent[1] * pass.extent[2]);
  };
  double done = 0, all = 0;
  for (const Pass& pass : passes_) all += elements(pass);
  for (std::size_t i = 0; i < passes_.size(); ++i) {
    const double before = done;
    done += elements(passes_[i]) / all;
    run.launch(stages_[i], &Phases::kernel, run.part(0.9 * before, 0.9 * done, "transforming"));
  }
  if (!run.keeps()) run.download(output_, 0);
}

}  // namespace

std::unique_ptr<Plan> makeDwtPlan(DeviceEngine& engine, const DwtWorkload& workload, DwtRung rung,
                                  const PrepareOptions& options, const Control& control) {
  return std::make_unique<DwtDevicePlan>(engine, workload, rung, options, control);
}

}  // namespace sscope
