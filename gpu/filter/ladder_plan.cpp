#include "gpu/filter/ladder_plan.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "gpu/device/device.h"
#include "gpu/filter/context.h"
#include "gpu/run/device_plan.h"
#include "gpu/run/launch_sizes.h"

namespace sscope {

LadderInput::LadderInput(const FilterWorkload& workload)
    : input_(workload.input()),
      boundary_(workload.boundary()),
      region_(workload.region()),
      size_(workload.stencil(0).dense.size),
      anchor_(workload.stencil(0).dense.anchor),
      place_(static_cast<std::size_t>(input_.extent[2]), -1) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    part_ = part_ || region_.size(static_cast<int>(axis)) < input_.extent[axis];
  std::vector<bool> needed(place_.size(), !part_);
  if (part_) markSlices({region_.begin[2], region_.end[2]}, size_[2], anchor_[2], boundary_, needed);
  for (std::size_t z = 0; z < needed.size(); ++z) {
    if (!needed[z]) continue;
    place_[z] = static_cast<std::int32_t>(slices_.size());
    slices_.push_back(static_cast<std::int64_t>(z));
  }
}

std::int64_t LadderInput::bytes() const { return input_.bytes() / input_.extent[2] * std::ssize(slices_); }

std::vector<std::int32_t> LadderInput::places(std::size_t axis, const Range& outputs, std::int64_t extra) const {
  const std::int64_t first = region_.begin[axis];
  std::vector<std::int32_t> places = placesOf({first + outputs.begin, first + outputs.end}, size_[axis], anchor_[axis],
                                              input_.extent[axis], boundary_, 0, extra);
  if (axis == 2)
    for (std::int32_t& place : places)
      if (place >= 0) place = place_[static_cast<std::size_t>(place)];
  return places;
}

namespace {

constexpr auto kLargestFloat = static_cast<double>(std::numeric_limits<float>::max());

bool holds(ElementType type, double value) {
  return value == std::floor(value) && value >= lowestOf(type) && value <= highestOf(type);
}

// The element type of the padded input that the rungs read: the input's, or f32 if the input's type cannot hold the
// constant outside.
ElementType paddedTypeOf(const FilterWorkload& workload) {
  const ElementType type = workload.input().type;
  const bool fits = workload.boundary() != Boundary::constant || !isInteger(type) || holds(type, workload.constant());
  return fits ? type : ElementType::f32;
}

// Whether float32 holds every element of a type.
bool exactInFloat(ElementType type) { return type == ElementType::f32 || (isInteger(type) && bytesOf(type) <= 2); }

class LadderPlan final : public DevicePlan {
 public:
  LadderPlan(DeviceEngine& engine, const FilterWorkload& workload, LadderDesign design, const PrepareOptions& options,
             const Control& control)
      : DevicePlan(engine, workload, options),
        workload_(workload),
        extent_(workload.outputs().front().extent),
        input_(workload),
        design_(std::move(design)),
        style_(launchStyle(properties(), Precision::f32)) {
    report_.variant = design_.variant;
    askInput(input_.bytes());
    requireGroup(design_.source.group);
    askMemory();
    describeKernels();
    if (design_.image) {
      image_ = device().allocateImage(workload_.input().type, padded(0), padded(1));
      idleImage_ = device().allocateImage(workload_.input().type, 1, 1);
      rung_.arguments[0] = idleImage_.get();
    }
    compile([&] {
      rung_.start(programs(), idleImage_);
      if (!design_.image) pad_.start(programs());
      if (unpacks()) unpack_.start(programs());
      if (unpacks()) unpack_.finish(control);
      if (!design_.image) pad_.finish(control);
      rung_.finish(control);
    });
    if (design_.image) rung_.arguments[0] = image_.get();
    for (std::size_t axis = 0; axis < 3; ++axis) places_[axis] = makeTable(device(), places(axis), control);
    if (!design_.taps.empty()) taps_ = makeTaps(device(), design_.taps, design_.source.precision, control);
    if (counts()) saturated_ = device().allocate(design_.channels * static_cast<std::int64_t>(sizeof(std::uint64_t)));
    describeRun();
  }

  [[nodiscard]] std::string description() const override {
    const auto& group = design_.source.group;
    std::string text = design_.variant + ", groups of " + std::to_string(group[0]) + " x " + std::to_string(group[1]);
    for (const auto& [name, value] : design_.launch) text += ", " + name + " " + std::to_string(std::lround(value));
    return text;
  }

 protected:
  void compute(DeviceRun& run) override;

 private:
  // The extents of the outputs, which may be a part of the whole.
  [[nodiscard]] const std::array<std::int64_t, 4>& extent() const { return extent_; }
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
    return input_.places(axis, {-design_.before[axis], extent()[axis] + design_.after[axis]});
  }

  void askMemory() {
    const auto in = static_cast<std::int64_t>(bytesOf(paddedTypeOf(workload_)));
    const auto out = static_cast<std::int64_t>(bytesOf(workload_.outputType()));
    output_ = ask(design_.outPitch * (rows() + design_.outRowsAfter) * design_.channels * out, "output");
    if (unpacks()) unpacked_ = ask(extent()[0] * rows() * out, "output without padding");
    if (design_.image) {
      slots_[0] = 0;
      askOwn(padded(0) * padded(1) * static_cast<std::int64_t>(bytesOf(workload_.input().type)), 0);
    } else {
      padded_ = ask(pitch() * padded(1) * padded(2) * in, "padded input");
    }
    requireMemory(design_.variant + " needs", "choose a smaller shape or fewer filters");
  }

