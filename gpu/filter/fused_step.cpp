// Separable filters along all axes at once (filter_fused.kernel): term by term, or several filters by one kernel.

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "gpu/filter/fused_shape.h"
#include "gpu/filter/step.h"
#include "gpu/run/launch_sizes.h"

namespace sscope {

namespace {

std::int64_t pieces(std::int64_t n, std::int64_t of) { return (n + of - 1) / of; }

// What one kernel computes.
struct FusedLaunch {
  FusedLines lines;
  bool ends = true, accumulates = false;  // writes outputs and not sums of terms; adds to such sums
  FusedShape shape;
  std::int64_t tilesX = 1, tilesY = 1;
  // The kernel's structure Taps. Shared with the build of the kernel, which may outlive the plan.
  std::shared_ptr<std::vector<std::byte>> taps;
  OwnBuffer xMap, yMap;
  TileTable zMap;
  KernelStage stage;
};

// Either the terms of one filter in sequence, or all terms of all filters at once.
class FusedStep : public FilterStep {
 public:
  FusedStep(const FilterContext& context, const FilterMethod& method)
      : c_(context), executed_(method.executedTaps()), saturated_{context.saturated}, launches_(method.terms.size()) {
    for (std::size_t t = 0; t < launches_.size(); ++t) {
      launches_[t].ends = t + 1 == launches_.size();
      launches_[t].accumulates = t > 0;
    }
    start({&method, 1});
  }
  FusedStep(const FilterContext& context, std::span<const FilterMethod> methods,
            std::span<const OwnBuffer* const> saturated, std::function<FusedEnding()> ending)
      : c_(context),
        saturated_(saturated.begin(), saturated.end()),
        together_(true),
        endingOf_(std::move(ending)),
        launches_(1) {
    if (endingOf_) ending_ = endingOf_();
    start(methods);
    for (const auto* along : {&launches_[0].lines.x, &launches_[0].lines.y, &launches_[0].lines.z})
      for (const FusedLines::Line& line : *along) executed_ += static_cast<double>(line.taps.size());
  }

  [[nodiscard]] bool ready() const override {
    constexpr std::chrono::milliseconds kFromDisk(20);
    return std::ranges::all_of(launches_, [&](const FusedLaunch& launch) {
      return launch.stage.pending.wait_for(kFromDisk) == std::future_status::ready;
    });
  }

  void needSlices(const Range& outputs, std::vector<bool>& needed) const override {
    for (const FusedLaunch& launch : launches_)
      markSlices(outputs, launch.lines.window[2], launch.lines.anchor[2], c_.workload->boundary(), needed);
  }

  void needBytes(std::int64_t slices, SlotBytes& bytes) const override {
    const auto need = [&](Slot slot, std::int64_t each) {
      bytesAt(bytes, slot) = std::max(bytesAt(bytes, slot), width() * height() * slices * each + kSlackBytes);
    };
    if (launches_.size() > 1) need(kSum, c_.realBytes());
    for (std::size_t o = 1; o < saturated_.size(); ++o)
      need(outputSlot(o), static_cast<std::int64_t>(bytesOf(c_.outputType())));
  }

  void finish(const Control& control) override {
    for (FusedLaunch& launch : launches_) {
      launch.stage.finish(control);
      const FusedShape& s = launch.shape;
      launch.xMap = makeTable(device(), elementsAlongX(launch), control);
      const std::int64_t taps = launch.lines.window[1];
      std::vector<std::int32_t> rows =
          placesOf(region(1), taps, launch.lines.anchor[1], c_.input().extent[1], c_.workload->boundary(), 0);
      rows.resize(static_cast<std::size_t>(launch.tilesY * s.ty + taps), -1);
      launch.yMap = makeTable(device(), rows, control);
    }
  }

  [[nodiscard]] bool takeWeights(const FilterMethod& method, const Control& control) override {
    return takeAllWeights({&method, 1}, control);
  }
  [[nodiscard]] bool takeAllWeights(std::span<const FilterMethod> methods, const Control& /*control*/) override {
    for (std::size_t i = 0; i < launches_.size(); ++i) {
      FusedLines lines = linesOf(methods, i);
      if (!lines.sameKernel(launches_[i].lines)) return false;
      launches_[i].lines = std::move(lines);
      if (endingOf_) ending_ = endingOf_();
      *launches_[i].taps = bytesOfTaps(numbersOf(launches_[i]), c_.precision());
    }
    return true;
  }

  void compute(DeviceRun& run, const FilterTile& tile, const DeviceRun::Progress& finished) override {
    const auto all = static_cast<double>(launches_.size());
    for (std::size_t i = 0; i < launches_.size(); ++i) {
      FusedLaunch& launch = launches_[i];
      launch.zMap.put(device(),
                      placesInTile(placesOf({tile.begin, tile.end}, launch.lines.window[2], launch.lines.anchor[2],
                                            c_.input().extent[2], c_.workload->boundary(), 0),
                                   tile),
                      run.control);
      place(launch, tile.size());
      const auto before = static_cast<double>(i);
      run.launch(launch.stage, &Phases::kernel, [&](double share) { finished((before + share) / all); });
    }
  }

