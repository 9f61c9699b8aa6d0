// Separable filters: passes along z, y and x (always in this order, so that every part of a result is the same sum),
// terms added up. Along z first, because the slices around a tile are then read only once.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>

#include "core/workload/workload.h"
#include "gpu/device/device.h"
#include "gpu/filter/step.h"
#include "gpu/run/launch_sizes.h"

namespace sscope {

namespace {

// Shapes of separable passes on devices with many registers and local memory (filter_long_lines.kernel,
// filter_long_rows.kernel).

// The padding around the taps of a table that both kernels need.
inline constexpr std::int64_t kTapsBefore = 1, kTapsAfter = 16;

// Along y and z.
struct LongLines {
  static constexpr std::int64_t kBlock = 8;  // outputs of a work item
  int vector = 1;                            // elements of a work item along x
  bool aligned = false;                      // rows begin at whole vectors
  Grid group{64, 2};
};

// Along x.
struct LongRows {
  static constexpr std::int64_t kSpan = 8;         // outputs of a work item
  static constexpr std::int64_t kPlacesAfter = 4;  // extra entries of the table of positions
  std::int64_t rows = 1, tx = 1;                   // of a group: rows, and outputs of each (voxels)
  std::int64_t pitch = 0;                          // elements from line to line in local memory
  std::int64_t items = 1;
  std::int64_t localBytes = 0;
};

constexpr std::int64_t kItems = 256;  // of a group at most
// The outputs of a group along x. Measured on an H100 with 65 taps: 256 items and 256 outputs along x take 1.08 times
// as long, 512 outputs 1.3 times.
constexpr std::int64_t kRowItems = 128, kMostSpans = 16;
constexpr std::int64_t kMostRows = 32;

bool manyRegisters(const DeviceProperties& device) { return !device.cpu && device.largestGroup >= kItems; }

// The pitch: at least this many elements, whole vectors, with lines that begin in different banks.
std::int64_t pitchFor(std::int64_t elements) {
  const std::int64_t pitch = (elements + 3) / 4 * 4;
  return pitch % 8 == 0 ? pitch + 4 : pitch;
}

// `rowMultiple`: the rows that are read and written begin at multiples of so many elements.
std::optional<LongLines> longLines(const DeviceProperties& device, Precision precision, std::int64_t rowMultiple) {
  if (!manyRegisters(device)) return {};
  LongLines lines;
  const int widest = precision == Precision::f64 ? 2 : 4;
  if (rowMultiple % widest == 0) {
    lines.vector = widest;
    lines.aligned = true;
  }
  return lines;
}

// For rows of `width` voxels; empty if they do not fit into local memory.
std::optional<LongRows> longRows(const DeviceProperties& device, Precision precision, std::int64_t components,
                                 std::int64_t width, std::int64_t taps) {
  if (!manyRegisters(device) || components > kItems / 8) return {};
  const std::int64_t word = precision == Precision::f64 ? 8 : 4;
  LongRows r;
  const std::int64_t spans = std::clamp<std::int64_t>((width + LongRows::kSpan - 1) / LongRows::kSpan, 1,
                                                      std::max<std::int64_t>(1, kMostSpans / components));
  r.tx = spans * LongRows::kSpan;
  r.pitch = pitchFor(r.tx + taps + 4);
  const std::int64_t most =
      device.largestDynamicLocal > 0 ? std::min(device.localBytes, device.largestDynamicLocal) : device.localBytes;
  for (r.rows = std::clamp<std::int64_t>(kRowItems / (spans * components), 1, kMostRows); r.rows >= 1; r.rows /= 2) {
    r.localBytes = r.rows * components * r.pitch * word;
    if (r.localBytes <= most) break;
  }
  if (r.rows < 1) return {};
  r.items = (r.rows * components * spans + 31) / 32 * 32;
  return r;
}

constexpr std::size_t kFixedArguments = 7;  // that are equal for all tiles, the last for all weights but `outside`

// The array that a pass reads or writes: whole rows of the ranges x and y, in a slot.
struct PassArray {
  Slot slot = kInput;
  Range x, y;
  std::int64_t row = 0;  // elements from row to row

