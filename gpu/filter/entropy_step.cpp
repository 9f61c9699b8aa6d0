// Entropies: gather the input with its boundary as keys, sort these into bins, then count along rows.

#include <algorithm>
#include <numeric>

#include "gpu/device/wait.h"
#include "gpu/filter/gathered_rows.h"
#include "gpu/filter/step.h"
#include "gpu/run/sizes.h"

namespace sscope {

namespace {

constexpr std::int64_t kRun = 32;  // outputs of a work item along x

RowLayout entropyLayout(const FilterContext& context) {
  RowLayout layout{1, context.style.group, 1, 1, RankKeys{}};
  layout.keys->ordered = context.workload->orderedAs();
  return layout;
}

// Histograms of all work items of a group fit into 32 KiB of local memory.
Grid groupFor(const EntropyWindow& window) {
  constexpr std::int64_t kLocalBytes = 30 << 10, kColumns = 8;
  const std::int64_t bytes = (window.bins + 1) * static_cast<std::int64_t>(sizeof(std::uint16_t));
  return {kColumns, kLocalBytes / bytes >= 8 * kColumns ? 8 : 4};
}

class EntropyStep : public FilterStep {
 public:
  EntropyStep(const FilterContext& context, const FilterMethod& method)
      : c_(context),
        window_(method.entropy),
        layout_(entropyLayout(context)),
        rows_(context, window_.shape.size, window_.shape.anchor, layout_) {
    describeBins();
    describeCounts();
    bins_.start(c_.engine->programs());
    counts_.start(c_.engine->programs());
  }

  void needSlices(const Range& outputs, std::vector<bool>& needed) const override { rows_.needSlices(outputs, needed); }

  void needBytes(std::int64_t slices, SlotBytes& bytes) const override {
    rows_.needBytes(slices, bytes);
    std::int64_t& held = bytesAt(bytes, kAfterZ);
    const std::int64_t numbers = slice() * (slices + window_.shape.size[2] - 1);
    held = std::max(held, numbers * static_cast<std::int64_t>(sizeof(std::uint16_t)) + kSlackBytes);
  }

  void finish(const Control& control) override {
    rows_.finish(control);
    bins_.finish(control);
    counts_.finish(control);
    put(thresholds_, binThresholds(window_, layout_.keys->ordered), control);
    put(steps_, entropySteps(window_.count()), control);
    std::vector<std::int64_t> begins, ends;
    for (const auto& [length, places] : window_.shape.linesByLength())
      for (const auto& [x, y, z] : places) {
        begins.push_back((z * rows_.rowsY() + y) * rows_.pitch() + x * c_.components());
        ends.push_back(begins.back() + length * c_.components());
      }
    begins.insert(begins.end(), ends.begin(), ends.end());
    put(lines_, begins, control);
  }

  [[nodiscard]] bool takeWeights(const FilterMethod& method, const Control& /*control*/) override {
    return method.entropy == window_;
  }

  void compute(DeviceRun& run, const FilterTile& tile, const DeviceRun::Progress& finished) override {
    constexpr double kGathering = 0.1, kBinning = 0.1;
    rows_.compute(run, tile, [&](double share) { finished(kGathering * share); });
    bins_.rows = rows_.rowsY() * (tile.size() + window_.shape.size[2] - 1);
    run.launch(bins_, &Phases::kernel, [&](double share) { finished(kGathering + kBinning * share); });
    counts_.rows = c_.region().size(1) * tile.size();
    constexpr double kBefore = kGathering + kBinning;
    run.launch(counts_, &Phases::kernel, [&](double share) { finished(kBefore + (1 - kBefore) * share); });
  }

  [[nodiscard]] double executedTaps() const override { return static_cast<double>(window_.shape.lines()); }

 private:
  [[nodiscard]] std::int64_t slice() const { return rows_.pitch() * rows_.rowsY(); }

  void put(OwnBuffer& table, const std::vector<std::int64_t>& values, const Control& control) {
    Device& device = c_.engine->device();
    const std::vector<std::int64_t> some = values.empty() ? std::vector<std::int64_t>(1) : values;
    table = device.allocate(static_cast<std::int64_t>(some.size() * sizeof some[0]));
    waitFor(*device.write(*table, 0, std::as_bytes(std::span(some))), control);
  }

  void describeBins() {
    bins_.source = {"entropy_bins", {}, storePrecision(*c_.workload), 1, c_.style.group, {}};
    defineKeys(bins_.source, *layout_.keys);
    bins_.columns = bins_.elementsPerRow = rows_.pitch();
    bins_.operationsPerElement = 20;
    bins_.arguments = {kGathered, kAfterZ, &thresholds_, int32(rows_.pitch()),
                       int32(std::ssize(binThresholds(window_, layout_.keys->ordered)))};
  }

  void describeCounts() {
    const Box& region = c_.region();
    const std::int64_t lines = window_.shape.lines();
    const std::vector<std::int64_t> steps = entropySteps(window_.count());
    KernelSource source{"filter_entropy", {}, c_.precision(), 1, groupFor(window_), {}};
    defineStore(source, c_.workload->outputType(), false, false);
    source.define("BINS", window_.bins);
    source.define("LINES", lines);
    source.define("MEMBERS", window_.count());
    source.define("RUN", kRun);
    source.define("COMPONENTS", c_.components());
    counts_.source = std::move(source);
    counts_.columns = (region.size(0) + kRun - 1) / kRun * c_.components();
    counts_.elementsPerRow = rows_.length();
    // A histogram is cleared and filled for every run; counts wait for each other.
    constexpr double kEach = 16;
    const auto begun = static_cast<double>(window_.bins + window_.count()) / static_cast<double>(kRun);
    counts_.operationsPerElement = kEach * (2 * static_cast<double>(lines) + begun);
    counts_.arguments = {kAfterZ,
                         kOutput,
                         &lines_,
                         &steps_,
                         c_.saturated,
                         std::accumulate(steps.begin(), steps.end(), std::int64_t{0}),
                         slice(),
                         int32(rows_.pitch()),
                         int32(rows_.length()),
                         int32(region.size(1)),
                         int32(region.size(0))};
  }

  FilterContext c_;
  EntropyWindow window_;
  RowLayout layout_;
  GatheredRows rows_;
  OwnBuffer thresholds_, lines_, steps_;
  KernelStage bins_, counts_;
};

}  // namespace

std::unique_ptr<FilterStep> makeEntropyStep(const FilterContext& context, const FilterMethod& method) {
  return std::make_unique<EntropyStep>(context, method);
}

}  // namespace sscope
