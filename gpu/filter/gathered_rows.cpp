#include "gpu/filter/gathered_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "gpu/filter/context.h"
#include "gpu/run/launch_sizes.h"

namespace sscope {

namespace {

// Negative numbers count downward.
template <class Key>
Key mirrored(Key bits) {
  return bits ^ (bits < 0 ? std::numeric_limits<Key>::max() : Key{0});
}

template <class Key, class Number>
std::int64_t numberKey(Number value, bool smallest) {
  if (std::isnan(value)) return smallest ? std::numeric_limits<Key>::min() : std::numeric_limits<Key>::max();
  return mirrored(std::bit_cast<Key>(value));
}

}  // namespace

std::string RankKeys::stored() const {
  if (isInteger(ordered)) return std::string(toString(ordered));
  return ordered == ElementType::f32 ? "i32" : "i64";
}

std::int64_t RankKeys::keyOf(double value) const {
  if (isInteger(ordered)) return static_cast<std::int64_t>(value);
  return ordered == ElementType::f32 ? numberKey<std::int32_t>(static_cast<float>(value), smallest)
                                     : numberKey<std::int64_t>(value, smallest);
}

void defineKeys(KernelSource& source, const RankKeys& keys, bool paired) {
  source.extra.emplace_back("rank_keys.h");
  const bool integer = isInteger(keys.ordered), wide = keys.bytes() == 8;
  source.define("ORDERED_INTEGER", integer ? 1 : 0);
  source.define("STORED", keys.stored());
  source.define("WORD", wide ? "i64" : paired || keys.ordered == ElementType::u32 ? "u32" : "i32");
  source.define("PAIRED", paired ? 1 : 0);
  source.define("PAIRED_SIGNED", keys.ordered == ElementType::i16 ? 1 : 0);
  source.define("UNSIGNED", wide ? "u64" : "u32");
  source.define("SMALLEST", keys.smallest ? 1 : 0);
  if (integer) return;
  source.define("NUMBER", std::string(toString(keys.ordered)));
  source.define("NUMBER_BYTES", keys.bytes());
}

void defineRankStore(KernelSource& source, const RankKeys& keys, ElementType output) {
  if (isInteger(keys.ordered)) {
    source.define("OUT", std::string(toString(output)));
    source.define("OUT_INTEGER", isInteger(output) ? 1 : 0);
    source.define("OUT_HOLDS_KEYS", output == keys.ordered ? 1 : 0);
    if (isInteger(output)) {
      source.define("OUT_FIRST", "(" + std::to_string(static_cast<std::int64_t>(lowestOf(output))) + "L)");
      source.define("OUT_LAST", std::to_string(static_cast<std::int64_t>(highestOf(output))) + "L");
    }
  } else {
    defineStore(source, output, false, false);
  }
  source.extra.emplace_back("rank_store.h");
}

Precision storePrecision(const FilterWorkload& workload) {
  return isInteger(workload.orderedAs()) ? Precision::f32 : workload.precision();
}

GatheredRows::GatheredRows(const FilterContext& context, const std::array<std::int64_t, 3>& size,
                           const std::array<std::int64_t, 3>& anchor)
    : GatheredRows(context, size, anchor, {context.style.vector, context.style.group, context.style.vector, 1}) {}

GatheredRows::GatheredRows(const FilterContext& context, const std::array<std::int64_t, 3>& size,
                           const std::array<std::int64_t, 3>& anchor, const RowLayout& layout)
    : c_(context), size_(size), anchor_(anchor), layout_(layout) {
  const auto& extent = c_.input().extent;
  const std::int64_t row = extent[0] * c_.components();
  StageArgument outside = realArgument(c_.workload->constant(), c_.precision());
  if (layout_.keys) {
    describeKeys();
    outside = layout_.keys->keyOf(c_.workload->boundary() == Boundary::constant ? c_.workload->constant() : 0);
  } else {
    describeNumbers();
  }
  gather_.source.define("IN", std::string(toString(c_.input().type)));
  gather_.source.define("COMPONENTS", c_.components());
  gather_.columns = pitch() / layout_.vector;
  gather_.elementsPerRow = pitch();
  gather_.operationsPerElement = 4;
  gather_.arguments = {kInput, kGathered,       &xTable_,       &yTable_,       zTable_.buffer(), outside,
                       row,    row * extent[1], int32(width()), int32(pitch()), int32(rowsY())};
  gather_.start(c_.engine->programs());
}

void GatheredRows::describeNumbers() {
  gather_.source = {"filter_gather", {}, c_.precision(), layout_.vector, layout_.group, {}};
}

// Narrow keys are stored in words of 32 bits.
void GatheredRows::describeKeys() {
  layout_.vector = static_cast<int>(std::max<std::int64_t>(1, 4 / layout_.keys->bytes()));
  gather_.source = {"rank_gather", {}, storePrecision(*c_.workload), 1, layout_.group, {}};
  defineKeys(gather_.source, *layout_.keys);
  gather_.source.define("TOGETHER", layout_.vector);
}

void GatheredRows::needSlices(const Range& outputs, std::vector<bool>& needed) const {
  markSlices(outputs, size_[2], anchor_[2], c_.workload->boundary(), needed);
}

void GatheredRows::needBytes(std::int64_t slices, SlotBytes& bytes) const {
  std::int64_t& gathered = bytesAt(bytes, kGathered);
  gathered = std::max(gathered, pitch() * rowsY() * (slices + size_[2] - 1) * elementBytes() + kSlackBytes);
}

void GatheredRows::finish(const Control& control) {
  gather_.finish(control);
  xTable_ = makeTable(device(), places(0, region(0)), control);
  // Tiles that exceed the slice read rows below the last one.
  yTable_ = makeTable(device(), places(1, region(1), rowsY() - (region(1).size() + size_[1] - 1)), control);
}

void GatheredRows::compute(DeviceRun& run, const FilterTile& tile, const DeviceRun::Progress& finished) {
  const GatheredBox box{size_, anchor_, pitch(), rowsY(), c_.precision(), layout_.keys};
  if (c_.gathered != nullptr && *c_.gathered == box) return finished(1);
  zTable_.put(device(), placesInTile(places(2, {tile.begin, tile.end}), tile), run.control);
  gather_.rows = rowsY() * (tile.size() + size_[2] - 1);
  run.launch(gather_, &Phases::kernel, finished);
  if (c_.gathered != nullptr) *c_.gathered = box;
}

std::int64_t GatheredRows::pitch() const {
  return roundUp(roundUp(length(), layout_.tileX) + (size_[0] - 1) * c_.components(), layout_.vector);
}

std::int64_t GatheredRows::rowsY() const { return roundUp(c_.region().size(1), layout_.tileY) + size_[1] - 1; }

std::int64_t GatheredRows::length() const { return c_.region().size(0) * c_.components(); }

std::int64_t GatheredRows::width() const { return (c_.region().size(0) + size_[0] - 1) * c_.components(); }

std::vector<std::int32_t> GatheredRows::places(std::size_t axis, const Range& outputs, std::int64_t extra) const {
  return placesOf(outputs, size_[axis], anchor_[axis], c_.input().extent[axis], c_.workload->boundary(), 0, extra);
}

}  // namespace sscope
