#include <algorithm>

#include "core/workload/catalog.h"
#include "gpu/filter/dense_tile.h"
#include "gpu/filter/tuned_plan.h"
#include "gpu/run/launch_sizes.h"

namespace sscope {

namespace {

const Grid kBankGroup{32, 4};
constexpr std::int64_t kMostFilters = 8;  // whose sums one work item keeps
constexpr std::int64_t kMarchMultiplyAdds =
    2048;  // in the code of one step of a walk; more exceed the instruction caches
constexpr std::int64_t kLocalTaps = std::int64_t{32} << 10;  // bytes of local memory for taps

// Filters that one launch computes.
struct Share {
  std::size_t first = 0, count = 1;
  bool march = false;
  OwnBuffer taps;           // of tiles
  std::int64_t length = 1;  // of walks
  KernelStage kernel;
};

class TunedBank final : public TunedPlan {
 public:
  TunedBank(DeviceEngine& engine, const FilterWorkload& workload, const PrepareOptions& options, const Control& control)
      : TunedPlan(engine, workload, options) {
    share(integerOf(options.values, "together"));
    std::size_t most = 1;
    for (const Share& one : shares_) most = std::max(most, one.count);
    gathered_ = ask(pitch() * rows() * reach(2) * realBytes(), "gathered rows");
    output_ = ask(static_cast<std::int64_t>(most) * outputBytes(), "outputs");
    requireMemory();
    if (isInteger(workload.outputType())) counters_ = device().allocate(kMostFilters * 8);
    describeGather();
    for (Share& one : shares_) {
      one.kernel.source = source(one);
      one.kernel.arguments = arguments(one);
    }
    compile([&] {
      gather_.start(programs());
      for (Share& one : shares_) one.kernel.start(programs());
      // Blocks that exceed the image read rows and slices beyond the last tap.
      tables_[0] = makeTable(device(), places(0, pitch() - reach(0)), control);
      tables_[1] = makeTable(device(), places(1, rows() - reach(1)), control);
      tables_[2] = makeTable(device(), places(2), control);
      gather_.finish(control);
      for (Share& one : shares_) {
        one.kernel.finish(control);
        if (one.march) {
          one.length = chosenLength(one);
        } else {
          one.taps = makeTaps(device(), rowsOfTaps(workload, one.first, one.count, vector()), precision(), control);
        }
      }
    });
    for (Share& one : shares_) describeLaunch(one);
  }

  [[nodiscard]] std::string description() const override {
    std::string text;
    for (const Share& one : shares_)
      text += (text.empty() ? "" : ", ") + (one.march ? "a walk of " + std::to_string(one.length)
                                                      : "tiles of " + std::to_string(one.count) + " filters");
    return text;
  }

 protected:
  void compute(DeviceRun& run) override {
    const double filters = static_cast<double>(run.outputs.size());
    run.upload(input().slices());
    run.launch(gather_);
    for (const Share& one : shares_) {
      const double before = static_cast<double>(one.first) / filters, part = static_cast<double>(one.count) / filters;
      const auto lost = run.counted(counters_, one.count, [&] {
        run.launch(one.kernel, &Phases::kernel, run.part(before, before + 0.8 * part, "computing"));
      });
      for (std::size_t i = 0; i < one.count; ++i) {
        run.report.saturated[one.first + i] += lost[i];
        run.download(output_, one.first + i, static_cast<std::int64_t>(i) * outputBytes());
      }
      run.control.report(before + part, "computing");
    }
  }

 private:
  // As many filters per launch as requested (0: any number) and as their sums and taps fit; the rest together, a single
  // one by walks.
  void share(std::int64_t together) {
    const std::size_t filters = workload().operators().size();
    const std::int64_t fit = std::max<std::int64_t>(1, kLocalTaps / (box().count() * realBytes()));
    const std::int64_t most = precision() == Precision::f32 ? kMostFilters : kMostFilters / 2;
    const auto many = static_cast<std::size_t>(std::min({fit, most, together > 0 ? together : most}));
    for (std::size_t first = 0; first < filters; first += many) {
      Share one;
      one.first = first;
      one.count = std::min(many, filters - first);
      one.march = one.count == 1 && box().size[2] > 1 && box().count() * vector() <= kMarchMultiplyAdds;
      shares_.push_back(std::move(one));
    }
  }

  [[nodiscard]] std::int64_t tx(const Share& one) const { return one.march ? vector() : 2 * vector(); }
  [[nodiscard]] std::int64_t ty(const Share& one) const {
    return one.march || one.count > 2 ? 1 : one.count == 2 ? 2 : 4;
  }
  [[nodiscard]] std::int64_t columns(const Share& one) const { return (extent()[0] + tx(one) - 1) / tx(one); }

  // The padded input. Blocks of the largest kind fit into its rows.
  [[nodiscard]] std::int64_t reach(std::size_t axis) const { return extent()[axis] + box().size[axis] - 1; }
  [[nodiscard]] std::int64_t pitch() const {
    const std::int64_t widest = 2 * vector();
    return ((extent()[0] + widest - 1) / widest * widest + box().size[0] - 1 + vector() - 1) / vector() * vector();
  }
  [[nodiscard]] std::int64_t rows() const { return (extent()[1] + 3) / 4 * 4 + box().size[1] - 1; }
  [[nodiscard]] std::int64_t voxels() const { return extent()[0] * extent()[1] * extent()[2]; }
  [[nodiscard]] std::int64_t outputBytes() const {
    return voxels() * static_cast<std::int64_t>(bytesOf(workload().outputType()));
  }

