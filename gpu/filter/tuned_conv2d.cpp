#include <algorithm>

#include "core/workload/catalog.h"
#include "gpu/filter/dense_tile.h"
#include "gpu/filter/tuned_plan.h"
#include "gpu/run/launch_sizes.h"

namespace sscope {

namespace {

// Up to this many taps, walks with the taps in the code are faster; beyond, the queue of sums leaves too few registers.
// OpenCL's compilers handle larger queues less well.
constexpr std::int64_t kMarchTaps = 81, kMarchTapsOpenCl = 49, kMarchRows = 9;
// Up to this many, the code of walks down and of walks up fits into the instruction caches together.
constexpr std::int64_t kBothWaysTaps = 49;
// Between these numbers, loading a row ahead pays off on OpenCL: with fewer taps there is no wait, with more its
// compilers run out of registers.
constexpr std::int64_t kAheadFromOpenCl = 17, kAheadTapsOpenCl = 25;
constexpr std::int64_t kTileOutputs = 8, kTileRows = 4;
const Grid kConv2dGroup{32, 4};
// Groups of walks at once on a compute unit: fewer do not hide the latency of memory, more leave too few registers.
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
    output_ = ask(workload.outputs().front().bytes(), "output");
    requireMemory();
    kernel_.source = source();
    kernel_.arguments = arguments();
    compile([&] {
      kernel_.start(programs());
      if (!march_) taps_ = makeTaps(device(), rowsOfTaps(workload, 0, 1, vector()), precision(), control);
      for (std::size_t axis = 0; axis < 2; ++axis) places_[axis] = makeTable(device(), places(axis), control);
      kernel_.finish(control);
      if (length_ == 0) length_ = chosenLength();
    });
    const std::int64_t rows = march_ ? length_ : kTileRows;
    kernel_.arguments = arguments();  // the length is known now
    kernel_.columns = columns();
    kernel_.rows = (extent()[1] + rows - 1) / rows;
    kernel_.elementsPerRow = extent()[0] * rows;
    kernel_.operationsPerElement = 2.0 * static_cast<double>(box().count());
    report_.launch[march_ ? "walk" : "tile rows"] = static_cast<double>(rows);
    report_.launch["outputs a work item along x"] = static_cast<double>(blocks_.tx);
    describeRegisters(kernel_);
  }

  // Walks up add in the opposite order of walks down. Their start depends on the registers of the kernel, which is
  // compiled again for a part.
  [[nodiscard]] std::int64_t grain() const override { return march_ && bothWays() ? 0 : 1; }

  [[nodiscard]] std::string description() const override {
    return march_ ? "walks of " + std::to_string(length_) + " rows" : "tiles of 8 x 4";
  }

 protected:
  void compute(DeviceRun& run) override {
    run.upload();
    run.launch(kernel_, &Phases::kernel, run.part(0, 0.9, "computing"));
    run.download(output_, 0);
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
    const int reported = kernel_.attributes().registers;
    // If the driver does not report it: the queue, a row, and the registers of addresses.
    const auto guess = static_cast<int>(box().size[1] * blocks_.tx + blocks_.loads * blocks_.vector + 24);
    return walkLength(workload().planned()[1], box().size[1],
                      residentGroups(device().properties(), kConv2dGroup.count(), reported > 0 ? reported : guess, 0),
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
    source.define("PART", input().isPart() ? 1 : 0);
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

  [[nodiscard]] std::vector<StageArgument> arguments() const {
    const std::int32_t width = int32(extent()[0]), height = int32(extent()[1]);
    const StageArgument outside = realArgument(workload().constant(), precision());
    if (march_)
      return {kInput,
              output_,
              kNoBuffer,
              &places_[0],
              &places_[1],
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
    return {kInput,
            output_,
            kNoBuffer,
            &taps_,
            &places_[0],
            &places_[1],
            outside,
            std::int64_t{0},
            std::int64_t{0},
            width,
            width,
            height,
            int32((extent()[1] + kTileRows - 1) / kTileRows)};
  }

  bool march_;
  RowBlocks blocks_;
  std::int64_t length_;  // of walks
  Slot output_{};
  OwnBuffer taps_, places_[2];
  KernelStage kernel_;
};

}  // namespace

std::unique_ptr<Plan> makeTunedConv2d(DeviceEngine& engine, const FilterWorkload& workload,
                                      const PrepareOptions& options, const Control& control) {
  return std::make_unique<TunedConv2d>(engine, workload, options, control);
}

}  // namespace sscope
