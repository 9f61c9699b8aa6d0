#include "gpu/filter/gathered_rows.h"

#include <algorithm>

#include "gpu/run/sizes.h"

namespace sscope {

GatheredRows::GatheredRows(const FilterContext& context, const std::array<std::int64_t, 3>& size,
                           const std::array<std::int64_t, 3>& anchor)
    : c_(context), size_(size), anchor_(anchor) {
  const auto& extent = c_.input().extent;
  const std::int64_t row = extent[0] * c_.components();
  gather_.source = {"filter_gather", {}, c_.precision(), c_.style.vector, c_.style.group, {}};
  gather_.source.define("IN", std::string(toString(c_.input().type)));
  gather_.source.define("COMPONENTS", c_.components());
  gather_.columns = pitch() / c_.style.vector;
  gather_.elementsPerRow = pitch();
  gather_.operationsPerElement = 4;
  gather_.arguments = {kInput,
                       kGathered,
                       &xTable_,
                       &yTable_,
                       &zTable_,
                       realArgument(c_.workload->constant(), c_.precision()),
                       row,
                       row * extent[1],
                       int32(width()),
                       int32(pitch()),
                       int32(rowsY())};
  gather_.start(c_.engine->programs());
}

void GatheredRows::needSlices(const Range& outputs, std::vector<bool>& needed) const {
  markSlices(outputs, size_[2], anchor_[2], c_.workload->boundary(), needed);
}

void GatheredRows::needBytes(std::int64_t slices, SlotBytes& bytes) const {
  std::int64_t& gathered = bytesAt(bytes, kGathered);
  gathered = std::max(gathered, pitch() * rowsY() * (slices + size_[2] - 1) * c_.realBytes() + kSlackBytes);
}

void GatheredRows::finish(const Control& control) {
  gather_.finish(control);
  xTable_ = makeTable(device(), places(0, region(0)), control);
  yTable_ = makeTable(device(), places(1, region(1)), control);
}

void GatheredRows::compute(DeviceRun& run, const FilterTile& tile, const DeviceRun::Progress& finished) {
  putTable(device(), zTable_, placesInTile(places(2, {tile.begin, tile.end}), tile), run.control);
  gather_.rows = rowsY() * (tile.size() + size_[2] - 1);
  run.launch(gather_, &Phases::kernel, finished);
}

std::int64_t GatheredRows::pitch() const { return c_.pitch(c_.pitch(length()) + (size_[0] - 1) * c_.components()); }

std::int64_t GatheredRows::rowsY() const { return c_.region().size(1) + size_[1] - 1; }

std::int64_t GatheredRows::length() const { return c_.region().size(0) * c_.components(); }

std::int64_t GatheredRows::width() const { return (c_.region().size(0) + size_[0] - 1) * c_.components(); }

std::vector<std::int32_t> GatheredRows::places(std::size_t axis, const Range& outputs) const {
  return placesOf(outputs, size_[axis], anchor_[axis], c_.input().extent[axis], c_.workload->boundary(), 0);
}

}  // namespace sscope