  [[nodiscard]] double executedTaps() const override { return executed_; }

 private:
  Device& device() const { return c_.engine->device(); }
  Range region(std::size_t axis) const { return {c_.region().begin[axis], c_.region().end[axis]}; }
  std::int64_t width() const { return region(0).size() * c_.components(); }
  std::int64_t height() const { return region(1).size(); }
  std::int64_t rowElements() const { return c_.input().extent[0] * c_.components(); }

  FusedLines linesOf(std::span<const FilterMethod> methods, std::size_t launch) const {
    std::vector<std::vector<SeparableTerm>> outputs;
    if (together_) {
      for (const FilterMethod& method : methods) outputs.push_back(method.terms);
    } else {
      outputs.push_back({methods.front().terms[launch]});
    }
    return fusedLines(outputs, ending_.has_value());
  }
  // Of the kernel's structure Taps.
  std::vector<double> numbersOf(const FusedLaunch& launch) const {
    std::vector<double> numbers = launch.lines.weights();
    if (ending_) numbers.insert(numbers.end(), ending_->numbers.begin(), ending_->numbers.end());
    return numbers;
  }

  void start(std::span<const FilterMethod> methods) {
    for (std::size_t i = 0; i < launches_.size(); ++i) {
      launches_[i].lines = linesOf(methods, i);
      describe(launches_[i]);
      launches_[i].stage.start(c_.engine->programs(), launches_[i].taps);
    }
  }

  FusedShape shapeFor(const FusedLines& lines) const {
    if (const auto shape = fusedShape(device().properties(), fusedNeeds(*c_.workload, lines, c_.precision())))
      return *shape;
    throw Error(ErrorKind::Unsupported,
                "the axes cannot be filtered at once on " + c_.engine->info().id +
                    ": no tile with its halo fits into local memory, or a slice is too large",
                "use the variant separable");
  }

  // The place in a row of each element that tiles fetch, or -1 for the constant and for unused elements.
  std::vector<std::int32_t> elementsAlongX(const FusedLaunch& launch) const {
    const FusedShape& s = launch.shape;
    const std::int64_t nc = c_.components(), needed = width() + (launch.lines.window[0] - 1) * nc;
    std::vector<std::int32_t> places(static_cast<std::size_t>(launch.tilesX * s.tx + s.rowPitch), -1);
    for (std::int64_t i = 0; i < needed; ++i) {
      const std::int64_t voxel = region(0).begin - launch.lines.anchor[0] + i / nc;
      const std::int64_t at = boundaryIndex(voxel, c_.input().extent[0], c_.workload->boundary());
      if (at >= 0) places[static_cast<std::size_t>(s.left + i)] = int32(at * nc + i % nc);
    }
    return places;
  }

  // The registers of a work item if a unit is to hold this many groups.
  std::int64_t registersFor(const FusedShape& s) const {
    constexpr std::int64_t kUnitRegisters = 65536;  // NVIDIA's since capability 7, if the driver does not report it
    const std::int64_t reported = device().properties().unitRegisters;
    return std::min<std::int64_t>(255,
                                  (reported > 0 ? reported : kUnitRegisters) / (s.items() * s.groupsPerUnit) / 8 * 8);
  }

  KernelSource sourceOf(const FusedLaunch& launch) const {
    const FusedShape& s = launch.shape;
    KernelSource source{"filter_fused", {}, c_.precision(), s.vector, {s.items(), 1}, {}};
    defineStore(source, launch.ends ? c_.outputType() : c_.realType(), launch.accumulates, false);
    source.extra.emplace_back("fused_window.h");
    if (ending_) {
      source.extra.emplace_back("formula_functions.h");
      source.functions = ending_->functions;
    }
    source.localBytes = s.localBytes;
    source.define("IN", std::string(toString(c_.input().type)));
    source.define("BYTES_IN", static_cast<std::int64_t>(bytesOf(c_.input().type)));
    source.define("COMPONENTS", c_.components());
    const auto lists = ending_ ? fusedLists(launch.lines, ending_->values) : fusedLists(launch.lines);
    for (const auto& [name, value] : lists) source.define(name, value);
    source.define("NUMBERS", ending_ ? std::ssize(ending_->numbers) : 0);
    source.define("TX", s.tx);
    source.define("RX", s.rx);
    source.define("RY", s.ry);
    source.define("FETCH", s.fetch);
    source.define("LEFT", s.left);
    source.define("ROW_PITCH", s.rowPitch);
    source.define("FILTERED_PITCH", s.filteredPitch);
    source.define("STAGES", s.stages);
    source.define("BUFFERS", s.buffers);
    source.define("ASYNC", s.async ? 1 : 0);
    source.define("RAW", s.raw ? 1 : 0);
    source.define("WIDE", c_.precision() == Precision::f64 ? 1 : 0);
    if (s.raw && s.async)
      source.define("FETCH_REALS", s.fetch * static_cast<std::int64_t>(bytesOf(c_.input().type)) / c_.realBytes());
    source.define("LEAST_GROUPS", s.groupsPerUnit);
    if (device().properties().lockstep > 0) source.define("MOST_REGISTERS", registersFor(s));
    return source;
  }

