#include "core/filter/workload/soup_workload.h"
#include "core/workload/workload_options.h"
#include "gpu/filter/row_blocks.h"
#include "gpu/filter/tuned_plan.h"

namespace sscope {

namespace {

const Grid kSoupGroup{32, 8};

class TunedSoup final : public TunedPlan {
 public:
  TunedSoup(DeviceEngine& engine, const SoupWorkload& workload, const PrepareOptions& options, const Control& control)
      : TunedPlan(engine, workload, options), taps_(workload.taps()), rows_(integerOf(options.values, "rows")) {
    // Rows must begin at whole words of the width of a block; where none fits, bytes are fetched by themselves.
    tx_ = std::stoll(textOf(options.values, "columns"));
    while (extent()[0] % tx_ != 0 && tx_ > 4) tx_ /= 2;
    blocks_ = blocksOf(extent()[0], 9, 4, 4, tx_);  // blocks read four elements on either side
    if (extent()[0] % 4 != 0) blocks_.begin = blocks_.end = 0;
    output_ = ask(workload.outputs().front().bytes(), "output");
    requireMemory();
    kernel_.source = source();
    kernel_.columns = columns();
    kernel_.rows = (extent()[1] + rows_ - 1) / rows_;
    kernel_.elementsPerRow = extent()[0] * rows_;
    kernel_.operationsPerElement = 50;
    kernel_.arguments = {kInput,
                         output_,
                         &places_[0],
                         &places_[1],
                         static_cast<std::int32_t>(workload.constant()),
                         workload.scale(),
                         int32(extent()[0]),
                         int32(extent()[1]),
                         int32(blocks_.begin),
                         int32(blocks_.end),
                         int32(blocks_.blocks)};
    compile([&] {
      kernel_.start(programs());
      for (std::size_t axis = 0; axis < 2; ++axis) places_[axis] = makeTable(device(), places(axis), control);
      kernel_.finish(control);
    });
    report_.launch["outputs a work item along x"] = static_cast<double>(tx_);
    describeRegisters(kernel_);
  }

  [[nodiscard]] std::string description() const override {
    return "blocks of " + std::to_string(tx_) + " x " + std::to_string(rows_) + ", dot products of four bytes";
  }

 protected:
  void compute(DeviceRun& run) override {
    run.upload();
    run.launch(kernel_, &Phases::kernel, run.part(0, 0.9, "computing"));
    run.download(output_, 0);
  }

 private:
  [[nodiscard]] std::int64_t columns() const {
    const std::int64_t inside = blocks_.end - blocks_.begin;
    return (inside + kSoupGroup.x - 1) / kSoupGroup.x * kSoupGroup.x + blocks_.blocks - inside;
  }

  [[nodiscard]] KernelSource source() const {
    KernelSource source{"tuned_soup", {}, Precision::f32, 1, kSoupGroup, {}};
    source.define("TX", tx_);
    source.define("TY", rows_);
    source.define("PART", input().isPart() ? 1 : 0);
    source.define("ALIGNED", extent()[0] % tx_ == 0 ? 1 : 0);
    source.define("HAS_OUTSIDE", workload().boundary() == Boundary::constant ? 1 : 0);
    std::string words;
    for (std::size_t row = 0; row < 5; ++row) {
      std::uint32_t four = 0;
      for (std::size_t i = 0; i < 4; ++i)
        four |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(taps_[row * 5 + i])) << (8 * i);
      words += std::to_string(static_cast<std::int32_t>(four)) + "," + std::to_string(taps_[row * 5 + 4] & 255) + ",";
    }
    words.pop_back();
    source.define("TAP_WORDS", words);
    return source;
  }

  std::array<int, 25> taps_;
  std::int64_t tx_ = 4;
  std::int64_t rows_;  // outputs of a work item along y
  RowBlocks blocks_;
  Slot output_{};
  OwnBuffer places_[2];
  KernelStage kernel_;
};

}  // namespace

std::unique_ptr<Plan> makeTunedSoup(DeviceEngine& engine, const FilterWorkload& workload, const PrepareOptions& options,
                                    const Control& control) {
  return std::make_unique<TunedSoup>(engine, workloadAs<SoupWorkload>(workload), options, control);
}

}  // namespace sscope
