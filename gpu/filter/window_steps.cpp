// Order statistics: gather the input with its boundary as keys, then one work item finds one output, or a few that
// follow each other along y.

#include <algorithm>
#include <numeric>

#include "core/filter/method/sorting_network.h"
#include "gpu/device/device.h"
#include "gpu/filter/gathered_rows.h"
#include "gpu/filter/step.h"
#include "gpu/run/launch_sizes.h"

namespace sscope {

namespace {

constexpr std::int64_t kMergedOutputs = 8;  // of a work item, along y

// The macros of kernels for exchanges and assignments.
void defineExchanges(KernelSource& source, const std::string& name, const SortingNetwork& network) {
  std::string text;
  for (std::size_t i = 0; i < network.count; ++i)
    text += "EXCHANGE(v, " + std::to_string(network.exchanges[i].low) + ", " +
            std::to_string(network.exchanges[i].high) + ") ";
  source.define(name + "(v)", text);
}
void definePut(KernelSource& source, const std::string& name, const SortingNetwork& network, std::size_t first,
               std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += "to[" + std::to_string(i) + "] = v[" + std::to_string(network.result.at[first + i]) + "]; ";
  source.define(name + "(to, v)", text);
}

// The value of this rank of two sorted lists of `a` and `b` values: over all splits of the values below it between the
// lists, the smallest of the larger end values.
std::string rankOfTwo(std::int64_t a, std::int64_t b, std::int64_t rank) {
  std::string text;
  for (std::int64_t i = std::max<std::int64_t>(0, rank + 1 - b); i <= std::min(a, rank + 1); ++i) {
    const std::string first = "(a)[" + std::to_string(i - 1) + "]", second = "(b)[" + std::to_string(rank - i) + "]";
    const std::string one = i == 0 ? second : i == rank + 1 ? first : "larger(" + first + ", " + second + ")";
    text = text.empty() ? one : "smaller(" + text + ", " + one + ")";
  }
  return text;
}

// Definitions of rank_merge.kernel.
void defineMerging(KernelSource& source, const std::array<std::int64_t, 3>& size) {
  const std::int64_t list = size[0] * size[2], shared = size[1] - 1, rank = size[1] * list / 2;
  const std::int64_t low = shared * list - 1 - rank, kept = rank + 1 - low;
  const auto count = static_cast<std::size_t>(list);
  const SortingNetwork sorting = sortingNetwork(count), rows = mergingNetwork(count, count);
  source.define("ALONG", size[0]);
  source.define("PLANES", size[2]);
  source.define("HEIGHT", size[1]);
  source.define("OUTPUTS", kMergedOutputs);
  source.define("KEPT", kept);
  defineExchanges(source, "SORT_ROW", sorting);
  definePut(source, "PUT_ROW", sorting, 0, count);
  defineExchanges(source, "MERGE_ROWS", rows);
  if (size[1] == 3) {
    definePut(source, "KEEP", rows, static_cast<std::size_t>(low), static_cast<std::size_t>(kept));
  } else {
    const SortingNetwork pairs = mergingNetwork(2 * count, 2 * count);
    definePut(source, "PUT_ROWS", rows, 0, 2 * count);
    defineExchanges(source, "MERGE_PAIRS", pairs);
    definePut(source, "KEEP", pairs, static_cast<std::size_t>(low), static_cast<std::size_t>(kept));
  }
  source.define("MIDDLE(a, b)", rankOfTwo(kept, list, rank - low));
}

// Whether a word holds the keys of two outputs, which one instruction compares: on CUDA devices from capability 9 on.
bool comparesPairs(const FilterContext& context) {
  const DeviceProperties& device = context.engine->device().properties();
  const ElementType ordered = context.workload->orderedAs();
  const bool narrow = ordered == ElementType::u8 || ordered == ElementType::u16 || ordered == ElementType::i16;
  return device.language == KernelLanguage::CudaCpp && device.capabilityMajor >= 9 && narrow &&
         context.components() == 1;
}

RowLayout searchLayout(const FilterContext& context, bool merges) {
  const std::int64_t beside = merges && comparesPairs(context) ? 2 : 1;
  RowLayout layout{1, context.style.group, beside, merges ? kMergedOutputs : 1, RankKeys{}};
  layout.keys->ordered = context.workload->orderedAs();
  return layout;
}

class RankStep : public FilterStep {
 public:
  RankStep(const FilterContext& context, const FilterMethod& method)
      : c_(context),
        window_(method.window),
        kind_(method.kind),
        layout_(searchLayout(context, kind_ == MethodKind::Merging)),
        rows_(context, window_.size, window_.anchor, layout_) {
    search_.source = source();
    search_.columns = (rows_.length() + layout_.tileX - 1) / layout_.tileX;
    search_.elementsPerRow = rows_.length() * (merges() ? kMergedOutputs : 1);
    search_.operationsPerElement = operations();
    search_.arguments = {kGathered, kOutput};
    if (!merges()) search_.arguments.emplace_back(&offsets_);
    for (const StageArgument& argument :
         std::initializer_list<StageArgument>{c_.saturated, rows_.pitch() * rows_.rowsY(), int32(rows_.pitch()),
                                              int32(rows_.length()), int32(c_.region().size(1))})
      search_.arguments.push_back(argument);
    search_.start(c_.engine->programs());
  }

