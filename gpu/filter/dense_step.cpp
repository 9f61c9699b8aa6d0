// Dense filters: gather the input with its boundary as REAL, then one kernel that knows no boundary.

#include <algorithm>

#include "gpu/device/split_launch.h"
#include "gpu/filter/step.h"
#include "gpu/run/sizes.h"

namespace sscope {

namespace {

// Fully unrolled code beyond this many multiply-adds costs more compile time and instruction cache than it saves.
constexpr std::int64_t kLargestUnrolled = 4096;

class DenseStep : public FilterStep {
 public:
  DenseStep(const FilterContext& context, const FilterMethod& method)
      : c_(context), taps_(method.taps), baked_(method.baked), block_(c_.region().size(1) == 1 ? 1 : blockSize()) {
    gatherPending_ = programs().start(gatherSource(), gatherArguments(nullptr));
    densePending_ = programs().start(denseSource(), denseArguments(nullptr));
  }

  void needSlices(const Range& outputs, std::vector<bool>& needed) const override {
    markSlices(outputs, taps_.size[2], taps_.anchor[2], c_.workload->boundary(), needed);
  }

  void needBytes(std::int64_t slices, SlotBytes& bytes) const override {
    auto& gathered = bytes[static_cast<std::size_t>(Slot::Gathered)];
    gathered = std::max(gathered, pitch() * rowsY() * (slices + taps_.size[2] - 1) * c_.realBytes() + kSlackBytes);
  }

  void finish(const Control& control) override {
    gather_ = ProgramCache::wait(gatherPending_, control);
    dense_ = ProgramCache::wait(densePending_, control);
    if (!baked_) tapsTable_ = makeTaps(device(), taps_.weights, c_.precision(), control);
    xTable_ = makeTable(device(), places(0, region(0)), control);
    yTable_ = makeTable(device(), places(1, region(1)), control);
  }

  double run(const FilterTile& tile, const DeviceBuffer& saturated, const Control& control,
             const std::function<void(double)>& finished) override {
    std::vector<std::int32_t> z = places(2, {tile.begin, tile.end});
    for (std::int32_t& place : z)
      if (place >= 0) place = tile.place[static_cast<std::size_t>(place)];
    if (!zTable_ || zTable_->bytes() < static_cast<std::int64_t>(z.size() * sizeof z[0])) {
      zTable_ = makeTable(device(), z, control);
    } else {
      rewriteTable(device(), *zTable_, z, control);
    }
    SplitLaunch gather{gather_.get(),
                       c_.style.group,
                       pitch() / c_.style.vector,
                       rowsY() * (tile.size() + taps_.size[2] - 1),
                       pitch(),
                       4,
                       gatherArguments(&workspace())};
    const double gatherShare = 4.0 / (4.0 + static_cast<double>(taps_.count()));
    double seconds = runSplit(device(), gather, control, [&](double share) { finished(gatherShare * share); });
    const std::int64_t blocks = (c_.region().size(1) + block_ - 1) / block_;
    std::vector<KernelArgument> arguments = denseArguments(&workspace());
    arguments[3] = &saturated;
    SplitLaunch dense{dense_.get(),
                      c_.style.group,
                      (length() + c_.style.vector - 1) / c_.style.vector,
                      blocks * tile.size(),
                      length() * block_,
                      2.0 * static_cast<double>(taps_.count()),
                      arguments};
    seconds +=
        runSplit(device(), dense, control, [&](double share) { finished(gatherShare + (1 - gatherShare) * share); });
    return seconds;
  }

  [[nodiscard]] double executedTaps() const override { return static_cast<double>(taps_.count()); }

 private:
  Device& device() const { return c_.engine->device(); }
  ProgramCache& programs() const { return c_.engine->programs(); }
  Workspace& workspace() const { return c_.engine->workspace(); }
  std::int64_t blockSize() const { return device().properties().cpu ? 8 : 4; }
  Range region(std::size_t axis) const { return {c_.region().begin[axis], c_.region().end[axis]}; }
  std::int64_t length() const { return c_.region().size(0) * c_.components(); }
  std::int64_t width() const { return (c_.region().size(0) + taps_.size[0] - 1) * c_.components(); }
  // Long enough for the last vector of outputs to read all its taps.
  std::int64_t pitch() const { return c_.pitch(c_.pitch(length()) + (taps_.size[0] - 1) * c_.components()); }
  std::int64_t rowsY() const { return c_.region().size(1) + taps_.size[1] - 1; }

