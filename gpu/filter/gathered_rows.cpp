#include "gpu/filter/gathered_rows.h"

#include <algorithm>

#include "gpu/device/split_launch.h"
#include "gpu/run/sizes.h"

namespace sscope {

GatheredRows::GatheredRows(const FilterContext& context, const std::array<std::int64_t, 3>& size,
                           const std::array<std::int64_t, 3>& anchor)
    : c_(context), size_(size), anchor_(anchor) {
  pending_ = c_.engine->programs().start(source(), arguments(nullptr));
}

void GatheredRows::needSlices(const Range& outputs, std::vector<bool>& needed) const {
  markSlices(outputs, size_[2], anchor_[2], c_.workload->boundary(), needed);
}

void GatheredRows::needBytes(std::int64_t slices, SlotBytes& bytes) const {
  auto& gathered = bytes[static_cast<std::size_t>(Slot::Gathered)];
  gathered = std::max(gathered, pitch() * rowsY() * (slices + size_[2] - 1) * c_.realBytes() + kSlackBytes);
}

void GatheredRows::finish(const Control& control) {
  kernel_ = ProgramCache::wait(pending_, control);
  xTable_ = makeTable(device(), places(0, region(0)), control);
  yTable_ = makeTable(device(), places(1, region(1)), control);
}

double GatheredRows::run(const FilterTile& tile, const Control& control, const std::function<void(double)>& finished) {
  std::vector<std::int32_t> z = places(2, {tile.begin, tile.end});
  for (std::int32_t& place : z)
    if (place >= 0) place = tile.place[static_cast<std::size_t>(place)];
  if (!zTable_ || zTable_->bytes() < static_cast<std::int64_t>(z.size() * sizeof z[0])) {
    zTable_ = makeTable(device(), z, control);
  } else {
    rewriteTable(device(), *zTable_, z, control);
  }
  SplitLaunch gather{kernel_.get(),
                     c_.style.group,
                     pitch() / c_.style.vector,
                     rowsY() * (tile.size() + size_[2] - 1),
                     pitch(),
                     4,
                     arguments(&c_.engine->workspace())};
  return runSplit(device(), gather, control, finished);
}

std::int64_t GatheredRows::pitch() const { return c_.pitch(c_.pitch(length()) + (size_[0] - 1) * c_.components()); }

std::int64_t GatheredRows::rowsY() const { return c_.region().size(1) + size_[1] - 1; }

std::int64_t GatheredRows::length() const { return c_.region().size(0) * c_.components(); }

std::int64_t GatheredRows::width() const { return (c_.region().size(0) + size_[0] - 1) * c_.components(); }

std::vector<std::int32_t> GatheredRows::places(std::size_t axis, const Range& outputs) const {
  return placesOf(outputs, size_[axis], anchor_[axis], c_.input().extent[axis], c_.workload->boundary(), 0);
}

KernelSource GatheredRows::source() const {
  KernelSource source{"filter_gather", {}, c_.precision(), c_.style.vector, c_.style.group, {}};
  source.define("IN", std::string(toString(c_.input().type)));
  source.define("COMPONENTS", c_.components());
  return source;
}

std::vector<KernelArgument> GatheredRows::arguments(const Workspace* work) const {
  const auto& extent = c_.input().extent;
  const std::int64_t row = extent[0] * c_.components();
  std::vector<KernelArgument> arguments{work == nullptr ? nullptr : &work->at(Slot::Input),
                                        work == nullptr ? nullptr : &work->at(Slot::Gathered),
                                        xTable_.get(),
                                        yTable_.get(),
                                        zTable_.get(),
                                        realArgument(c_.workload->constant(), c_.precision()),
                                        row,
                                        row * extent[1],
                                        static_cast<std::int32_t>(width()),
                                        static_cast<std::int32_t>(pitch()),
                                        static_cast<std::int32_t>(rowsY())};
  if (work == nullptr) addNothing(arguments);
  return arguments;
}

void addNothing(std::vector<KernelArgument>& arguments) {
  arguments.emplace_back(std::int32_t{0});
  arguments.emplace_back(std::int32_t{0});
}

}  // namespace sscope