  void describe(FusedLaunch& launch) const {
    launch.shape = shapeFor(launch.lines);
    launch.tilesX = pieces(width(), launch.shape.tx);
    launch.tilesY = pieces(height(), launch.shape.ty);
    launch.stage.source = sourceOf(launch);
    launch.stage.columns = launch.shape.items();
    launch.taps = std::make_shared<std::vector<std::byte>>(bytesOfTaps(numbersOf(launch), c_.precision()));
    launch.stage.operationsPerElement = 2 * static_cast<double>(launch.lines.weights().size());
    launch.stage.arguments = {kInput};
    for (std::size_t o = 0; o < saturated_.size(); ++o)
      launch.stage.arguments.insert(launch.stage.arguments.end(), {!launch.ends ? kSum
                                                                   : o == 0     ? c_.output
                                                                                : outputSlot(o),
                                                                   saturated_[o]});
    launch.stage.arguments.insert(
        launch.stage.arguments.end(),
        {launch.accumulates ? StageArgument(kSum) : StageArgument(kNoBuffer), &launch.xMap, &launch.yMap,
         launch.zMap.buffer(), launch.taps.get(), realArgument(c_.workload->constant(), c_.precision()),
         c_.input().extent[1] * rowElements(), int32(rowElements())});
    place(launch, 0);
  }

  // Sets the arguments that depend on the tile: the number of slices and their division into walks.
  void place(FusedLaunch& launch, std::int64_t slices) const {
    const FusedShape& s = launch.shape;
    const std::int64_t tiles = launch.tilesX * launch.tilesY;
    const std::int64_t resident = s.groupsPerUnit * std::max(1, device().properties().computeUnits);
    const std::int64_t walk =
        std::max<std::int64_t>(1, walkLength(std::max<std::int64_t>(1, slices), launch.lines.window[2], resident,
                                             [&](std::int64_t walks) { return tiles * walks; }));
    launch.stage.rows = tiles * pieces(slices, walk);
    launch.stage.elementsPerRow = s.tx * s.ty * walk;
    launch.stage.arguments.resize(kSameArguments + 2 * saturated_.size());
    for (const std::int64_t n : {width(), height(), slices, launch.tilesX, tiles, walk})
      launch.stage.arguments.emplace_back(int32(n));
  }

  static constexpr std::size_t kSameArguments = 9;  // that are equal for all tiles, without the outputs

  FilterContext c_;
  double executed_ = 0;
  std::vector<const OwnBuffer*> saturated_;  // of each output
  bool together_ = false;
  std::function<FusedEnding()> endingOf_;
  std::optional<FusedEnding> ending_;
  std::vector<FusedLaunch> launches_;
};

}  // namespace

std::unique_ptr<FilterStep> makeFusedStep(const FilterContext& context, const FilterMethod& method) {
  return std::make_unique<FusedStep>(context, method);
}

bool fusedTogether(const FilterContext& context, std::span<const std::vector<SeparableTerm>> filters,
                   const FusedEnding* ending) {
  const FusedLines lines = fusedLines(filters, ending != nullptr);
  const std::int64_t numbers = std::ssize(lines.weights()) + (ending != nullptr ? std::ssize(ending->numbers) : 0);
  const DeviceProperties& device = context.engine->device().properties();
  // The bytes that OpenCL guarantees for all arguments of a kernel, and those of CUDA and NVIDIA's OpenCL.
  const std::int64_t room = device.capabilityMajor > 0 ? 4096 : 1024;
  const std::int64_t others = 128 + 16 * (ending != nullptr ? std::ssize(ending->values) : std::ssize(filters));
  return std::ssize(filters) <= static_cast<std::int64_t>(kMostTogether) &&
         fusedRows(lines.queued(), context.precision()) > 0 && numbers * context.realBytes() + others <= room &&
         fusedShape(device, fusedNeeds(*context.workload, lines, context.precision())).has_value();
}

std::unique_ptr<FilterStep> makeFusedBankStep(const FilterContext& context, std::span<const FilterMethod> methods,
                                              std::span<const OwnBuffer* const> saturated,
                                              const std::function<FusedEnding()>& ending) {
  return std::make_unique<FusedStep>(context, methods, saturated, ending);
}

}  // namespace sscope
