// Rounding of rows and sums of single outputs in plain C++, included into the namespace of every instruction set so
// that each has its own compiled copy. Needs <algorithm>, <array>, <cmath>, kernel_table.h, core/volume/element_type.h,
// roundRowVectors<D>(row, bounds, result), which processes the start of each row, and sumColumnVectors<S>(job), which
// may process all of it.

// As roundSaturate(), which adds in double precision. Rounds the least and the greatest value that the true sum can
// have: if both give the same integer, it is the result. The sums, products and factors here are inexact themselves,
// which `relative` and `absolute` allow for.
struct RoundingBounds {
  static constexpr auto kHalf = static_cast<float>(0.5 + kTieBand);  // for sums without error
  explicit RoundingBounds(const RoundingRow& row)
      : leastFactor(1 - row.relative),
        least(kHalf - row.absolute),
        greatestFactor(1 + row.relative),
        greatest(kHalf + row.absolute) {}
  float leastFactor, least, greatestFactor, greatest;
};

template <class D>
RoundedRow roundRow(const RoundingRow& row) {
  constexpr auto kLow = static_cast<float>(std::numeric_limits<D>::lowest());
  constexpr auto kHigh = static_cast<float>(std::numeric_limits<D>::max());
  const RoundingBounds bounds(row);
  RoundedRow result;
  for (std::int64_t i = roundRowVectors<D>(row, bounds, result); i < row.count; ++i) {
    const float sum = row.from[i * row.fromStride];
    const float whole = std::floor(sum * bounds.leastFactor + bounds.least);
    const float inside = std::min(std::max(whole, kLow), kHigh);
    reinterpret_cast<D*>(row.to)[i * row.toStride] = static_cast<D>(inside);
    if (whole != std::floor(sum * bounds.greatestFactor + bounds.greatest)) {
      row.doubtful[result.doubtful++] = static_cast<std::int32_t>(i);
    } else {
      result.saturated += inside != whole ? 1 : 0;
    }
  }
  return result;
}

// The order of the sum does not matter: its error is far below the tie band of rounding (core/volume/element_type.h).
template <class S>
double sumPoint(const PointSum& sum) {
  constexpr std::int64_t kLanes = 8;
  const auto* source = reinterpret_cast<const S*>(sum.source);
  const auto [nx, ny, nz] = sum.size;
  const double* tap = sum.taps;
  std::array<double, kLanes> lanes{};
  for (std::int64_t z = 0; z < nz; ++z)
    for (std::int64_t y = 0; y < ny; ++y, tap += nx) {
      const std::int64_t iy = sum.sourceIndex[1][y], iz = sum.sourceIndex[2][z];
      if (iy < 0 || iz < 0) {
        for (std::int64_t x = 0; x < nx; ++x) lanes[0] += tap[x] * sum.constant;
        continue;
      }
      const S* row = source + iy * sum.sourceStride[1] + iz * sum.sourceStride[2];
      if (!sum.insideAlongX) {
        for (std::int64_t x = 0; x < nx; ++x) {
          const std::int64_t ix = sum.sourceIndex[0][x];
          lanes[0] += tap[x] * (ix < 0 ? sum.constant : static_cast<double>(row[ix * sum.sourceStride[0]]));
        }
        continue;
      }
      row += sum.sourceIndex[0][0];
      std::int64_t x = 0;
      for (; x + kLanes <= nx; x += kLanes)
        for (std::int64_t l = 0; l < kLanes; ++l)
          lanes[static_cast<std::size_t>(l)] += tap[x + l] * static_cast<double>(row[x + l]);
      for (; x < nx; ++x) lanes[0] += tap[x] * static_cast<double>(row[x]);
    }
  double total = 0;
  for (const double lane : lanes) total += lane;
  return total;
}

template <class S>
void sumColumns(const ColumnSums& job) {
  if (sumColumnVectors<S>(job)) return;
  const auto* source = reinterpret_cast<const S*>(job.source);
  std::fill_n(job.sums, job.count, 0.0);
  for (std::int64_t z = 0; z < job.size[1]; ++z)
    for (std::int64_t y = 0; y < job.size[0]; ++y) {
      const std::int64_t iy = job.sourceIndex[0][y], iz = job.sourceIndex[1][z];
      if (iy < 0 || iz < 0) continue;
      const double tap = job.taps[0][y] * job.taps[1][z];
      const S* row = source + iy * job.sourceStride[0] + iz * job.sourceStride[1];
      for (std::int64_t x = 0; x < job.count; ++x) job.sums[x] += tap * static_cast<double>(row[x]);
    }
}

// In the order of ElementType.
constexpr std::array<RoundedRow (*)(const RoundingRow&), 4> roundingFunctions() {
  return {roundRow<std::uint8_t>, roundRow<std::int8_t>, roundRow<std::uint16_t>, roundRow<std::int16_t>};
}
constexpr std::array<double (*)(const PointSum&), 2> pointFunctions() {
  return {sumPoint<std::uint8_t>, sumPoint<std::int8_t>};
}
constexpr std::array<void (*)(const ColumnSums&), 2> columnFunctions() {
  return {sumColumns<std::uint8_t>, sumColumns<std::int8_t>};
}
