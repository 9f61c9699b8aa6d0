#include "gpu/filter/ladder_plan.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/engine/plan_arrays.h"
#include "gpu/device/split_launch.h"
#include "gpu/device/wait.h"
#include "gpu/filter/context.h"
#include "gpu/run/device_limits.h"
#include "gpu/run/sizes.h"
#include "gpu/run/whole_input.h"

namespace sscope {

namespace {

constexpr auto kLargestFloat = static_cast<double>(std::numeric_limits<float>::max());

bool holds(ElementType type, double value) {
  return value == std::floor(value) && value >= lowestOf(type) && value <= highestOf(type);
}

// Of the padded input that the rungs read: the input's, or f32 where a constant outside is no number of the input's.
ElementType paddedTypeOf(const FilterWorkload& workload) {
  const ElementType type = workload.input().type;
  const bool fits = workload.boundary() != Boundary::constant || !isInteger(type) || holds(type, workload.constant());
  return fits ? type : ElementType::f32;
}

// Whether float32 holds every element of a type.
bool exactInFloat(ElementType type) { return type == ElementType::f32 || (isInteger(type) && bytesOf(type) <= 2); }

class LadderPlan : public Plan {
 public:
  LadderPlan(DeviceEngine& engine, const FilterWorkload& workload, LadderDesign design, const PrepareOptions& options,
             const Control& control)
      : engine_(engine),
        workload_(workload),
        design_(std::move(design)),
        style_(launchStyle(engine.device().properties(), Precision::f32)),
        budget_(engine.budget(options.deviceMemoryLimit)) {
    checkGroup();
    checkMemory();
    if (design_.image) {
      image_ = device().allocateImage(workload_.input().type, padded(0), padded(1));
      idleImage_ = device().allocateImage(workload_.input().type, 1, 1);
    }
    const Stopwatch watch;
    auto rung = programs().start(design_.source, rungArguments(false), idleImage_);
    ProgramCache::Pending pad;
    if (!design_.image) pad = programs().start(padSource(), padArguments(false));
    if (unpacks()) unpack_ = ProgramCache::wait(programs().start(unpackSource(), unpackArguments(false, 0)), control);
    if (!design_.image) pad_ = ProgramCache::wait(pad, control);
    rung_ = ProgramCache::wait(rung, control);
    compileSeconds_ = watch.seconds();
    for (std::size_t axis = 0; axis < 3; ++axis) places_[axis] = makeTable(device(), places(axis), control);
    if (!design_.taps.empty()) taps_ = makeTaps(device(), design_.taps, design_.source.precision, control);
    if (counts()) saturated_ = device().allocate(design_.channels * static_cast<std::int64_t>(sizeof(std::uint64_t)));
  }

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override;

  [[nodiscard]] std::int64_t scratchBytes() const override {
    const SlotBytes bytes = slotBytes();
    // A processor's device memory is this machine's memory.
    return device().properties().cpu ? std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0}) : 0;
  }

  [[nodiscard]] std::string description() const override {
    const auto& group = design_.source.group;
    std::string text = design_.variant + ", groups of " + std::to_string(group[0]) + " x " + std::to_string(group[1]);
    for (const auto& [name, value] : design_.launch) text += ", " + name + " " + std::to_string(std::lround(value));
    return text;
  }

 private:
  [[nodiscard]] Device& device() const { return engine_.device(); }
  [[nodiscard]] ProgramCache& programs() const { return engine_.programs(); }
  [[nodiscard]] const DeviceBuffer* slot(Slot slot) const { return &engine_.workspace().at(slot); }
  [[nodiscard]] const std::array<std::int64_t, 4>& extent() const { return workload_.input().extent; }
  [[nodiscard]] const DenseTaps& box() const { return workload_.stencil(0).dense; }
  [[nodiscard]] bool counts() const { return isInteger(workload_.outputType()) && !design_.taps.empty(); }
  [[nodiscard]] bool unpacks() const { return design_.channels > 1 || design_.outPitch != extent()[0]; }

  // The padded input.
  [[nodiscard]] std::int64_t padded(std::size_t axis) const {
    return design_.before[axis] + extent()[axis] + box().size[axis] - 1 + design_.after[axis];
  }
  [[nodiscard]] std::int64_t pitch() const { return roundUp(padded(0), design_.pitchMultiple) + design_.pitchOffset; }
  [[nodiscard]] std::int64_t rows() const { return extent()[1] * extent()[2]; }