  [[nodiscard]] std::int64_t slice() const { return row * y.size(); }
};

struct Pass {
  std::size_t term = 0, axis = 0;
  AxisTaps taps;
  double outside = 0;  // the boundary constant after the previous passes
  PassArray from, to;
  bool accumulate = false;
  std::int64_t block = 1;
  std::optional<LongLines> lines;  // or one of these kernels
  std::optional<LongRows> rows;
  OwnBuffer tapsTable, map;
  TileTable tileMap;  // in place of map along z
  KernelStage stage;
};

class SeparableStep : public FilterStep {
 public:
  SeparableStep(const FilterContext& context, const FilterMethod& method)
      : c_(context), executed_(method.executedTaps()) {
    for (std::size_t t = 0; t < method.terms.size(); ++t) addTerm(method.terms, t);
    setWeights(method.terms);
    for (Pass& pass : passes_) {
      describe(pass);
      pass.stage.start(c_.engine->programs());
    }
  }

  void needSlices(const Range& outputs, std::vector<bool>& needed) const override {
    for (const Pass& pass : passes_) {
      if (pass.axis == 2) {
        markSlices(outputs, pass.taps.size(), pass.taps.anchor, c_.workload->boundary(), needed);
      } else if (pass.from.slot == kInput) {
        markSlices(outputs, 1, 0, c_.workload->boundary(), needed);
      }
    }
  }

  void needBytes(std::int64_t slices, SlotBytes& bytes) const override {
    for (const Pass& pass : passes_) {
      if (pass.to.slot == c_.output) continue;
      std::int64_t& slot = bytesAt(bytes, pass.to.slot);
      slot = std::max(slot, pass.to.slice() * slices * c_.realBytes() + kSlackBytes);
    }
  }

  void finish(const Control& control) override {
    for (Pass& pass : passes_) {
      pass.stage.finish(control);
      writeTaps(pass, control);
      if (pass.axis != 2)
        pass.map = makeTable(
            device(), places(pass, outputsOf(pass, {}), (pass.axis == 0 ? pass.from.x : pass.from.y).begin), control);
    }
  }

  [[nodiscard]] bool takeWeights(const FilterMethod& method, const Control& control) override {
    setWeights(method.terms);
    for (Pass& pass : passes_) {
      pass.stage.arguments[kFixedArguments - 1] = realArgument(pass.outside, c_.precision());
      writeTaps(pass, control);
    }
    return true;
  }

  void compute(DeviceRun& run, const FilterTile& tile, const DeviceRun::Progress& finished) override {
    double done = 0, all = 0;
    for (const Pass& pass : passes_) all += static_cast<double>(pass.taps.size() + 2);
    for (Pass& pass : passes_) {
      if (pass.axis == 2)
        pass.tileMap.put(device(), placesInTile(places(pass, {tile.begin, tile.end}, 0), tile), run.control);
      place(pass, tile);
      const double share = static_cast<double>(pass.taps.size() + 2) / all;
      run.launch(pass.stage, &Phases::kernel, [&](double part) { finished(done + share * part); });
      done += share;
    }
  }

  [[nodiscard]] double executedTaps() const override { return executed_; }

 private:
  Device& device() const { return c_.engine->device(); }
  Range region(std::size_t axis) const { return {c_.region().begin[axis], c_.region().end[axis]}; }

  // The voxels along `axis` that the term's pass along it reads; the region where there is no such pass.
  Range reach(const SeparableTerm& term, std::size_t axis) const {
    const AxisTaps& taps = term.axis[axis];
    return reachOf(region(axis), taps.size(), taps.anchor, c_.input().extent[axis], c_.workload->boundary());
  }

  void writeTaps(Pass& pass, const Control& control) const {
    std::vector<double> table = pass.taps.weights;
    if (pass.lines) table.insert(table.begin(), kTapsBefore, 0.0);
    if (pass.lines || pass.rows) table.insert(table.end(), kTapsAfter, 0.0);
    putTaps(device(), pass.tapsTable, table, c_.precision(), control);
  }

  // Rows of intermediate results begin at whole vectors of either kernel.
  std::int64_t pitch(std::int64_t elements) const {
    return device().properties().cpu ? c_.pitch(elements) : roundUp(elements, 4);
  }

