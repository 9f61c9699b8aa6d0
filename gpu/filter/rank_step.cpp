// Order statistics: gather the input with its boundary as keys, then one work item finds one output, or a few that
// follow each other along y.

#include "core/filter/method/sorting_network.h"
#include "gpu/device/wait.h"
#include "gpu/filter/gathered_rows.h"
#include "gpu/filter/step.h"
#include "gpu/run/sizes.h"

namespace sscope {

namespace {

constexpr std::int64_t kMergedOutputs = 8;  // of a work item, along y

// Exchanges and assignments as macros of kernels.
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

// The value of this rank of two sorted lists of `a` and `b` values: the smallest of what is largest when so many of the
// first and the rest of the second are below it.
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

// Whether a word holds the keys of two outputs, which one instruction compares: CUDA's from capability 9 on.
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

  // An estimate, by which launches are cut.
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

}  // namespace sscope
