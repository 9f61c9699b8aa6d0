#include "core/cpu/filter/exact_rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "core/volume/rounding.h"

namespace sscope::cpu {

namespace {

constexpr double kUnit = 0x1p-24;  // roundoff of single precision

}  // namespace

RoundingError roundingError(const FilterWorkload& workload, std::size_t filter, MethodKind method) {
  return roundingError(workload, workload.stencil(filter), method == MethodKind::Dense);
}

bool roundsExactly(const FilterWorkload& workload, std::size_t filter, MethodKind method, const KernelTable& kernels) {
  // Of a sum made again, in multiply-adds of vectors for one output: measured from gaussians of 9 to 25 taps an axis.
  constexpr double kPoint = 2000, kPointTap = 20;
  const Stencil* stencil = workload.operators()[filter].stencil();
  if (stencil == nullptr || kernels.f32.level == SimdLevel::Scalar) return false;
  if (bytesOf(workload.input().type) != 1) return false;
  if (method != MethodKind::Dense && method != MethodKind::Separable) return false;
  const std::optional<double> doubtful = doubtfulShare(workload, *stencil, method == MethodKind::Dense);
  if (!doubtful) return false;
  const auto taps = static_cast<double>(workload.operators()[filter].taps());
  const double summed = method == MethodKind::Dense ? taps : static_cast<double>(stencil->separableTaps());
  return *doubtful * (kPoint + kPointTap * taps) < summed;
}

struct ExactRounding::Place {
  std::array<std::int64_t, 3> at{};  // of the row's first value, in voxels
  std::int64_t component = 0;
  std::int64_t values = 1;  // of a voxel, side by side in the row, from `component` on
};

ExactRounding::ExactRounding(const FilterWorkload& workload, std::size_t filter, MethodKind method,
                             const AxisOrder& order, const KernelTable& kernels)
    : kernels_(kernels),
      filter_(filter),
      method_(method),
      space_(workload, order, workload.operators()[filter].size(), workload.operators()[filter].anchor()) {
  ExactRounding::takeWeights(workload);
}

void ExactRounding::takeWeights(const FilterWorkload& workload) {
  taps_ = permuted(workload.stencil(filter_).expanded(), space_.order()).weights;
  error_ = roundingError(workload, filter_, method_);
}

std::int64_t ExactRounding::store(const StoreJob& job, const TileSpace& space, std::int64_t component,
                                  const std::array<std::int64_t, 3>& begin, const TileRun& run) const {
  const auto bytes = static_cast<std::int64_t>(bytesOf(run.outputs[filter_].type));
  // Rows of components side by side go to memory value by value, or component by component.
  const std::int64_t values = space.tapDistance(), apart = job.components > 1 ? job.components : 1;
  std::int64_t saturated = 0;
  for (std::int64_t y = 0; y < job.extent[1]; ++y)
    for (std::int64_t first = 0; first < job.extent[0]; first += kMostInRow) {
      const std::int64_t count = std::min(kMostInRow, job.extent[0] - first);
      for (std::int64_t part = 0; part < std::min(apart, count); ++part) {
        const std::int64_t value = begin[0] + first + part;  // along the region's x
        RoundingRow row;
        row.from = static_cast<const float*>(job.tile) + y * job.tileRow + first + part;
        row.fromStride = apart;
        row.count = (count - part + apart - 1) / apart;
        row.toStride = job.targetStride[0];
        const std::int64_t offset = apart > 1
                                        ? value / apart * job.targetStride[0] + value % apart * job.componentStride
                                        : first * job.targetStride[0];
        row.to = job.target + (y * job.targetStride[1] + offset) * bytes;
        Place place;
        place.at = {value / values, begin[1] + y, begin[2]};
        place.component = values > 1 ? value % values : component;
        place.values = apart > 1 ? 1 : values;
        saturated += storeRow(row, place, run);
      }
    }
  return saturated;
}

std::int64_t ExactRounding::storeRow(const RoundingRow& asked, const Place& place, const TileRun& run) const {
  std::array<std::int32_t, kMostInRow> doubtful;
  RoundingRow row = asked;
  row.relative = static_cast<float>(error_.relative * (1 + 4 * kUnit));
  row.absolute = static_cast<float>(error_.absolute * (1 + 4 * kUnit));
  row.doubtful = doubtful.data();
  std::int64_t saturated = 0;
  dispatch(run.outputs[filter_].type, [&](auto tag) {
    using D = decltype(tag);
    if constexpr (std::is_integral_v<D> && sizeof(D) <= 2) {
      const RoundedRow rounded = kernels_.roundRow[static_cast<std::size_t>(ElementTypeOf<D>::value)](row);
      saturated = rounded.saturated;
      for (std::int64_t i = 0; i < rounded.doubtful; ++i) {
        const std::int64_t at = doubtful[static_cast<std::size_t>(i)];
        Place one = place;
        one.at[0] += (place.component % place.values + at) / place.values;
        if (place.values > 1) one.component = (place.component + at) % place.values;
        bool left = false;
        reinterpret_cast<D*>(row.to)[at * row.toStride] = roundSaturate<D>(sum(one, run), left);
        saturated += left ? 1 : 0;
      }
    }
  });
  return saturated;
}

double ExactRounding::sum(const Place& place, const TileRun& run) const {
  const PackJob from = space_.packJob(run.input, place.component, place.at, space_.hull());
  PointSum sum;
  sum.source = from.source;
  sum.sourceStride = from.sourceStride;
  sum.sourceIndex = from.sourceIndex;
  sum.size = space_.hull();
  sum.insideAlongX = from.sourceStride[0] == 1 && from.interiorBegin == 0 && from.interiorEnd == space_.hull()[0];
  sum.constant = from.constant;
  sum.taps = taps_.data();
  return kernels_.sumPoint[static_cast<std::size_t>(run.input.type)](sum);
}

}  // namespace sscope::cpu
