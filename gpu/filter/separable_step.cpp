// Separable filters: passes along z, y and x (always in this order, so that every part of a result is the same sum),
// terms added up. Along z first, because the slices a tile needs beyond its own are then read only once.

#include <algorithm>

#include "gpu/device/split_launch.h"
#include "gpu/filter/step.h"
#include "gpu/run/sizes.h"

namespace sscope {

namespace {

// What a pass reads or writes: whole rows of the ranges x and y, in a slot.
struct PassArray {
  Slot slot = Slot::Input;
  Range x, y;
  std::int64_t row = 0;  // elements from row to row

  [[nodiscard]] std::int64_t slice() const { return row * y.size(); }
};

struct Pass {
  std::size_t axis = 0;
  AxisTaps taps;
  double outside = 0;  // what stands for the boundary constant after the passes before
  PassArray from, to;
  bool accumulate = false;
  std::int64_t block = 1;
  ProgramCache::Pending pending;
  std::shared_ptr<CompiledKernel> kernel;
  std::unique_ptr<DeviceBuffer> tapsTable, map;
};

class SeparableStep : public FilterStep {
 public:
  SeparableStep(const FilterContext& context, const FilterMethod& method)
      : c_(context), executed_(method.executedTaps()) {
    for (std::size_t t = 0; t < method.terms.size(); ++t)
      addTerm(method.terms[t], t == 0, t + 1 == method.terms.size());
    for (Pass& pass : passes_) pass.pending = programs().start(sourceOf(pass), idleArguments(pass));
  }

  void needSlices(const Range& outputs, std::vector<bool>& needed) const override {
    for (const Pass& pass : passes_) {
      if (pass.axis == 2) {
        markSlices(outputs, pass.taps.size(), pass.taps.anchor, c_.workload->boundary(), needed);
      } else if (pass.from.slot == Slot::Input) {
        markSlices(outputs, 1, 0, c_.workload->boundary(), needed);
      }
    }
  }

  void needBytes(std::int64_t slices, SlotBytes& bytes) const override {
    for (const Pass& pass : passes_) {
      if (pass.to.slot == Slot::Output) continue;
      auto& slot = bytes[static_cast<std::size_t>(pass.to.slot)];
      slot = std::max(slot, pass.to.slice() * slices * c_.realBytes() + kSlackBytes);
    }
  }

  void finish(const Control& control) override {
    for (Pass& pass : passes_) {
      pass.kernel = ProgramCache::wait(pass.pending, control);
      pass.tapsTable = makeTaps(device(), pass.taps.weights, c_.precision(), control);
      if (pass.axis != 2)
        pass.map = makeTable(
            device(), places(pass, outputsOf(pass, {}), (pass.axis == 0 ? pass.from.x : pass.from.y).begin), control);
    }
  }

  double run(const FilterTile& tile, const DeviceBuffer& saturated, const Control& control,
             const std::function<void(double)>& finished) override {
    double seconds = 0, done = 0, all = 0;
    for (const Pass& pass : passes_) all += static_cast<double>(pass.taps.size() + 2);
    for (Pass& pass : passes_) {
      if (pass.axis == 2) uploadMapZ(pass, tile, control);
      const double share = static_cast<double>(pass.taps.size() + 2) / all;
      seconds += runSplit(device(), launchOf(pass, tile, saturated), control,
                          [&](double part) { finished(done + share * part); });
      done += share;
    }
    return seconds;
  }

  [[nodiscard]] double executedTaps() const override { return executed_; }

 private:
  Device& device() const { return c_.engine->device(); }
  ProgramCache& programs() const { return c_.engine->programs(); }
  Range region(std::size_t axis) const { return {c_.region().begin[axis], c_.region().end[axis]}; }

  // The voxels along `axis` that the term's pass along it reads; the region where there is no such pass.
  Range reach(const SeparableTerm& term, std::size_t axis) const {
    const AxisTaps& taps = term.axis[axis];
    return reachOf(region(axis), taps.size(), taps.anchor, c_.input().extent[axis], c_.workload->boundary());
  }

  void addTerm(const SeparableTerm& term, bool first, bool last) {
    const auto& extent = c_.input().extent;
    const std::int64_t nc = c_.components();
    PassArray at{Slot::Input, {0, extent[0]}, {0, extent[1]}, extent[0] * nc};
    double outside = c_.workload->constant();
    std::vector<std::size_t> axes;
    for (const std::size_t axis : {std::size_t{2}, std::size_t{1}, std::size_t{0}})
      if (!term.axis[axis].identity()) axes.push_back(axis);
    if (axes.empty()) axes.push_back(0);
    for (const std::size_t axis : axes) {
      Pass pass;
      pass.axis = axis;
      pass.taps = term.axis[axis];
      pass.outside = outside;
      pass.from = at;
      const bool ends = axis == axes.back();
      pass.to.slot = !ends ? (axis == 2 ? Slot::AfterZ : Slot::AfterY) : last ? Slot::Output : Slot::Sum;
      pass.to.x = axis == 0 ? region(0) : reach(term, 0);
      pass.to.y = axis <= 1 ? region(1) : reach(term, 1);
      pass.to.row = ends ? pass.to.x.size() * nc : c_.pitch(pass.to.x.size() * nc);
      pass.accumulate = ends && !first;
      const std::int64_t outputs = axis == 0 ? region(1).size() * region(2).size() : region(axis).size();
      pass.block = outputs == 1 ? 1 : axis == 0 ? 4 : 8;
      // Outside the image every earlier pass summed the constant.
      double sum = 0;
      for (const double w : pass.taps.weights) sum += w * outside;
      outside = sum;
      at = pass.to;
      passes_.push_back(std::move(pass));
    }
  }

