#include <algorithm>

#include "core/base/stopwatch.h"
#include "core/workload/workload_options.h"
#include "gpu/device/split_launch.h"
#include "gpu/filter/baked_taps.h"
#include "gpu/filter/row_blocks.h"
#include "gpu/filter/tuned_plan.h"
#include "gpu/run/sizes.h"
#include "gpu/run/walk_length.h"

namespace sscope {

namespace {

// Up to so many taps, walks with the taps in the code win: beyond, the queue of sums leaves too few registers.
// OpenCL's compilers keep larger queues less well.
constexpr std::int64_t kMarchTaps = 81, kMarchTapsOpenCl = 49, kMarchRows = 9;
// Up to so many, the code of walks that go down and of those that go up stays in the instruction caches together.
constexpr std::int64_t kBothWaysTaps = 49;
// Between so many, a row that is on its way pays off through OpenCL: with fewer nothing has to be waited for, with more
// its compilers run out of registers.
constexpr std::int64_t kAheadFromOpenCl = 17, kAheadTapsOpenCl = 25;
constexpr std::int64_t kTileOutputs = 8, kTileRows = 4;
const Grid kConv2dGroup{32, 4};
// Of a walk, at once on a compute unit: fewer do not cover the way to memory, more leave too few registers.
constexpr std::int64_t kLeastGroups = 5;

class TunedConv2d final : public TunedPlan {
 public:
  TunedConv2d(DeviceEngine& engine, const FilterWorkload& workload, const PrepareOptions& options,
              const Control& control)
      : TunedPlan(engine, workload, options),
        march_(walks(textOf(options.values, "method"))),
        blocks_(blocksOf(extent()[0], box().size[0], box().anchor[0], vector(),
                         march_ && bothWays() ? 8
                         : march_             ? 4
                                              : kTileOutputs)),
        length_(integerOf(options.values, "walk")) {
    checkMemory();
    const Stopwatch watch;
    const auto pending = programs().start(source(), arguments(false));
    if (!march_) taps_ = makeTaps(device(), rowsOfTaps(workload, 0, 1, vector()), precision(), control);
    for (std::size_t axis = 0; axis < 2; ++axis) places_[axis] = makeTable(device(), places(axis), control);
    kernel_ = ProgramCache::wait(pending, control);
    if (length_ == 0) length_ = chosenLength();
    compileSeconds_ = watch.seconds();
  }

  [[nodiscard]] std::string description() const override {
    return march_ ? "walks of " + std::to_string(length_) + " rows" : "tiles of 8 x 4";
  }

 protected:
  [[nodiscard]] SlotBytes slotBytes() const override {
    SlotBytes bytes{};
    bytes[static_cast<std::size_t>(Slot::Input)] = workload().input().bytes() + kSlackBytes;
    bytes[static_cast<std::size_t>(Slot::Output)] = workload().input().bytes() + kSlackBytes;
    return bytes;
  }

  void compute(std::span<const ArrayView> outputs, RunReport& report, const Control& control) override {
    const std::int64_t rows = march_ ? length_ : kTileRows;
    const SplitLaunch launch{kernel_.get(),      kConv2dGroup,
                             columns(),          (extent()[1] + rows - 1) / rows,
                             extent()[0] * rows, 2.0 * static_cast<double>(box().count()),
                             arguments(true)};
    report.phases.kernel +=
        runSplit(device(), launch, control, [&](double share) { control.report(0.9 * share, "computing"); });
    report.launch[march_ ? "walk" : "tile rows"] = static_cast<double>(rows);
    report.launch["outputs a work item along x"] = static_cast<double>(blocks_.tx);
    if (const int registers = kernel_->kernel->attributes().registers; registers > 0)
      report.launch["registers"] = registers;
    fetch(Slot::Output, 0, outputs[0], report, control);
  }

 private:
  [[nodiscard]] bool isCuda() const { return device().properties().language == KernelLanguage::CudaCpp; }
  [[nodiscard]] bool bothWays() const { return box().count() <= kBothWaysTaps; }
  [[nodiscard]] bool ahead() const {
    return isCuda() || (box().count() >= kAheadFromOpenCl && box().count() <= kAheadTapsOpenCl);
  }
  [[nodiscard]] bool walks(const std::string& method) const {
    if (method != "auto") return method == "walk";
    const std::int64_t most = isCuda() ? kMarchTaps : kMarchTapsOpenCl;
    return box().count() <= most && box().size[1] <= kMarchRows;
  }