  [[nodiscard]] std::vector<std::int32_t> places(std::size_t axis) const {
    return placesOf({-design_.before[axis], extent()[axis] + design_.after[axis]}, box().size[axis], box().anchor[axis],
                    extent()[axis], workload_.boundary(), 0);
  }

  void checkGroup() const {
    const auto& group = design_.source.group;
    const std::int64_t items = group[0] * group[1], largest = device().properties().largestGroup;
    if (items > largest)
      throw Error(ErrorKind::Unsupported,
                  design_.variant + " cannot run groups of " + std::to_string(group[0]) + " x " +
                      std::to_string(group[1]) + " on " + engine_.info().id,
                  "at most " + std::to_string(largest) + " work items make a group there");
  }

  [[nodiscard]] SlotBytes slotBytes() const {
    const auto in = static_cast<std::int64_t>(bytesOf(paddedTypeOf(workload_)));
    const auto out = static_cast<std::int64_t>(bytesOf(workload_.outputType()));
    SlotBytes bytes{};
    const auto at = [&](Slot slot) -> std::int64_t& { return bytes[static_cast<std::size_t>(slot)]; };
    if (!design_.image) {
      at(Slot::Input) = workload_.input().bytes() + kSlackBytes;
      at(Slot::Gathered) = pitch() * padded(1) * padded(2) * in + kSlackBytes;
    }
    at(Slot::Output) = design_.outPitch * (rows() + design_.outRowsAfter) * design_.channels * out + kSlackBytes;
    if (unpacks()) at(Slot::Sum) = extent()[0] * rows() * out + kSlackBytes;
    return bytes;
  }

  void checkMemory() const {
    const SlotBytes bytes = slotBytes();
    const std::int64_t picture =
        design_.image ? padded(0) * padded(1) * static_cast<std::int64_t>(bytesOf(workload_.input().type)) : 0;
    const std::int64_t total = std::accumulate(bytes.begin(), bytes.end(), picture);
    const std::int64_t largest = *std::max_element(bytes.begin(), bytes.end());
    const std::int64_t allowed = device().properties().largestAllocation;
    if (total <= budget_ && largest <= allowed) return;
    const auto megabytes = [](std::int64_t n) { return std::to_string((n + (1 << 20) - 1) >> 20) + " MiB"; };
    throw Error(ErrorKind::Memory,
                design_.variant + " needs " + megabytes(total) + " on " + engine_.info().id + ", " +
                    megabytes(largest) + " of them in one piece; " + megabytes(budget_) + " and " + megabytes(allowed) +
                    " are there",
                "choose a smaller shape or fewer filters");
  }

  [[nodiscard]] KernelSource padSource() const {
    KernelSource source{"ladder_pad", {}, Precision::f32, 1, style_.group};
    source.define("IN", std::string(toString(workload_.input().type)));
    source.define("PADDED", std::string(toString(paddedTypeOf(workload_))));
    return source;
  }
  [[nodiscard]] KernelSource unpackSource() const {
    KernelSource source{"ladder_unpack", {}, Precision::f32, 1, style_.group};
    source.define("OUT", std::string(toString(workload_.outputType())));
    return source;
  }

  // The arguments of a run; otherwise those of a launch that does nothing.
  [[nodiscard]] std::vector<KernelArgument> padArguments(bool real) const {
    std::vector<KernelArgument> arguments{real ? slot(Slot::Input) : kNoBuffer,
                                          real ? slot(Slot::Gathered) : kNoBuffer,
                                          places_[0].get(),
                                          places_[1].get(),
                                          places_[2].get(),
                                          static_cast<float>(workload_.constant()),
                                          int32(extent()[0]),
                                          int32(extent()[1]),
                                          int32(padded(0)),
                                          int32(pitch()),
                                          int32(padded(1))};
    return complete(std::move(arguments), real);
  }
  [[nodiscard]] std::vector<KernelArgument> rungArguments(bool real) const {
    KernelArgument input = real && !design_.image ? slot(Slot::Gathered) : kNoBuffer;
    if (design_.image) input = real ? image_.get() : idleImage_.get();
    std::vector<KernelArgument> arguments{input,
                                          real ? slot(Slot::Output) : kNoBuffer,
                                          taps_.get(),
                                          saturated_.get(),
                                          int32(pitch()),
                                          int32(pitch() * padded(1)),
                                          int32(design_.outPitch),
                                          int32(extent()[0]),
                                          int32(extent()[1]),
                                          std::int32_t{0}};
    return complete(std::move(arguments), real);
  }
  [[nodiscard]] std::vector<KernelArgument> unpackArguments(bool real, std::size_t channel) const {
    std::vector<KernelArgument> arguments{real ? slot(Slot::Output) : kNoBuffer,
                                          real ? slot(Slot::Sum) : kNoBuffer,
                                          int32(design_.outPitch),
                                          int32(extent()[0]),
                                          int32(design_.channels),
                                          static_cast<std::int32_t>(channel)};
    return complete(std::move(arguments), real);
  }
  // The first row and their number follow in real launches, see SplitLaunch.
  static std::vector<KernelArgument> complete(std::vector<KernelArgument> arguments, bool real) {
    if (!real) arguments.insert(arguments.end(), 2, std::int32_t{0});
    return arguments;
  }

