#include <algorithm>

#include "core/base/stopwatch.h"
#include "core/workload/workload_options.h"
#include "gpu/device/split_launch.h"
#include "gpu/device/wait.h"
#include "gpu/filter/baked_taps.h"
#include "gpu/filter/row_blocks.h"
#include "gpu/filter/tuned_plan.h"
#include "gpu/run/sizes.h"
#include "gpu/run/walk_length.h"

namespace sscope {

namespace {

const Grid kBankGroup{32, 4};
constexpr std::int64_t kMostFilters = 8;                     // whose sums one work item holds
constexpr std::int64_t kMarchMultiplyAdds = 2048;            // in the code of one step of a walk; more leave the caches
constexpr std::int64_t kLocalTaps = std::int64_t{32} << 10;  // bytes of local memory for taps

// Filters that one launch computes.
struct Share {
  std::size_t first = 0, count = 1;
  bool march = false;
  std::shared_ptr<CompiledKernel> kernel;
  std::unique_ptr<DeviceBuffer> taps;  // of tiles
  std::int64_t length = 1;             // of walks
};

class TunedBank final : public TunedPlan {
 public:
  TunedBank(DeviceEngine& engine, const FilterWorkload& workload, const PrepareOptions& options, const Control& control)
      : TunedPlan(engine, workload, options), counters_(engine.device().allocate(kMostFilters * 8)) {
    share(integerOf(options.values, "together"));
    checkMemory();
    const Stopwatch watch;
    std::vector<ProgramCache::Pending> pending{programs().start(gatherSource(), gatherArguments(false))};
    for (const Share& one : shares_) pending.push_back(programs().start(source(one), arguments(one, false)));
    // Rows and slices beyond the last tap are read by blocks that stick out.
    tables_[0] = makeTable(device(), places(0, pitch() - reach(0)), control);
    tables_[1] = makeTable(device(), places(1, rows() - reach(1)), control);
    tables_[2] = makeTable(device(), places(2), control);
    gather_ = ProgramCache::wait(pending[0], control);
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      Share& one = shares_[i];
      one.kernel = ProgramCache::wait(pending[i + 1], control);
      if (one.march) {
        const int registers = one.kernel->kernel->attributes().registers;
        one.length =
            walkLength(extent()[2], box().size[2],
                       residentGroups(device().properties(), kBankGroup.count(), registers > 0 ? registers : 96, 0),
                       [&](std::int64_t walks) {
                         return (columns(one) + kBankGroup.x - 1) / kBankGroup.x *
                                ((walks * extent()[1] + kBankGroup.y - 1) / kBankGroup.y);
                       });
      } else {
        one.taps = makeTaps(device(), rowsOfTaps(workload, one.first, one.count, vector()), precision(), control);
      }
    }
    compileSeconds_ = watch.seconds();
  }

  [[nodiscard]] std::string description() const override {
    std::string text;
    for (const Share& one : shares_)
      text += (text.empty() ? "" : ", ") + (one.march ? "a walk of " + std::to_string(one.length)
                                                      : "tiles of " + std::to_string(one.count) + " filters");
    return text;
  }

 protected:
  [[nodiscard]] SlotBytes slotBytes() const override {
    SlotBytes bytes{};
    bytes[static_cast<std::size_t>(Slot::Input)] = workload().input().bytes() + kSlackBytes;
    bytes[static_cast<std::size_t>(Slot::Gathered)] = pitch() * rows() * reach(2) * realBytes() + kSlackBytes;
    std::size_t most = 1;
    for (const Share& one : shares_) most = std::max(most, one.count);
    bytes[static_cast<std::size_t>(Slot::Output)] = static_cast<std::int64_t>(most) * outputBytes() + kSlackBytes;
    return bytes;
  }

  void compute(std::span<const ArrayView> outputs, RunReport& report, const Control& control) override {
    const double filters = static_cast<double>(outputs.size());
    const SplitLaunch gather{gather_.get(),        kBankGroup, (pitch() + vector() - 1) / vector(),
                             rows() * reach(2),    pitch(),    4,
                             gatherArguments(true)};
    report.phases.kernel += runSplit(device(), gather, control, [](double) {});
    for (const Share& one : shares_) {
      const double before = static_cast<double>(one.first) / filters, part = static_cast<double>(one.count) / filters;
      launch(one, report, control, [&](double share) { control.report(before + 0.8 * part * share, "computing"); });
      for (std::size_t i = 0; i < one.count; ++i)
        fetch(Slot::Output, static_cast<std::int64_t>(i) * outputBytes(), outputs[one.first + i], report, control);
      control.report(before + part, "computing");
    }
  }

