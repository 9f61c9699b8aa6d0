#include "core/cpu/filter/tile_space.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sscope::cpu {

DenseTaps permuted(const DenseTaps& taps, const AxisOrder& order) {
  DenseTaps out;
  out.size = permuted(taps.size, order);
  out.anchor = permuted(taps.anchor, order);
  out.weights.clear();
  out.weights.reserve(taps.weights.size());
  std::array<std::int64_t, 3> at{};
  for (at[order[2]] = 0; at[order[2]] < out.size[2]; ++at[order[2]])
    for (at[order[1]] = 0; at[order[1]] < out.size[1]; ++at[order[1]])
      for (at[order[0]] = 0; at[order[0]] < out.size[0]; ++at[order[0]])
        out.weights.push_back(taps.at(at[0], at[1], at[2]));
  return out;
}

SeparableTerm permuted(const SeparableTerm& term, const AxisOrder& order) {
  return {{term.axis[order[0]], term.axis[order[1]], term.axis[order[2]]}};
}

namespace {

// Of a component among `components` that lie side by side; -1 outside.
std::int64_t valueIndex(std::int64_t value, std::int64_t components, std::int64_t extent, Boundary boundary) {
  const std::int64_t voxel = value >= 0 ? value / components : -((components - 1 - value) / components);
  const std::int64_t index = boundaryIndex(voxel, extent, boundary);
  return index < 0 ? -1 : index * components + (value - voxel * components);
}

}  // namespace

TileSpace::TileSpace(const FilterWorkload& workload, const AxisOrder& order, const std::array<std::int64_t, 3>& size,
                     const std::array<std::int64_t, 3>& anchor, Components components)
    : order_(order),
      hull_(permuted(size, order)),
      anchor_(permuted(anchor, order)),
      origin_(permuted(workload.region().begin, order)),
      components_(workload.input().extent[3]),
      constant_(workload.constant()) {
  const bool narrow = components_ <= kMostSideBySide && hull_[0] * components_ <= kWidestSideBySide;
  if (components == Components::SideBySide && order_[0] == 0 && narrow) sideBySide_ = std::exchange(components_, 1);
  for (std::size_t a = 0; a < 3; ++a) {
    extent_[a] = workload.region().size(static_cast<int>(order[a]));
    volume_[a] = workload.input().extent[order[a]];
    const std::int64_t values = a == 0 ? sideBySide_ : 1, voxels = volume_[a];
    hull_[a] = (hull_[a] - 1) * values + 1;
    for (std::int64_t* const counted : {&extent_[a], &volume_[a], &anchor_[a], &origin_[a]}) *counted *= values;
    const std::int64_t count = extent_[a] + hull_[a] - 1;
    index_[a].reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
      index_[a].push_back(valueIndex(origin_[a] - anchor_[a] + i, values, voxels, workload.boundary()));
  }
}

PackJob TileSpace::packJob(const ConstArrayView& input, std::int64_t component,
                           const std::array<std::int64_t, 3>& begin, const std::array<std::int64_t, 3>& extent) const {
  PackJob job;
  job.source = input.data + component * input.stride[3] * static_cast<std::int64_t>(bytesOf(input.type));
  job.constant = constant_;
  job.extent = extent;
  for (std::size_t a = 0; a < 3; ++a) {
    job.sourceStride[a] = input.stride[order_[a]];
    job.sourceIndex[a] = index_[a].data() + begin[a];
  }
  if (sideBySide(input.stride)) {
    job.sourceStride[0] = 1;
  } else {
    job.components = sideBySide_;
    job.componentStride = input.stride[3];
  }
  const std::int64_t first = origin_[0] - anchor_[0] + begin[0];
  job.interiorBegin = std::clamp<std::int64_t>(-first, 0, extent[0]);
  job.interiorEnd = std::clamp<std::int64_t>(volume_[0] - first, job.interiorBegin, extent[0]);
  return job;
}

StoreJob TileSpace::storeJob(const ArrayView& output, std::int64_t component, const std::array<std::int64_t, 3>& begin,
                             const std::array<std::int64_t, 3>& extent) const {
  StoreJob job;
  job.extent = extent;
  for (std::size_t a = 0; a < 3; ++a) job.targetStride[a] = output.stride[order_[a]];
  std::array<std::int64_t, 3> first = begin;
  if (sideBySide(output.stride)) {
    job.targetStride[0] = 1;
  } else if (sideBySide_ > 1) {
    job.components = sideBySide_;
    job.componentStride = output.stride[3];
    job.firstValue = std::exchange(first[0], 0);
  }
  std::int64_t offset = component * output.stride[3];
  for (std::size_t a = 0; a < 3; ++a) offset += first[a] * job.targetStride[a];
  job.target = output.data + offset * static_cast<std::int64_t>(bytesOf(output.type));
  return job;
}

const std::byte* TileSpace::source(const ConstArrayView& input, std::int64_t component,
                                   const std::array<std::int64_t, 3>& at) const {
  if (input.stride[order_[0]] != 1 && !sideBySide(input.stride)) return nullptr;
  std::int64_t offset = component * input.stride[3];
  for (std::size_t a = 0; a < 3; ++a)
    offset += std::clamp<std::int64_t>(origin_[a] + at[a], 0, volume_[a] - 1) * (a == 0 ? 1 : input.stride[order_[a]]);
  return input.data + offset * static_cast<std::int64_t>(bytesOf(input.type));
}

namespace {

// The axis whose elements fill the vectors: x, where elements are neighbors in memory, unless the region is a
// slice across x.
std::size_t vectorAxis(const FilterWorkload& workload) {
  constexpr std::int64_t kEnough = 32;
  if (workload.planned()[0] >= kEnough) return 0;
  std::size_t longest = 0;
  for (std::size_t a = 1; a < 3; ++a)
    if (workload.planned()[a] > 4 * workload.planned()[longest]) longest = a;
  return longest;
}

AxisOrder withRows(std::size_t x, bool swap) {
  const std::size_t lower = x == 0 ? 1 : 0, upper = x == 2 ? 1 : 2;
  return swap ? AxisOrder{x, upper, lower} : AxisOrder{x, lower, upper};
}

}  // namespace

// Rows share input vectors when there are several of them and several taps across.
AxisOrder denseOrder(const FilterWorkload& workload, const std::vector<std::size_t>& filters) {
  const std::size_t x = vectorAxis(workload);
  const AxisOrder plain = withRows(x, false);
  std::array<std::int64_t, 3> taps{1, 1, 1};
  for (const std::size_t f : filters)
    for (std::size_t a = 0; a < 3; ++a) taps[a] = std::max(taps[a], workload.operators()[f].size()[a]);
  const auto sharing = [&](std::size_t axis) {
    return std::min({taps[axis], workload.planned()[axis], std::int64_t{5}});
  };
  return withRows(x, sharing(plain[2]) > sharing(plain[1]));
}

// Planes are walked along, which needs no halo; an image filtered in its plane is one plane. A slice of a volume,
// thinner than the taps across it, is walked along its rows instead, so that the planes it needs beside it are packed
// once.
AxisOrder separableOrder(const FilterWorkload& workload, std::size_t filter) {
  const std::size_t x = vectorAxis(workload);
  const AxisOrder plain = withRows(x, false);
  const auto size = [&](std::size_t axis) { return workload.planned()[axis]; };
  const bool slice =
      size(plain[1]) > 4 * size(plain[2]) && workload.operators()[filter].size()[plain[2]] > size(plain[2]);
  return withRows(x, slice);
}

}  // namespace sscope::cpu