  void uploadImage(const ConstArrayView& input, const Control& control);
  void upload(const Inputs& inputs, RunReport& report, const Control& control);
  void compute(RunReport& report, const Control& control);
  void download(std::span<const ArrayView> outputs, RunReport& report, const Control& control);

  DeviceEngine& engine_;
  FilterWorkload workload_;
  LadderDesign design_;
  LaunchStyle style_;  // of the kernels around the rung
  std::int64_t budget_;
  std::shared_ptr<CompiledKernel> pad_, rung_, unpack_;
  std::array<std::unique_ptr<DeviceBuffer>, 3> places_;
  std::unique_ptr<DeviceBuffer> taps_, saturated_;
  std::unique_ptr<DeviceImage> image_;
  std::shared_ptr<DeviceImage> idleImage_;  // for the launch that only builds
  double compileSeconds_ = 0;               // until it was reported
};

// Pictures are written whole and cannot be written by kernels, so the host pads.
void LadderPlan::uploadImage(const ConstArrayView& input, const Control& control) {
  const std::vector<std::int32_t> columns = places(0), lines = places(1);
  const auto size = static_cast<std::int64_t>(bytesOf(input.type));
  std::vector<std::byte> picture(columns.size() * lines.size() * static_cast<std::size_t>(size));
  std::byte* to = picture.data();
  const auto outside = static_cast<std::uint8_t>(workload_.constant());  // 0..255 here, see ladderUnsupported
  for (const std::int32_t y : lines) {
    control.check();
    for (const std::int32_t x : columns) {
      if (x < 0 || y < 0) {
        std::memcpy(to, &outside, sizeof outside);
      } else {
        std::memcpy(to, input.data + input.offset(x, y, 0) * size, static_cast<std::size_t>(size));
      }
      to += size;
    }
  }
  waitFor(*device().write(*image_, picture), control);
}

void LadderPlan::upload(const Inputs& inputs, RunReport& report, const Control& control) {
  const Stopwatch watch;
  if (design_.image) {
    uploadImage(inputs.arrays[0], control);
    report.phases.upload = watch.seconds();
    return;
  }
  (void)uploadWholeInput(engine_, inputs, workload_.input(), control);
  const SplitLaunch pad{pad_.get(), style_.group, padded(0), padded(1) * padded(2), padded(0), 4, padArguments(true)};
  (void)runSplit(device(), pad, control, [](double) {});
  report.phases.upload = watch.seconds();
}

void LadderPlan::compute(RunReport& report, const Control& control) {
  std::vector<std::uint64_t> lost(static_cast<std::size_t>(design_.channels), 0);
  const auto bytes = std::as_writable_bytes(std::span(lost));
  if (counts()) waitFor(*device().write(*saturated_, 0, bytes), control);
  const SplitLaunch rung{rung_.get(),
                         design_.source.group,
                         design_.columns,
                         design_.rows,
                         std::max<std::int64_t>(1, extent()[0] * rows() / design_.rows),
                         2.0 * static_cast<double>(box().count() * design_.channels),
                         rungArguments(true),
                         design_.source.localBytes};
  report.phases.kernel =
      runSplit(device(), rung, control, [&](double share) { control.report(0.9 * share, "computing"); });
  if (!counts()) return;
  waitFor(*device().read(*saturated_, 0, bytes), control);
  report.saturated.assign(lost.begin(), lost.end());
}

void LadderPlan::download(std::span<const ArrayView> outputs, RunReport& report, const Control& control) {
  const Stopwatch watch;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (unpacks()) {
      const SplitLaunch unpack{unpack_.get(),           style_.group, extent()[0], rows(), extent()[0], 4,
                               unpackArguments(true, i)};
      (void)runSplit(device(), unpack, control, [](double) {});
    }
    engine_.transfer().downloadSlices(*slot(unpacks() ? Slot::Sum : Slot::Output), outputs[i], 0, extent()[2], control);
    control.report(0.9 + 0.1 * static_cast<double>(i + 1) / static_cast<double>(outputs.size()), "reading back");
  }
  report.phases.download = watch.seconds();
}