  KernelSource sourceOf(const Pass& pass) const {
    KernelSource source{
        pass.axis == 0 ? "filter_rows" : "filter_lines", {}, c_.precision(), c_.style.vector, c_.style.group, {}};
    const bool ends = pass.to.slot == Slot::Output || pass.to.slot == Slot::Sum;
    defineStore(source, pass.to.slot == Slot::Output ? c_.workload->outputType() : c_.realType(), pass.accumulate,
                !ends);
    source.define("IN", std::string(toString(pass.from.slot == Slot::Input ? c_.input().type : c_.realType())));
    if (pass.axis == 0) source.define("COMPONENTS", c_.components());
    source.define("BLOCK", pass.block);
    source.define("TAPS_SPACE", tapsSpace(device().properties(), pass.taps.size(), c_.precision()));
    return source;
  }

  // Along the pass' axis; `tile` matters for z only.
  Range outputsOf(const Pass& pass, const Range& tile) const { return pass.axis == 2 ? tile : region(pass.axis); }

  std::vector<std::int32_t> places(const Pass& pass, const Range& outputs, std::int64_t origin) const {
    return placesOf(outputs, pass.taps.size(), pass.taps.anchor, c_.input().extent[pass.axis], c_.workload->boundary(),
                    origin, pass.block);
  }

  void uploadMapZ(Pass& pass, const FilterTile& tile, const Control& control) const {
    std::vector<std::int32_t> z = places(pass, {tile.begin, tile.end}, 0);
    for (std::int32_t& place : z)
      if (place >= 0) place = tile.place[static_cast<std::size_t>(place)];
    if (!pass.map || pass.map->bytes() < static_cast<std::int64_t>(z.size() * sizeof z[0])) {
      pass.map = makeTable(device(), z, control);
    } else {
      rewriteTable(device(), *pass.map, z, control);
    }
  }

  std::vector<KernelArgument> idleArguments(const Pass& pass) const {
    std::vector<KernelArgument> arguments(6, static_cast<const DeviceBuffer*>(nullptr));
    arguments.emplace_back(realArgument(0, c_.precision()));
    arguments.insert(arguments.end(), pass.axis == 0 ? 4 : 5, std::int64_t{0});
    arguments.insert(arguments.end(), 4 + 2, std::int32_t{0});
    return arguments;
  }

  SplitLaunch launchOf(const Pass& pass, const FilterTile& tile, const DeviceBuffer& saturated) const {
    const Workspace& work = c_.engine->workspace();
    const auto narrow = [](std::int64_t n) { return static_cast<std::int32_t>(n); };
    const std::int64_t nc = c_.components();
    const std::int64_t length = pass.to.x.size() * nc, rows = pass.to.y.size(), slices = tile.size();
    // The first element read, less what the map along the pass' own axis adds.
    std::int64_t start = 0;
    if (pass.axis != 0) start += (pass.to.x.begin - pass.from.x.begin) * nc;
    if (pass.axis != 1) start += (pass.to.y.begin - pass.from.y.begin) * pass.from.row;
    if (pass.axis != 2 && pass.from.slot == Slot::Input)
      start += tile.place[static_cast<std::size_t>(tile.begin)] * pass.from.slice();

    SplitLaunch launch;
    launch.kernel = pass.kernel.get();
    launch.group = c_.style.group;
    launch.columns = (length + c_.style.vector - 1) / c_.style.vector;
    launch.elementsPerGroup = length * pass.block;
    launch.operationsPerElement = 2.0 * static_cast<double>(pass.taps.size());
    launch.arguments = {&work.at(pass.from.slot),
                        &work.at(pass.to.slot),
                        pass.accumulate ? &work.at(Slot::Sum) : nullptr,
                        pass.tapsTable.get(),
                        pass.map.get(),
                        &saturated,
                        realArgument(pass.outside, c_.precision()),
                        start};
    const auto add = [&](std::initializer_list<std::int64_t> strides, std::initializer_list<std::int64_t> counts) {
      for (const std::int64_t n : strides) launch.arguments.emplace_back(n);
      launch.arguments.emplace_back(narrow(pass.taps.size()));
      launch.arguments.emplace_back(narrow(length));
      for (const std::int64_t n : counts) launch.arguments.emplace_back(narrow(n));
    };
    if (pass.axis == 2) {
      launch.groups = (slices + pass.block - 1) / pass.block * rows;
      add({pass.from.slice(), pass.from.row, pass.to.slice(), pass.to.row}, {slices, rows});
    } else if (pass.axis == 1) {
      launch.groups = (rows + pass.block - 1) / pass.block * slices;
      add({pass.from.row, pass.from.slice(), pass.to.row, pass.to.slice()}, {rows, slices});
    } else {
      launch.groups = (rows * slices + pass.block - 1) / pass.block;
      add({pass.from.row, pass.from.slice(), pass.to.row}, {rows, rows * slices});
    }
    return launch;
  }

  FilterContext c_;
  double executed_;
  std::vector<Pass> passes_;
};

}  // namespace

std::unique_ptr<FilterStep> makeSeparableStep(const FilterContext& context, const FilterMethod& method) {
  return std::make_unique<SeparableStep>(context, method);
}

}  // namespace sscope