  void chooseKernel(Pass& pass) const {
    const std::int64_t nc = c_.components();
    const std::int64_t outputs = pass.axis == 0 ? region(1).size() * region(2).size() : region(pass.axis).size();
    pass.block = outputs == 1 ? 1 : pass.axis == 0 ? 4 : 8;
    if (pass.axis == 0) {
      pass.rows = longRows(device().properties(), c_.precision(), nc, pass.to.x.size(), pass.taps.size());
      if (pass.rows) pass.block = LongRows::kPlacesAfter;
    } else if (outputs > 1) {
      const std::int64_t start = (pass.to.x.begin - pass.from.x.begin) * nc;
      pass.lines =
          longLines(device().properties(), c_.precision(), std::gcd(std::gcd(pass.from.row, pass.to.row), start));
      if (pass.lines) pass.block = LongLines::kBlock;
    }
  }

  void addTerm(const std::vector<SeparableTerm>& terms, std::size_t number) {
    const SeparableTerm& term = terms[number];
    const bool first = number == 0, last = number + 1 == terms.size();
    const auto& extent = c_.input().extent;
    const std::int64_t nc = c_.components();
    PassArray at{kInput, {0, extent[0]}, {0, extent[1]}, extent[0] * nc};
    std::vector<std::size_t> axes;
    for (const std::size_t axis : {std::size_t{2}, std::size_t{1}, std::size_t{0}})
      if (!term.axis[axis].identity()) axes.push_back(axis);
    if (axes.empty()) axes.push_back(0);
    for (const std::size_t axis : axes) {
      Pass pass;
      pass.term = number;
      pass.axis = axis;
      pass.taps = term.axis[axis];
      pass.from = at;
      const bool ends = axis == axes.back();
      pass.to.slot = !ends ? (axis == 2 ? kAfterZ : kAfterY) : last ? c_.output : kSum;
      pass.to.x = axis == 0 ? region(0) : reach(term, 0);
      pass.to.y = axis <= 1 ? region(1) : reach(term, 1);
      pass.to.row = ends ? pass.to.x.size() * nc : pitch(pass.to.x.size() * nc);
      pass.accumulate = ends && !first;
      chooseKernel(pass);
      at = pass.to;
      passes_.push_back(std::move(pass));
    }
  }

  // Outside the image every earlier pass of a term summed the constant.
  void setWeights(const std::vector<SeparableTerm>& terms) {
    std::vector<double> outside(terms.size(), c_.workload->constant());
    for (Pass& pass : passes_) {
      pass.taps = terms[pass.term].axis[pass.axis];
      pass.outside = outside[pass.term];
      double sum = 0;
      for (const double w : pass.taps.weights) sum += w * pass.outside;
      outside[pass.term] = sum;
    }
  }

  KernelSource sourceOf(const Pass& pass) const {
    KernelSource source{
        pass.axis == 0 ? "filter_rows" : "filter_lines", {}, c_.precision(), c_.style.vector, c_.style.group, {}};
    const bool ends = pass.to.slot == c_.output || pass.to.slot == kSum;
    defineStore(source, pass.to.slot == c_.output ? c_.outputType() : c_.realType(), pass.accumulate, !ends);
    source.define("IN", std::string(toString(pass.from.slot == kInput ? c_.input().type : c_.realType())));
    if (pass.axis == 0) source.define("COMPONENTS", c_.components());
    source.define("BLOCK", pass.block);
    source.define("TAPS_SPACE", tapsSpace(device().properties(), pass.taps.size(), c_.precision()));
    source.define("BYTES_IN",
                  static_cast<std::int64_t>(bytesOf(pass.from.slot == kInput ? c_.input().type : c_.realType())));
    if (pass.lines) {
      source.entry = "filter_long_lines";
      source.vector = pass.lines->vector;
      source.group = pass.lines->group;
      source.define("ALIGNED", pass.lines->aligned ? 1 : 0);
      source.define("ALIGNED_ROWS", pass.lines->aligned ? 1 : 0);
    } else if (pass.rows) {
      source.entry = "filter_long_rows";
      source.vector = c_.precision() == Precision::f64 ? 2 : 4;
      source.group = {pass.rows->items, 1};
      source.localBytes = pass.rows->localBytes;
      source.define("ROWS", pass.rows->rows);
      source.define("TX", pass.rows->tx);
      source.define("SPAN", LongRows::kSpan);
      source.define("ALIGNED_ROWS", pass.to.row % 4 == 0 ? 1 : 0);
    }
    return source;
  }

