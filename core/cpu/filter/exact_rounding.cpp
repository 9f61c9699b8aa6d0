#include "core/cpu/filter/exact_rounding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

#include "core/cpu/filter/reduced_taps.h"
#include "core/cpu/filter/tile_space.h"
#include "core/volume/rounding.h"

namespace sscope::cpu {

namespace {

// Elements of a row that one output meets, with the components between them.
constexpr std::int64_t kMostColumns = 512, kFarthestColumns = 4;

double sumOf(std::span<const double> weights) { return std::accumulate(weights.begin(), weights.end(), 0.0); }

}  // namespace

SumAgain::SumAgain(const FilterWorkload& workload, std::size_t filter, const AxisOrder& order,
                   const KernelTable& kernels)
    : kernels_(kernels),
      filter_(filter),
      space_(workload, order, workload.operators()[filter].size(), workload.operators()[filter].anchor()) {
  takeWeights(workload);
}

void SumAgain::takeWeights(const FilterWorkload& workload) {
  const Stencil& stencil = workload.stencil(filter_);
  taps_ = permuted(stencil.expanded(), space_.order()).weights;
  terms_.clear();
  for (const SeparableTerm& term : stencil.terms) terms_.push_back(permuted(term, space_.order()));
  keptError_ = passError(workload, stencil, space_.order()[1]);
  if (!keptError_) return;
  planes_.resize(terms_[0].axis[2].weights.size());
  std::iota(planes_.begin(), planes_.end(), 0);
}

double SumAgain::fromInput(const ConstArrayView& input, std::int64_t component,
                           const std::array<std::int64_t, 3>& at) const {
  const PackJob from = space_.packJob(input, component, at, space_.hull());
  double total = 0;
  bool known = !terms_.empty();
  for (const SeparableTerm& term : terms_) {
    const std::optional<double> own = known ? termFromInput(from, term, input.type) : std::nullopt;
    known = own.has_value();
    total += own.value_or(0);
  }
  if (known) return total;
  PointSum sum;
  sum.source = from.source;
  sum.sourceStride = from.sourceStride;
  sum.sourceIndex = from.sourceIndex;
  sum.size = space_.hull();
  sum.insideAlongX = from.sourceStride[0] == 1 && from.interiorBegin == 0 && from.interiorEnd == space_.hull()[0];
  sum.constant = from.constant;
  sum.taps = taps_.data();
  return kernels_.sumPoint[static_cast<std::size_t>(input.type)](sum);
}

// Sums over rows and planes for the elements of a row that the taps along x meet, then those.
std::optional<double> SumAgain::termFromInput(const PackJob& from, const SeparableTerm& term, ElementType type) const {
  std::array<const std::int64_t*, 3> index{};
  for (std::size_t a = 0; a < 3; ++a) index[a] = from.sourceIndex[a] + (space_.anchor()[a] - term.axis[a].anchor);
  const std::vector<double>& alongX = term.axis[0].weights;
  const auto count = static_cast<std::int64_t>(alongX.size());
  std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = -1;
  for (std::int64_t i = 0; i < count; ++i)
    if (index[0][i] >= 0) first = std::min(first, index[0][i]), last = std::max(last, index[0][i]);
  const std::int64_t apart = from.sourceStride[0], columns = last < 0 ? 0 : (last - first) * apart + 1;
  if (apart < 1 || apart > kFarthestColumns || columns > kMostColumns) return std::nullopt;
  std::array<double, kMostColumns> sums;
  if (columns > 0) {
    ColumnSums job;
    job.source = from.source + first * apart * static_cast<std::int64_t>(bytesOf(type));
    for (std::size_t a = 0; a < 2; ++a) {
      job.sourceStride[a] = from.sourceStride[a + 1];
      job.sourceIndex[a] = index[a + 1];
      job.size[a] = term.axis[a + 1].size();
      job.taps[a] = term.axis[a + 1].weights.data();
    }
    job.count = columns;
    job.sums = sums.data();
    kernels_.sumColumns[static_cast<std::size_t>(type)](job);
  }
  // What the value outside contributes to each column, and to those that lie outside as a whole.
  const auto inside = [&](std::size_t a) {
    double sum = 0;
    for (std::size_t i = 0; i < term.axis[a].weights.size(); ++i)
      if (index[a][i] >= 0) sum += term.axis[a].weights[i];
    return sum;
  };
  const double all = sumOf(term.axis[1].weights) * sumOf(term.axis[2].weights);
  const double outside = from.constant * all, around = from.constant * (all - inside(1) * inside(2));
  double total = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t at = index[0][i];
    const double column = at < 0 ? outside : sums[static_cast<std::size_t>((at - first) * apart)] + around;
    total += alongX[static_cast<std::size_t>(i)] * column;
  }
  return total;
}

double SumAgain::fromKept(const float* first, std::int64_t plane, std::int64_t tapDistance) const {
  constexpr std::int64_t kRow = 0;
  constexpr double kOne = 1;
  const auto& [alongX, alongY, alongZ] = terms_[0].axis;
  const std::int64_t columns = (alongX.size() - 1) * tapDistance + 1;
  std::array<double, kWidestSideBySide> sums;
  ColumnSums job;
  job.source = reinterpret_cast<const std::byte*>(first);
  job.sourceStride = {plane, 0};
  job.sourceIndex = {planes_.data(), &kRow};
  job.size = {alongZ.size(), 1};
  job.taps = {alongZ.weights.data(), &kOne};
  job.count = columns;
  job.sums = sums.data();
  kernels_.sumFloatColumns(job);
  double total = 0;
  for (std::size_t i = 0; i < alongX.weights.size(); ++i)
    total += alongX.weights[i] * sums[i * static_cast<std::size_t>(tapDistance)];
  return total;
}

SumAgain::Cost SumAgain::cost(const FilterWorkload& workload, std::size_t filter, const AxisOrder& order,
                              const KernelTable& kernels) {
  // Of gaussians of 9 to 49 taps an axis; the dense sum's by those of 9 to 25.
  constexpr double kPoint = 2000, kDenseTap = 20;
  const Stencil& stencil = workload.stencil(filter);
  const std::int64_t apart = order[0] == 0 ? workload.input().extent[3] : kFarthestColumns + 1;
  Cost cost{kPoint, kPoint};
  if (stencil.terms.empty() || apart > kFarthestColumns) {
    const double all = kDenseTap * static_cast<double>(stencil.denseTaps());
    return {kPoint + all, kPoint + all};
  }
  for (const SeparableTerm& source : stencil.terms) {
    const SeparableTerm term = permuted(source, order);
    const std::int64_t lanes = kernels.f64.lanes;
    const std::int64_t columns = (term.axis[0].size() - 1) * apart + 1, vectors = (columns + lanes - 1) / lanes;
    const auto one = static_cast<double>(kernels.f32.lanes * vectors);
    cost.fromKept += one * static_cast<double>(term.axis[2].size());
    cost.fromInput += one * static_cast<double>(term.axis[1].size() * term.axis[2].size());
  }
  return cost;
}

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
