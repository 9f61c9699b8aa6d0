// Minima and maxima: gather the input with its boundary as keys, then compute those of lines. A box is computed along
// one axis after the other; any other window by the lines along x that it consists of, lines of one length together.

#include <algorithm>
#include <array>

#include "gpu/device/device.h"
#include "gpu/filter/gathered_rows.h"
#include "gpu/filter/step.h"
#include "gpu/run/launch_sizes.h"

namespace sscope {

namespace {

constexpr std::int64_t kRun = 8;  // outputs of a work item along the axis of a pass

std::int64_t dividedUp(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

RowLayout linesLayout(const FilterContext& context, const RankWindow& window) {
  RowLayout layout{1, context.style.group, 1, 1, RankKeys{}};
  *layout.keys = {context.workload->orderedAs(), window.minimum()};
  return layout;
}

// The indices of a pass's arguments that change from launch to launch.
constexpr std::size_t kLength = 7, kExtent = 9, kValues = 10;
constexpr std::size_t kFrom = 9, kEnd = 10, kBegins = 11, kEnds = 12;  // of rank_most

class LinesStep : public FilterStep {
 public:
  LinesStep(const FilterContext& context, const FilterMethod& method)
      : c_(context),
        window_(method.window),
        layout_(linesLayout(context, window_)),
        rows_(context, window_.size, window_.anchor, layout_) {
    if (window_.box()) {
      for (std::size_t a = 0; a < 3; ++a)
        if (window_.size[a] > 1) axes_.push_back(a);
      if (axes_.empty()) axes_.push_back(0);
      describePasses();
    } else {
      describeLines();
    }
    for (KernelStage& stage : stages_) stage.start(c_.engine->programs());
  }

  void needSlices(const Range& outputs, std::vector<bool>& needed) const override { rows_.needSlices(outputs, needed); }

  void needBytes(std::int64_t slices, SlotBytes& bytes) const override {
    rows_.needBytes(slices, bytes);
    const auto need = [&](Slot slot, std::int64_t keys) {
      std::int64_t& held = bytesAt(bytes, slot);
      held = std::max(held, keys * layout_.keys->bytes() + kSlackBytes);
    };
    const std::int64_t deep = slices + window_.size[2] - 1;
    if (axes_.empty()) {
      need(kAfterZ, rows_.pitch() * rows_.rowsY() * deep);
      need(kAfterY, rows_.length() * c_.region().size(1) * slices);
      return;
    }
    for (std::size_t i = 0; i + 1 < axes_.size(); ++i)
      need(slotAfter(i), rows_.length() * (axes_[i] == 0 ? rows_.rowsY() : c_.region().size(1)) * deep);
  }

  void finish(const Control& control) override {
    rows_.finish(control);
    for (KernelStage& stage : stages_) stage.finish(control);
    if (!axes_.empty()) return;
    std::vector<std::int64_t> offsets;
    for (const Lines& lines : lines_)
      for (const auto& [x, y, z] : lines.begins)
        offsets.push_back((z * rows_.rowsY() + y) * rows_.pitch() + x * c_.components());
    offsets_ = c_.engine->device().allocate(static_cast<std::int64_t>(offsets.size() * sizeof offsets[0]));
    waitFor(*c_.engine->device().write(*offsets_, 0, std::as_bytes(std::span(offsets))), control);
  }

  [[nodiscard]] bool takeWeights(const FilterMethod& method, const Control& /*control*/) override {
    return method.window == window_;
  }

  void compute(DeviceRun& run, const FilterTile& tile, const DeviceRun::Progress& finished) override {
    constexpr double kGathering = 0.3;
    rows_.compute(run, tile, [&](double share) { finished(kGathering * share); });
    const auto search = [&](double share) { finished(kGathering + (1 - kGathering) * share); };
    if (axes_.empty()) {
      computeLines(run, tile, search);
    } else {
      computePasses(run, tile, search);
    }
  }

  [[nodiscard]] double executedTaps() const override {
    return axes_.empty() ? static_cast<double>(window_.lines()) : 4.0 * static_cast<double>(axes_.size());
  }

 private:
  struct Lines {
    std::int64_t length = 1;
    std::vector<std::array<std::int64_t, 3>> begins;
  };

  [[nodiscard]] static Slot slotAfter(std::size_t pass) { return pass == 0 ? kAfterZ : kAfterY; }

  [[nodiscard]] KernelSource source(const char* kernel, bool stores) const {
    KernelSource source{kernel, {}, storePrecision(*c_.workload), 1, c_.style.group, {}};
    defineKeys(source, *layout_.keys);
    if (stores) defineRankStore(source, *layout_.keys, c_.workload->outputType());
    return source;
  }

  [[nodiscard]] KernelSource passSource(std::size_t axis, bool last) const {
    KernelSource made = source("rank_lines", last);
    made.define("AXIS", static_cast<std::int64_t>(axis));
    made.define("COMPONENTS", c_.components());
    made.define("RUN", kRun);
    made.define("LAST", last ? 1 : 0);
    made.define("TARGET", last ? std::string(toString(c_.workload->outputType())) : layout_.keys->stored());
    return made;
  }

  void describePasses() {
    const Box& region = c_.region();
    std::int64_t pitch = rows_.pitch(), sourceRows = rows_.rowsY();
    stages_.resize(axes_.size());
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      const std::size_t axis = axes_[i];
      const bool last = i + 1 == axes_.size();
      const std::int64_t length = rows_.length(), rows = axis == 0 ? sourceRows : region.size(1);
      KernelStage& stage = stages_[i];
      stage.source = passSource(axis, last);
      stage.columns = axis == 0 ? dividedUp(region.size(0), kRun) * c_.components() : length;
      stage.elementsPerRow = axis == 0 ? length : length * kRun;
      stage.operationsPerElement = 6;
      stage.arguments = {i == 0 ? kGathered : slotAfter(i - 1),
                         last ? kOutput : slotAfter(i),
                         c_.saturated,
                         pitch * sourceRows,
                         length * rows,
                         int32(pitch),
                         int32(length),
                         int32(length),
                         int32(rows),
                         int32(axis == 2 ? 1 : region.size(static_cast<int>(axis))),
                         int32(window_.size[axis])};
      pitch = length;
      sourceRows = rows;
    }
  }

  void computePasses(DeviceRun& run, const FilterTile& tile, const DeviceRun::Progress& finished) {
    const std::int64_t deep = tile.size() + window_.size[2] - 1;
    const auto passes = static_cast<double>(stages_.size());
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      KernelStage& stage = stages_[i];
      const std::int64_t rows = std::get<std::int32_t>(stage.arguments[8]);
      stage.rows = axes_[i] == 0   ? rows * deep
                   : axes_[i] == 1 ? dividedUp(rows, kRun) * deep
                                   : rows * dividedUp(tile.size(), kRun);
      if (axes_[i] == 2) stage.arguments[kExtent] = int32(tile.size());
      run.launch(stage, &Phases::kernel, [&](double share) { finished((static_cast<double>(i) + share) / passes); });
    }
  }