RunReport LadderPlan::run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) {
  const Stopwatch watch;
  requireArrays(workload_, inputs, outputs);
  control.check();
  RunReport report;
  report.engine = engine_.info().id;
  report.variant = design_.variant;
  report.writtenOut = true;
  const Work work = workload_.workAs(true);
  report.operations = work.operations;
  report.bytes = work.bytes;
  report.launch = design_.launch;
  report.launch["group x"] = static_cast<double>(design_.source.group[0]);
  report.launch["group y"] = static_cast<double>(design_.source.group[1]);
  const KernelAttributes taken = rung_->kernel->attributes();
  if (taken.registers > 0) report.launch["registers"] = taken.registers;
  if (taken.privateBytes > 0) report.launch["private bytes"] = static_cast<double>(taken.privateBytes);
  const std::int64_t local = taken.localBytes + design_.source.localBytes;
  report.launch["local bytes"] = static_cast<double>(local);
  if (const double occupancy = expectedOccupancy(device().properties(), design_.source.group.count(), taken, local);
      occupancy > 0)
    report.launch["occupancy"] = occupancy;
  report.saturated.assign(outputs.size(), 0);
  const auto lock = engine_.lock(control);
  engine_.workspace().require(slotBytes(), budget_);
  upload(inputs, report, control);
  compute(report, control);
  download(outputs, report, control);
  report.phases.compile = std::exchange(compileSeconds_, 0.0);
  report.phases.total = watch.seconds();
  return report;
}

}  // namespace

void defineLadder(LadderDesign& design, const FilterWorkload& workload) {
  KernelSource& source = design.source;
  defineStore(source, workload.outputType(), false, false);
  const DenseTaps& box = workload.stencil(0).dense;
  source.define("IN", std::string(toString(paddedTypeOf(workload))));
  source.define("SIZE_X", box.size[0]);
  source.define("SIZE_Y", box.size[1]);
  source.define("SIZE_Z", box.size[2]);
  source.define("CHANNELS", design.channels);
  source.define("ORIGIN_X", design.before[0]);
  source.define("ORIGIN_Y", design.before[1]);
}

std::unique_ptr<Plan> makeLadderPlan(DeviceEngine& engine, const FilterWorkload& workload, LadderDesign design,
                                     const PrepareOptions& options, const Control& control) {
  return std::make_unique<LadderPlan>(engine, workload, std::move(design), options, control);
}

std::string ladderUnsupported(const EngineInfo& engine, const FilterWorkload& workload) {
  if (workload.precision() == Precision::f64 && !engine.fp64)
    return "this device has no double precision, which rounding to integers exactly needs";
  const ArraySpec& input = workload.input();
  if (input.type == ElementType::f64 || workload.outputType() == ElementType::f64)
    return "the ladders compute on elements of at most 32 bits";
  const auto [nx, ny, nz, nc] = input.extent;
  if (nc != 1) return "the ladders compute on one component";
  constexpr std::int64_t kMargin = 640;  // taps, blocks of outputs beyond the image, ends of rows
  constexpr std::int64_t kLimit = std::numeric_limits<std::int32_t>::max();
  const auto filters = static_cast<std::int64_t>(workload.operators().size());
  const std::int64_t rows = (nx + kMargin) * (ny + kMargin);
  if (nx >= kLimit / 4 || ny >= kLimit / 4 || nz >= kLimit / 4 || rows > kLimit / (nz > 1 ? nz + 16 : 1) ||
      (nx + kMargin) * ny > kLimit / nz / filters)
    return "the papers' kernels count elements in 32 bits, and this has too many";
  if (!exactInFloat(input.type) && paddedTypeOf(workload) != input.type)
    return "the constant outside is no " + std::string(toString(input.type));
  // It reaches the device as float32, which suffices where the arithmetic is of that precision.
  if (const double outside = workload.constant();
      workload.boundary() == Boundary::constant && workload.precision() == Precision::f64 && std::isfinite(outside) &&
      !(std::abs(outside) <= kLargestFloat && outside == static_cast<double>(static_cast<float>(outside))))
    return "the constant outside is no float32, and sums in double precision need it exactly";
  return {};
}

}  // namespace sscope