  // Along the pass' axis; `tile` matters for z only.
  Range outputsOf(const Pass& pass, const Range& tile) const { return pass.axis == 2 ? tile : region(pass.axis); }

  std::vector<std::int32_t> places(const Pass& pass, const Range& outputs, std::int64_t origin) const {
    return placesOf(outputs, pass.taps.size(), pass.taps.anchor, c_.input().extent[pass.axis], c_.workload->boundary(),
                    origin, pass.block);
  }

  // Sets the arguments that are equal for all tiles.
  void describe(Pass& pass) const {
    const std::int64_t length = pass.to.x.size() * c_.components();
    pass.stage.source = sourceOf(pass);
    const std::int64_t vector = pass.lines ? pass.lines->vector : c_.style.vector;
    pass.stage.columns = (length + vector - 1) / vector;
    pass.stage.elementsPerRow = length * pass.block;
    if (pass.rows) {
      const LongRows& r = *pass.rows;
      pass.stage.columns = (pass.to.x.size() + r.tx - 1) / r.tx * r.items;
      pass.stage.elementsPerRow = length * r.rows;
    }
    pass.stage.operationsPerElement = 2.0 * static_cast<double>(pass.taps.size());
    pass.stage.arguments = {pass.from.slot,
                            pass.to.slot,
                            pass.accumulate ? StageArgument(kSum) : StageArgument(kNoBuffer),
                            &pass.tapsTable,
                            pass.axis == 2 ? pass.tileMap.buffer() : &pass.map,
                            c_.saturated,
                            realArgument(pass.outside, c_.precision())};
    place(pass, {});
  }

  // Sets the arguments that differ: the start of the input, and the number of rows and slices.
  void place(Pass& pass, const FilterTile& tile) const {
    const std::int64_t nc = c_.components();
    const std::int64_t length = pass.to.x.size() * nc, rows = pass.to.y.size(), slices = tile.size();
    // The first element read, less what the map along the pass' own axis adds.
    std::int64_t start = 0;
    if (pass.axis != 0) start += (pass.to.x.begin - pass.from.x.begin) * nc;
    if (pass.axis != 1) start += (pass.to.y.begin - pass.from.y.begin) * pass.from.row;
    if (pass.axis != 2 && pass.from.slot == kInput && slices > 0)
      start += tile.place[static_cast<std::size_t>(tile.begin)] * pass.from.slice();

    std::vector<StageArgument>& arguments = pass.stage.arguments;
    arguments.resize(kFixedArguments);
    arguments.emplace_back(start);
    const auto add = [&](std::initializer_list<std::int64_t> strides, std::initializer_list<std::int64_t> counts) {
      for (const std::int64_t n : strides) arguments.emplace_back(n);
      arguments.emplace_back(int32(pass.taps.size()));
      arguments.emplace_back(int32(length));
      for (const std::int64_t n : counts) arguments.emplace_back(int32(n));
    };
    if (pass.axis == 2) {
      pass.stage.rows = (slices + pass.block - 1) / pass.block * rows;
      add({pass.from.slice(), pass.from.row, pass.to.slice(), pass.to.row}, {slices, rows});
    } else if (pass.axis == 1) {
      pass.stage.rows = (rows + pass.block - 1) / pass.block * slices;
      add({pass.from.row, pass.from.slice(), pass.to.row, pass.to.slice()}, {rows, slices});
    } else {
      const std::int64_t block = pass.rows ? pass.rows->rows : pass.block;
      pass.stage.rows = (rows * slices + block - 1) / block;
      add({pass.from.row, pass.from.slice(), pass.to.row}, {rows, rows * slices});
      if (pass.rows) arguments.emplace_back(int32(pass.rows->pitch));
    }
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