  void needSlices(const Range& outputs, std::vector<bool>& needed) const override { rows_.needSlices(outputs, needed); }

  void needBytes(std::int64_t slices, SlotBytes& bytes) const override { rows_.needBytes(slices, bytes); }

  void finish(const Control& control) override {
    rows_.finish(control);
    search_.finish(control);
    if (merges()) return;
    std::vector<std::int64_t> offsets;
    for (const auto& [x, y, z] : window_.members)
      offsets.push_back((z * rows_.rowsY() + y) * rows_.pitch() + x * c_.components());
    offsets_ = device().allocate(static_cast<std::int64_t>(offsets.size() * sizeof offsets[0]));
    waitFor(*device().write(*offsets_, 0, std::as_bytes(std::span(offsets))), control);
  }

  [[nodiscard]] bool takeWeights(const FilterMethod& method, const Control& /*control*/) override {
    return method.window == window_;
  }

  void compute(DeviceRun& run, const FilterTile& tile, const DeviceRun::Progress& finished) override {
    const double gatherShare = 4.0 / (4.0 + operations());
    rows_.compute(run, tile, [&](double share) { finished(gatherShare * share); });
    const std::int64_t rows = c_.region().size(1);
    search_.rows = (merges() ? dividedUp(rows, kMergedOutputs) : rows) * tile.size();
    run.launch(search_, &Phases::kernel, [&](double share) { finished(gatherShare + (1 - gatherShare) * share); });
  }

  [[nodiscard]] double executedTaps() const override { return static_cast<double>(window_.count()); }

 private:
  Device& device() const { return c_.engine->device(); }
  [[nodiscard]] bool merges() const { return kind_ == MethodKind::Merging; }
  static std::int64_t dividedUp(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

  // An estimate that limits the size of launches.
  double operations() const {
    const auto count = static_cast<double>(window_.count());
    if (merges()) return 4 * count;
    if (kind_ == MethodKind::Selection) return 0.75 * (count / 2 + 2) * (count / 2 + 2);
    return 3 * 8 * static_cast<double>(layout_.keys->bytes()) * count;
  }

  KernelSource source() const {
    KernelSource source{
        merges() ? "rank_merge" : "filter_rank", {}, storePrecision(*c_.workload), 1, c_.style.group, {}};
    defineKeys(source, *layout_.keys, merges() && layout_.tileX == 2);
    defineRankStore(source, *layout_.keys, c_.workload->outputType());
    if (merges()) {
      source.define("COMPONENTS", c_.components());
      defineMerging(source, window_.size);
      return source;
    }
    source.define("SELECT", kind_ == MethodKind::Selection ? 1 : 0);
    source.define("MEMBERS", window_.count());
    source.define("RANK", window_.rank);
    source.define("OFFSETS_SPACE", tapsSpace(device().properties(), window_.count(), Precision::f64));
    return source;
  }

  FilterContext c_;
  RankWindow window_;
  MethodKind kind_;
  RowLayout layout_;
  GatheredRows rows_;
  OwnBuffer offsets_;
  KernelStage search_;
};

}  // namespace

std::unique_ptr<FilterStep> makeRankStep(const FilterContext& context, const FilterMethod& method) {
  return std::make_unique<RankStep>(context, method);
}

// Entropies: gather the input with its boundary as keys, sort these into bins, then count along rows.

namespace {

constexpr std::int64_t kEntropyRun = 32;  // outputs of a work item along x

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
    source.define("RUN", kEntropyRun);
    source.define("COMPONENTS", c_.components());
    counts_.source = std::move(source);
    counts_.columns = (region.size(0) + kEntropyRun - 1) / kEntropyRun * c_.components();
    counts_.elementsPerRow = rows_.length();
    // A histogram is cleared and filled for every run; counts wait for each other.
    constexpr double kEach = 16;
    const auto begun = static_cast<double>(window_.bins + window_.count()) / static_cast<double>(kEntropyRun);
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