  [[nodiscard]] std::int64_t chosenLength() const {
    const int told = kernel_->kernel->attributes().registers;
    // Where the driver does not tell: the queue, a row, and what addresses take.
    const auto guess = static_cast<int>(box().size[1] * blocks_.tx + blocks_.loads * blocks_.vector + 24);
    return walkLength(extent()[1], box().size[1],
                      residentGroups(device().properties(), kConv2dGroup.count(), told > 0 ? told : guess, 0),
                      [&](std::int64_t count) {
                        return (columns() + kConv2dGroup.x - 1) / kConv2dGroup.x *
                               ((count + kConv2dGroup.y - 1) / kConv2dGroup.y);
                      });
  }

  // Work items along x; walks give whole groups to the blocks at the ends of rows.
  [[nodiscard]] std::int64_t columns() const {
    if (!march_) return blocks_.blocks;
    const std::int64_t inside = blocks_.end - blocks_.begin;
    return (inside + kConv2dGroup.x - 1) / kConv2dGroup.x * kConv2dGroup.x + blocks_.blocks - inside;
  }

  [[nodiscard]] KernelSource source() const {
    KernelSource source{march_ ? "tuned_march" : "tuned_tile", {}, precision(), vector(), kConv2dGroup, {}};
    defineTunedRows(source, workload(), blocks_.tx);
    source.define("LEFT", blocks_.left);
    source.define("LOADS", blocks_.loads);
    source.define("ALIGNED", blocks_.aligned ? 1 : 0);
    source.define("DIRECT", 1);
    if (march_) {
      source.define("SIZE_M", box().size[1]);
      source.define("SIZE_N", 1);
      source.define("LEAST_GROUPS", kLeastGroups);
      source.define("BOTH_WAYS", bothWays() ? 1 : 0);
      source.define("AHEAD", ahead() ? 1 : 0);
      source.define("ANCHOR_M", box().anchor[1]);
      source.define("BAKED_TAPS", bakedTaps(box(), precision()));
    } else {
      source.define("SIZE_Y", box().size[1]);
      source.define("SIZE_Z", 1);
      source.define("ANCHOR_Y", box().anchor[1]);
      source.define("FILTERS", 1);
      source.define("TY", kTileRows);
      source.define("TAPS_LOCAL", 1);
    }
    return source;
  }

  [[nodiscard]] std::vector<KernelArgument> arguments(bool real) const {
    const DeviceBuffer* in = real ? slot(Slot::Input) : kNoBuffer;
    const DeviceBuffer* out = real ? slot(Slot::Output) : kNoBuffer;
    const std::int32_t width = int32(extent()[0]), height = int32(extent()[1]);
    const KernelArgument outside = realArgument(workload().constant(), precision());
    std::vector<KernelArgument> list;
    if (march_)
      list = {in,
              out,
              kNoBuffer,
              places_[0].get(),
              places_[1].get(),
              outside,
              std::int64_t{0},
              width,
              width,
              height,
              height,
              int32(length_),
              int32(blocks_.begin),
              int32(blocks_.end),
              int32(blocks_.blocks)};
    else
      list = {in,
              out,
              kNoBuffer,
              taps_.get(),
              places_[0].get(),
              places_[1].get(),
              outside,
              std::int64_t{0},
              std::int64_t{0},
              width,
              width,
              height,
              int32((extent()[1] + kTileRows - 1) / kTileRows)};
    if (!real) list.insert(list.end(), 2, std::int32_t{0});
    return list;
  }

  bool march_;
  RowBlocks blocks_;
  std::int64_t length_;  // of walks
  std::shared_ptr<CompiledKernel> kernel_;
  std::unique_ptr<DeviceBuffer> taps_, places_[2];
};

}  // namespace

std::unique_ptr<Plan> makeTunedConv2d(DeviceEngine& engine, const FilterWorkload& workload,
                                      const PrepareOptions& options, const Control& control) {
  return std::make_unique<TunedConv2d>(engine, workload, options, control);
}

}  // namespace sscope
