#include "core/cpu/filter/tile_space.h"

#include <algorithm>

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

TileSpace::TileSpace(const FilterWorkload& workload, const AxisOrder& order, const std::array<std::int64_t, 3>& size,
                     const std::array<std::int64_t, 3>& anchor)
    : order_(order),
      hull_(permuted(size, order)),
      anchor_(permuted(anchor, order)),
      origin_(permuted(workload.region().begin, order)),
      components_(workload.input().extent[3]),
      constant_(workload.constant()) {
  for (std::size_t a = 0; a < 3; ++a) {
    extent_[a] = workload.region().size(static_cast<int>(order[a]));
    volume_[a] = workload.input().extent[order[a]];
    const std::int64_t count = extent_[a] + hull_[a] - 1;
    index_[a].reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
      index_[a].push_back(boundaryIndex(origin_[a] - anchor_[a] + i, volume_[a], workload.boundary()));
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
  const std::int64_t first = origin_[0] - anchor_[0] + begin[0];
  job.interiorBegin = std::clamp<std::int64_t>(-first, 0, extent[0]);
  job.interiorEnd = std::clamp<std::int64_t>(volume_[0] - first, job.interiorBegin, extent[0]);
  return job;
}

StoreJob TileSpace::storeJob(const ArrayView& output, std::int64_t component, const std::array<std::int64_t, 3>& begin,
                             const std::array<std::int64_t, 3>& extent) const {
  StoreJob job;
  job.extent = extent;
  std::int64_t offset = component * output.stride[3];
  for (std::size_t a = 0; a < 3; ++a) {
    job.targetStride[a] = output.stride[order_[a]];
    offset += begin[a] * job.targetStride[a];
  }
  job.target = output.data + offset * static_cast<std::int64_t>(bytesOf(output.type));
  return job;
}

const std::byte* TileSpace::source(const ConstArrayView& input, std::int64_t component,
                                   const std::array<std::int64_t, 3>& at) const {
  if (input.stride[order_[0]] != 1) return nullptr;
  std::int64_t offset = component * input.stride[3];
  for (std::size_t a = 0; a < 3; ++a)
    offset += std::clamp<std::int64_t>(origin_[a] + at[a], 0, volume_[a] - 1) * input.stride[order_[a]];
  return input.data + offset * static_cast<std::int64_t>(bytesOf(input.type));
}

}  // namespace sscope::cpu
