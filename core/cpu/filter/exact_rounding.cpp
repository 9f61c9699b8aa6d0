#include "core/cpu/filter/exact_rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/cpu/filter/axis_order.h"
#include "core/cpu/filter/equal_taps.h"
#include "core/volume/element_type.h"

namespace sscope::cpu {

namespace {

constexpr double kUnit = 0x1p-24;  // roundoff of single precision

// What sums in double precision take longer than those in single precision, of gaussians of 9 to 49 taps an axis.
constexpr double kSlower = 0.75;

SumOrder orderOf(MethodKind method) { return method == MethodKind::Dense ? SumOrder::Dense : SumOrder::PassesTapByTap; }

// Multiply-adds of one output.
double passesOf(const Stencil& stencil, const AxisOrder& order) {
  double sum = 0;
  for (const SeparableTerm& term : stencil.terms)
    for (std::size_t a = 0; a < 3; ++a) {
      const AxisTaps& taps = term.axis[order[a]];
      sum +=
          takesEqualTaps(taps, a == 0) ? equalCost(taps.size(), a == 0).multiplyAdds : static_cast<double>(taps.size());
    }
  return sum;
}

}  // namespace

RoundingError roundingError(const FilterWorkload& workload, std::size_t filter, MethodKind method) {
  return roundingError(workload, workload.stencil(filter), orderOf(method));
}

bool roundsExactly(const FilterWorkload& workload, std::size_t filter, MethodKind method, const KernelTable& kernels) {
  const Stencil* stencil = workload.operators()[filter].stencil();
  if (stencil == nullptr || kernels.f32.level == SimdLevel::Scalar) return false;
  if (bytesOf(workload.input().type) != 1) return false;
  if (method != MethodKind::Dense && method != MethodKind::Separable) return false;
  const bool dense = method == MethodKind::Dense;
  const std::optional<double> doubtful = doubtfulShare(workload, *stencil, orderOf(method));
  if (!doubtful) return false;
  const AxisOrder order = dense ? denseOrder(workload, {filter}) : separableOrder(workload, filter);
  // Sums of the first pass are not kept where planes are added as they come.
  const bool keeps = !dense && !takesEqualTaps(stencil->terms[0].axis[order[2]], false);
  const std::optional<RoundingError> kept = keeps ? passError(workload, *stencil, order[1]) : std::nullopt;
  const SumAgain::Cost cost = SumAgain::cost(workload, filter, order, kernels);
  const double again = kept ? *doubtful * cost.fromKept + doubtfulShare(*kept, workload, *stencil) * cost.fromInput
                            : *doubtful * cost.fromInput;
  return again < kSlower * (dense ? static_cast<double>(stencil->denseTaps()) : passesOf(*stencil, order));
}

struct ExactRounding::Place {
  std::array<std::int64_t, 3> at{};  // of the row's first value, in voxels
  std::int64_t component = 0;
  std::int64_t values = 1;  // of a voxel, side by side in the row, from `component` on
  // As KeptSums', for the row's first value; then values of the row are keptStride apart, and taps along x.
  const float* kept = nullptr;
  std::int64_t keptPlane = 0, keptStride = 1, tapDistance = 1;
};

ExactRounding::ExactRounding(const FilterWorkload& workload, std::size_t filter, MethodKind method,
                             const AxisOrder& order, const KernelTable& kernels)
    : kernels_(kernels), filter_(filter), method_(method), again_(workload, filter, order, kernels) {
  error_ = roundingError(workload, filter_, method_);
}

void ExactRounding::takeWeights(const FilterWorkload& workload) {
  again_.takeWeights(workload);
  error_ = roundingError(workload, filter_, method_);
}

std::int64_t ExactRounding::store(const StoreJob& job, const TileSpace& space, std::int64_t component,
                                  const std::array<std::int64_t, 3>& begin, const KeptSums& kept,
                                  const TileRun& run) const {
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
        if (kept.sums != nullptr && again_.keptError()) {
          place.kept = static_cast<const float*>(kept.sums) + y * kept.row + first + part;
          place.keptPlane = kept.plane;
          place.keptStride = apart;
          place.tapDistance = values;
        }
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
        bool left = false;
        reinterpret_cast<D*>(row.to)[at * row.toStride] = roundSaturate<D>(sum(place, at, run), left);
        saturated += left ? 1 : 0;
      }
    }
  });
  return saturated;
}

double ExactRounding::sum(const Place& place, std::int64_t at, const TileRun& run) const {
  if (place.kept != nullptr) {
    constexpr double kSlack = 1e-9, kHalf = 0.5 + kTieBand;  // more than double precision loses
    const double sum = again_.fromKept(place.kept + at * place.keptStride, place.keptPlane, place.tapDistance);
    const double error = again_.keptError()->relative * sum + again_.keptError()->absolute + kSlack;
    if (std::floor(sum - error + kHalf) == std::floor(sum + error + kHalf)) return sum;
  }
  std::array<std::int64_t, 3> voxel = place.at;
  voxel[0] += (place.component % place.values + at) / place.values;
  return again_.fromInput(run.input, place.values > 1 ? (place.component + at) % place.values : place.component, voxel);
}

}  // namespace sscope::cpu