  void describeLines() {
    for (auto& [length, begins] : window_.linesByLength()) lines_.push_back({length, std::move(begins)});
    stages_.resize(2);
    KernelStage& along = stages_[0];
    along.source = passSource(0, false);
    along.columns = dividedUp(c_.region().size(0) + window_.size[0] - 1, kRun) * c_.components();
    along.elementsPerRow = rows_.pitch();
    along.operationsPerElement = 6;
    const std::int64_t slice = rows_.pitch() * rows_.rowsY();
    along.arguments = {kGathered,
                       kAfterZ,
                       c_.saturated,
                       slice,
                       slice,
                       int32(rows_.pitch()),
                       int32(rows_.pitch()),
                       int32(0),
                       int32(rows_.rowsY()),
                       int32(0),
                       int32(1)};
    KernelStage& most = stages_[1];
    most.source = source("rank_most", true);
    most.columns = most.elementsPerRow = rows_.length();
    most.operationsPerElement = 2 * static_cast<double>(window_.lines());
    most.arguments = {kGathered,
                      kAfterY,
                      kOutput,
                      &offsets_,
                      c_.saturated,
                      slice,
                      int32(rows_.pitch()),
                      int32(rows_.length()),
                      int32(c_.region().size(1)),
                      int32(0),
                      int32(0),
                      int32(0),
                      int32(0)};
  }

  void computeLines(DeviceRun& run, const FilterTile& tile, const DeviceRun::Progress& finished) {
    KernelStage &along = stages_[0], &most = stages_[1];
    along.rows = rows_.rowsY() * (tile.size() + window_.size[2] - 1);
    most.rows = c_.region().size(1) * tile.size();
    std::int64_t from = 0;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::int64_t length = lines_[i].length, end = from + std::ssize(lines_[i].begins);
      const auto part = [&](double share) {
        finished((static_cast<double>(i) + share) / static_cast<double>(lines_.size()));
      };
      const std::int64_t extent = c_.region().size(0) + window_.size[0] - length;
      along.arguments[kLength] = int32(extent * c_.components());
      along.arguments[kExtent] = int32(extent);
      along.arguments[kValues] = int32(length);
      if (length > 1) run.launch(along, &Phases::kernel, [&](double share) { part(0.2 * share); });
      most.arguments[0] = length > 1 ? kAfterZ : kGathered;
      most.arguments[kFrom] = int32(from);
      most.arguments[kEnd] = int32(end);
      most.arguments[kBegins] = int32(i == 0 ? 1 : 0);
      most.arguments[kEnds] = int32(i + 1 == lines_.size() ? 1 : 0);
      run.launch(most, &Phases::kernel, part);
      from = end;
    }
  }

  FilterContext c_;
  RankWindow window_;
  RowLayout layout_;
  GatheredRows rows_;
  std::vector<std::size_t> axes_;  // of a box's passes, in order
  std::vector<Lines> lines_;       // of other windows
  OwnBuffer offsets_;
  std::vector<KernelStage> stages_;
};

}  // namespace

std::unique_ptr<FilterStep> makeLinesStep(const FilterContext& context, const FilterMethod& method) {
  return std::make_unique<LinesStep>(context, method);
}

}  // namespace sscope
