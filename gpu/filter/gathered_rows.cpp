#include "gpu/filter/gathered_rows.h"

#include <algorithm>

#include "gpu/run/sizes.h"

namespace sscope {

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

// Narrow keys are written 32 bits at once.
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
  // Rows below the last one are read by tiles that stick out.
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