  // `rung_` and the kernels around it.
  void describeKernels();
  void describeRun();
  void uploadImage(const ConstArrayView& input, const Control& control);

  FilterWorkload workload_;
  std::array<std::int64_t, 4> extent_;
  LadderInput input_;
  LadderDesign design_;
  LaunchStyle style_;  // of the kernels around the rung
  Slot output_{}, unpacked_{}, padded_{};
  std::array<OwnBuffer, 3> places_;
  OwnBuffer taps_, saturated_;
  std::unique_ptr<DeviceImage> image_;
  std::shared_ptr<DeviceImage> idleImage_;  // for the launch that only builds the kernel
  KernelStage pad_, rung_, unpack_;
};

void LadderPlan::describeKernels() {
  pad_.source = {"ladder_pad", {}, Precision::f32, 1, style_.group};
  pad_.source.define("IN", std::string(toString(workload_.input().type)));
  pad_.source.define("PADDED", std::string(toString(paddedTypeOf(workload_))));
  pad_.columns = padded(0);
  pad_.rows = padded(1) * padded(2);
  pad_.elementsPerRow = padded(0);
  pad_.operationsPerElement = 4;
  pad_.arguments = {kInput,
                    padded_,
                    &places_[0],
                    &places_[1],
                    &places_[2],
                    static_cast<float>(workload_.constant()),
                    int32(workload_.input().extent[0]),
                    int32(workload_.input().extent[1]),
                    int32(padded(0)),
                    int32(pitch()),
                    int32(padded(1))};
  rung_.source = design_.source;
  rung_.columns = design_.columns;
  rung_.rows = design_.rows;
  rung_.elementsPerRow = std::max<std::int64_t>(1, extent()[0] * rows() / design_.rows);
  rung_.operationsPerElement = 2.0 * static_cast<double>(box().count() * design_.channels);
  rung_.arguments = {padded_,
                     output_,
                     &taps_,
                     &saturated_,
                     int32(pitch()),
                     int32(pitch() * padded(1)),
                     int32(design_.outPitch),
                     int32(extent()[0]),
                     int32(extent()[1]),
                     std::int32_t{0}};
  unpack_.source = {"ladder_unpack", {}, Precision::f32, 1, style_.group};
  unpack_.source.define("OUT", std::string(toString(workload_.outputType())));
  unpack_.columns = extent()[0];
  unpack_.rows = rows();
  unpack_.elementsPerRow = extent()[0];
  unpack_.operationsPerElement = 4;
  unpack_.arguments = {output_,        unpacked_, int32(design_.outPitch), int32(extent()[0]), int32(design_.channels),
                       std::int32_t{0}};
}

void LadderPlan::describeRun() {
  report_.writtenOut = true;
  const Work work = workload_.workAs(true);
  report_.operations = work.operations;
  report_.bytes = work.bytes;
  report_.launch = design_.launch;
  report_.launch["group x"] = static_cast<double>(design_.source.group[0]);
  report_.launch["group y"] = static_cast<double>(design_.source.group[1]);
  describe(rung_);
  report_.saturated.assign(static_cast<std::size_t>(design_.channels), 0);
}

// Images are written whole and not by kernels, so the host pads them.
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

void LadderPlan::compute(DeviceRun& run) {
  run.timed(&Phases::upload, [&] {
    if (design_.image) return uploadImage(run.inputs.arrays[0], run.control);
    run.upload(input_.slices(), kTimedAround);
    run.launch(pad_, kTimedAround);
  });
  run.emptyCaches();
  const auto lost = run.counted(saturated_, run.report.saturated.size(),
                                [&] { run.launch(rung_, &Phases::kernel, run.part(0, 0.9, "computing")); });
  run.report.saturated = lost;
  run.timed(&Phases::download, [&] {
    for (std::size_t i = 0; i < run.outputs.size(); ++i) {
      if (unpacks()) {
        unpack_.arguments.back() = static_cast<std::int32_t>(i);  // the channel
        run.launch(unpack_, kTimedAround);
      }
      run.download(unpacks() ? unpacked_ : output_, i, 0, kTimedAround);
      run.control.report(0.9 + 0.1 * static_cast<double>(i + 1) / static_cast<double>(run.outputs.size()),
                         "reading back");
    }
  });
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
    return "the constant outside cannot be stored as " + std::string(toString(input.type));
  // It is passed to the device as float32, which is sufficient for arithmetic of that precision.
  if (const double outside = workload.constant();
      workload.boundary() == Boundary::constant && workload.precision() == Precision::f64 && std::isfinite(outside) &&
      !(std::abs(outside) <= kLargestFloat && outside == static_cast<double>(static_cast<float>(outside))))
    return "the constant outside is not a float32, and sums in double precision need it exactly";
  return {};
}

}  // namespace sscope