  void describeGather() {
    gather_.source = {"filter_gather", {}, precision(), vector(), kBankGroup, {}};
    gather_.source.define("IN", std::string(toString(workload().input().type)));
    gather_.source.define("COMPONENTS", 1);
    gather_.columns = (pitch() + vector() - 1) / vector();
    gather_.rows = rows() * reach(2);
    gather_.elementsPerRow = pitch();
    gather_.operationsPerElement = 4;
    gather_.arguments = {kInput,         gathered_,    &tables_[0],
                         &tables_[1],    &tables_[2],  realArgument(workload().constant(), precision()),
                         inputRow(),     inputSlice(), int32(pitch()),
                         int32(pitch()), int32(rows())};
  }

  [[nodiscard]] std::int64_t chosenLength(const Share& one) const {
    const int registers = one.kernel.attributes().registers;
    return walkLength(extent()[2], box().size[2],
                      residentGroups(properties(), kBankGroup.count(), registers > 0 ? registers : 96, 0),
                      [&](std::int64_t walks) {
                        return (columns(one) + kBankGroup.x - 1) / kBankGroup.x *
                               ((walks * extent()[1] + kBankGroup.y - 1) / kBankGroup.y);
                      });
  }

  [[nodiscard]] KernelSource source(const Share& one) const {
    KernelSource source{one.march ? "tuned_march" : "tuned_tile", {}, precision(), vector(), kBankGroup, {}};
    defineTunedRows(source, workload(), tx(one));
    const std::int64_t loads = (tx(one) + box().size[0] - 1 + vector() - 1) / vector();
    source.define("LEFT", 0);
    source.define("LOADS", loads);
    // Rows of the output begin at whole vectors or not; those of the padded input always do.
    source.define("ALIGNED", extent()[0] % vector() == 0 ? 1 : 0);
    source.define("DIRECT", 0);
    if (one.march) {
      source.define("SIZE_M", box().size[2]);
      source.define("SIZE_N", box().size[1]);
      source.define("BAKED_TAPS", bakedTaps(workload().stencil(one.first).dense, precision()));
    } else {
      source.define("SIZE_Y", box().size[1]);
      source.define("SIZE_Z", box().size[2]);
      source.define("FILTERS", static_cast<std::int64_t>(one.count));
      source.define("TY", ty(one));
      const std::int64_t row =
          (box().size[0] * static_cast<std::int64_t>(one.count) + vector() - 1) / vector() * vector();
      source.define("TAPS_LOCAL", row * box().size[1] * box().size[2] * realBytes() <= kLocalTaps ? 1 : 0);
    }
    return source;
  }

  // Called when the length of its walks is known.
  void describeLaunch(Share& one) {
    const std::int64_t slice = extent()[0] * extent()[1];
    const std::int64_t walks = (extent()[2] + one.length - 1) / one.length;
    const std::int64_t blocks = (extent()[1] + ty(one) - 1) / ty(one);
    one.kernel.columns = columns(one);
    one.kernel.rows = one.march ? walks * extent()[1] : blocks * extent()[2];
    one.kernel.elementsPerRow = std::max<std::int64_t>(1, slice * extent()[2] / one.kernel.rows);
    one.kernel.operationsPerElement = 2.0 * static_cast<double>(box().count()) * static_cast<double>(one.count);
    one.kernel.arguments = arguments(one);
    describeRegisters(one.kernel);
    report_.launch["filters a launch"] = static_cast<double>(one.count);
    report_.launch["outputs a work item along x"] = static_cast<double>(tx(one));
    if (one.march) report_.launch["walk"] = static_cast<double>(one.length);
  }

  [[nodiscard]] std::vector<StageArgument> arguments(const Share& one) const {
    const std::int32_t width = int32(extent()[0]), height = int32(extent()[1]);
    const StageArgument outside = realArgument(0, precision());
    if (one.march)
      return {gathered_,       output_,         &counters_,         kNoBuffer,
              kNoBuffer,       outside,         pitch() * rows(),   int32(pitch()),
              width,           height,          int32(extent()[2]), int32(one.length),
              std::int32_t{0}, std::int32_t{0}, int32(columns(one))};
    return {gathered_,
            output_,
            &counters_,
            &one.taps,
            kNoBuffer,
            kNoBuffer,
            outside,
            pitch() * rows(),
            voxels(),
            int32(pitch()),
            width,
            height,
            int32((extent()[1] + ty(one) - 1) / ty(one))};
  }

  Slot gathered_{}, output_{};
  OwnBuffer counters_, tables_[3];
  std::vector<Share> shares_;
  KernelStage gather_;
};

}  // namespace

std::unique_ptr<Plan> makeTunedBank(DeviceEngine& engine, const FilterWorkload& workload, const PrepareOptions& options,
                                    const Control& control) {
  return std::make_unique<TunedBank>(engine, workload, options, control);
}

}  // namespace sscope