  std::vector<std::int32_t> places(std::size_t axis, const Range& outputs) const {
    return placesOf(outputs, taps_.size[axis], taps_.anchor[axis], c_.input().extent[axis], c_.workload->boundary(), 0);
  }

  KernelSource gatherSource() const {
    KernelSource source{"filter_gather", {}, c_.precision(), c_.style.vector, c_.style.group, {}};
    source.define("IN", std::string(toString(c_.input().type)));
    source.define("COMPONENTS", c_.components());
    return source;
  }

  KernelSource denseSource() const {
    KernelSource source{"filter_dense", {}, c_.precision(), c_.style.vector, c_.style.group, {}};
    defineStore(source, c_.workload->outputType(), false, false);
    const auto [nx, ny, nz] = taps_.size;
    source.define("SIZE_X", nx);
    source.define("SIZE_Y", ny);
    source.define("SIZE_Z", nz);
    source.define("COMPONENTS", c_.components());
    source.define("BLOCK", block_);
    source.define("TAPS_SPACE", tapsSpace(device().properties(), taps_.count(), c_.precision()));
    // A baked kernel is unrolled as far as it goes, so that taps become immediates; else two rows of taps are enough.
    const std::int64_t limit = baked_ ? kLargestUnrolled : 256;
    const std::int64_t perRow = nx * std::min(block_, ny), perSlice = perRow * (ny + block_ - 1);
    source.define("UNROLL_X", perRow <= limit ? nx : 1);
    source.define("UNROLL_Y", perSlice <= limit ? ny + block_ - 1 : 1);
    source.define("UNROLL_Z", baked_ && perSlice * nz <= limit ? nz : 1);
    if (baked_) {
      std::string list;
      for (const double w : taps_.weights) list += (list.empty() ? "" : ",") + kernelLiteral(w, c_.precision());
      source.define("BAKED_TAPS", list);
    }
    return source;
  }

  // Without a workspace: arguments with which the kernel does nothing.
  std::vector<KernelArgument> gatherArguments(const Workspace* work) const {
    const auto& extent = c_.input().extent;
    const std::int64_t row = extent[0] * c_.components();
    std::vector<KernelArgument> arguments{work == nullptr ? nullptr : &work->at(Slot::Input),
                                          work == nullptr ? nullptr : &work->at(Slot::Gathered),
                                          xTable_.get(),
                                          yTable_.get(),
                                          zTable_.get(),
                                          realArgument(c_.workload->constant(), c_.precision()),
                                          row,
                                          row * extent[1],
                                          static_cast<std::int32_t>(width()),
                                          static_cast<std::int32_t>(pitch()),
                                          static_cast<std::int32_t>(rowsY())};
    if (work == nullptr) addNothing(arguments);
    return arguments;
  }

  std::vector<KernelArgument> denseArguments(const Workspace* work) const {
    std::vector<KernelArgument> arguments{work == nullptr ? nullptr : &work->at(Slot::Gathered),
                                          work == nullptr ? nullptr : &work->at(Slot::Output),
                                          tapsTable_.get(),
                                          static_cast<const DeviceBuffer*>(nullptr),
                                          pitch() * rowsY(),
                                          static_cast<std::int32_t>(pitch()),
                                          static_cast<std::int32_t>(length()),
                                          static_cast<std::int32_t>(c_.region().size(1)),
                                          static_cast<std::int32_t>((c_.region().size(1) + block_ - 1) / block_)};
    if (work == nullptr) addNothing(arguments);
    return arguments;
  }

  static void addNothing(std::vector<KernelArgument>& arguments) {
    arguments.emplace_back(std::int32_t{0});
    arguments.emplace_back(std::int32_t{0});
  }

  FilterContext c_;
  DenseTaps taps_;
  bool baked_;
  std::int64_t block_;
  ProgramCache::Pending gatherPending_, densePending_;
  std::shared_ptr<CompiledKernel> gather_, dense_;
  std::unique_ptr<DeviceBuffer> tapsTable_, xTable_, yTable_, zTable_;
};

}  // namespace

std::unique_ptr<FilterStep> makeDenseStep(const FilterContext& context, const FilterMethod& method) {
  return std::make_unique<DenseStep>(context, method);
}

}  // namespace sscope