 private:
  // As many filters a launch as asked for (0: any number) and as their sums and taps fit, the rest together, a single
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

  [[nodiscard]] KernelSource gatherSource() const {
    KernelSource source{"filter_gather", {}, precision(), vector(), kBankGroup, {}};
    source.define("IN", std::string(toString(workload().input().type)));
    source.define("COMPONENTS", 1);
    return source;
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

  void launch(const Share& one, RunReport& report, const Control& control,
              const std::function<void(double)>& finished) {
    const bool counts = isInteger(workload().outputType());
    std::array<std::uint64_t, kMostFilters> lost{};
    const auto bytes = std::as_writable_bytes(std::span(lost));
    if (counts) waitFor(*device().write(*counters_, 0, bytes), control);
    const std::int64_t slice = extent()[0] * extent()[1];
    const std::int64_t walks = (extent()[2] + one.length - 1) / one.length;
    const std::int64_t blocks = (extent()[1] + ty(one) - 1) / ty(one);
    const std::int64_t groups = one.march ? walks * extent()[1] : blocks * extent()[2];
    const SplitLaunch launch{one.kernel.get(),
                             kBankGroup,
                             columns(one),
                             groups,
                             std::max<std::int64_t>(1, slice * extent()[2] / groups),
                             2.0 * static_cast<double>(box().count()) * static_cast<double>(one.count),
                             arguments(one, true)};
    report.phases.kernel += runSplit(device(), launch, control, finished);
    if (const int registers = one.kernel->kernel->attributes().registers; registers > 0)
      report.launch["registers"] = registers;
    report.launch["filters a launch"] = static_cast<double>(one.count);
    report.launch["outputs a work item along x"] = static_cast<double>(tx(one));
    if (one.march) report.launch["walk"] = static_cast<double>(one.length);
    if (!counts) return;
    waitFor(*device().read(*counters_, 0, bytes), control);
    for (std::size_t i = 0; i < one.count; ++i) report.saturated[one.first + i] += static_cast<std::int64_t>(lost[i]);
  }

  [[nodiscard]] std::vector<KernelArgument> gatherArguments(bool real) const {
    std::vector<KernelArgument> list{real ? slot(Slot::Input) : kNoBuffer,
                                     real ? slot(Slot::Gathered) : kNoBuffer,
                                     tables_[0].get(),
                                     tables_[1].get(),
                                     tables_[2].get(),
                                     realArgument(workload().constant(), precision()),
                                     extent()[0],
                                     extent()[0] * extent()[1],
                                     int32(pitch()),
                                     int32(pitch()),
                                     int32(rows())};
    return complete(std::move(list), real);
  }

  [[nodiscard]] std::vector<KernelArgument> arguments(const Share& one, bool real) const {
    const DeviceBuffer* in = real ? slot(Slot::Gathered) : kNoBuffer;
    const DeviceBuffer* out = real ? slot(Slot::Output) : kNoBuffer;
    const std::int32_t width = int32(extent()[0]), height = int32(extent()[1]);
    const KernelArgument outside = realArgument(0, precision());
    if (one.march)
      return complete(
          {in, out, counters_.get(), kNoBuffer, kNoBuffer, outside, pitch() * rows(), int32(pitch()), width, height,
           int32(extent()[2]), int32(one.length), std::int32_t{0}, std::int32_t{0}, int32(columns(one))},
          real);
    return complete({in, out, counters_.get(), one.taps.get(), kNoBuffer, kNoBuffer, outside, pitch() * rows(),
                     voxels(), int32(pitch()), width, height, int32((extent()[1] + ty(one) - 1) / ty(one))},
                    real);
  }

  // The first row of work items and their number follow in real launches, see SplitLaunch.
  static std::vector<KernelArgument> complete(std::vector<KernelArgument> list, bool real) {
    if (!real) list.insert(list.end(), 2, std::int32_t{0});
    return list;
  }

  std::unique_ptr<DeviceBuffer> counters_, tables_[3];
  std::vector<Share> shares_;
  std::shared_ptr<CompiledKernel> gather_;
};

}  // namespace

std::unique_ptr<Plan> makeTunedBank(DeviceEngine& engine, const FilterWorkload& workload, const PrepareOptions& options,
                                    const Control& control) {
  return std::make_unique<TunedBank>(engine, workload, options, control);
}

}  // namespace sscope
