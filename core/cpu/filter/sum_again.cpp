#include "core/cpu/filter/sum_again.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <span>

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

}  // namespace sscope::cpu
