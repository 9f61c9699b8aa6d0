// The kernels of cpu:scalar: one value at a time, compiled with automatic vectorization off (see core/cpu's
// properties in core/CMakeLists.txt). What the wider levels are worth is measured against these.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/cpu/run/kernel_table.h"
#include "core/volume/rounding.h"

namespace sscope::cpu {

namespace scalar {
namespace {

// One value at a time.
template <class T, class D>
std::int64_t roundVectors(const T* /*from*/, D* /*to*/, std::int64_t /*count*/, std::int64_t& /*saturated*/) {
  return 0;
}
template <class D, class Bounds>
std::int64_t roundRowVectors(const RoundingRow& /*row*/, const Bounds& /*bounds*/, RoundedRow& /*result*/) {
  return 0;
}
template <class S>
bool sumColumnVectors(const ColumnSums& /*job*/) {
  return false;
}

#include "core/cpu/run/naive-inl.h"
#include "core/cpu/run/rounding_rows-inl.h"
#include "core/cpu/run/tile_io-inl.h"

// Four independent sums hide the latency of the additions.
constexpr std::int64_t kBlock = 4;

template <class T>
void correlateColumns(const Correlation<T>& c, std::int64_t row, std::int64_t x, std::int64_t columns) {
  std::array<T, kBlock> sum{};
  T* out = c.out + row * c.outRow + x;
  if (c.accumulate) std::copy_n(out, columns, sum.begin());
  const T* tap = c.taps;
  for (std::int64_t k = 0; k < c.kz; ++k)
    for (std::int64_t i = 0; i < c.kx; ++i) {
      const T* in = c.in + k * c.inPlane + row * c.inRow + x + i * c.tapDistance;
      for (std::int64_t j = 0; j < c.ky; ++j, ++tap, in += c.inRow)
        for (std::int64_t b = 0; b < columns; ++b) sum[static_cast<std::size_t>(b)] += *tap * in[b];
    }
  std::copy_n(sum.begin(), columns, out);
}

template <class T>
void correlate(const Correlation<T>& c) {
  const std::int64_t whole = c.vectors / kBlock * kBlock;
  for (std::int64_t row = 0; row < c.rows; ++row) {
    for (std::int64_t x = 0; x < whole; x += kBlock) correlateColumns(c, row, x, kBlock);
    for (std::int64_t x = whole; x < c.vectors; ++x) correlateColumns(c, row, x, 1);
  }
}

template <class T, std::int64_t Vectors>
struct Block {
  static constexpr std::int64_t kElements = Vectors;
  std::array<T, static_cast<std::size_t>(Vectors)> sum{};

  static Block zero() { return {}; }
  void load(const T* from) { std::copy_n(from, Vectors, sum.begin()); }
  void add(const T* in) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += in[i];
  }
  void addProduct(const T* in, T tap) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += tap * in[i];
  }
  void addTimes(const Block& values, T tap) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += tap * values.sum[i];
  }
  void store(T* to) const { std::copy(sum.begin(), sum.end(), to); }
  void storeWith(const T* other, T* to) const {
    for (std::size_t i = 0; i < sum.size(); ++i) to[i] = other[i] + sum[i];
  }
};
constexpr std::int64_t kEqualVectors = kBlock;

constexpr std::int64_t kFoldedRows = 4, kFoldedVectors = kBlock;

#include "core/cpu/run/shared_sums-inl.h"

template <class T>
double multiplyAdd(std::int64_t rounds, T* sink) {
  constexpr std::size_t kChains = 8;
  std::array<T, kChains> sum{};
  const T factor = *sink, addend = factor / 2;
  for (std::int64_t r = 0; r < rounds; ++r)
    for (std::size_t c = 0; c < kChains; ++c) sum[c] = sum[c] * factor + addend;
  for (const T s : sum) *sink += s;
  return 2.0 * kChains * static_cast<double>(rounds);
}

double multiplyAddIntegers(std::int64_t rounds, std::int32_t* sink) {
  constexpr std::size_t kChains = 8;
  std::array<std::uint32_t, kChains> sum{};
  const auto factor = static_cast<std::uint32_t>(*sink), addend = factor / 2;
  for (std::int64_t r = 0; r < rounds; ++r)
    for (std::size_t c = 0; c < kChains; ++c) sum[c] = sum[c] * factor + addend;
  for (const std::uint32_t s : sum) *sink = static_cast<std::int32_t>(static_cast<std::uint32_t>(*sink) + s);
  return 2.0 * kChains * static_cast<double>(rounds);
}

void finishStreaming() {}  // nothing is streamed

void copy(const float* from, float* to, std::int64_t count) { std::copy_n(from, count, to); }

template <class T>
PrecisionKernels<T> precisionKernels() {
  return {SimdLevel::Scalar,   1,
          correlate<T>,        sumEqual<T>,
          sumEqualColumns<T>,  addEqualPlane<T>,
          sumEqualBlock<T>,    kFoldedRows,
          sumFolded<T>,        foldPlanes<T>,
          packFunctions<T>(),  storeFunctions<T>(),
          naiveFunctions<T>(), multiplyAdd<T>};
}

}  // namespace
}  // namespace scalar

const KernelTable& scalarKernels() {
  static const KernelTable table{scalar::precisionKernels<float>(),
                                 scalar::precisionKernels<double>(),
                                 scalar::naiveRow<std::uint8_t, std::int32_t>,
                                 scalar::roundSums,
                                 scalar::roundingFunctions(),
                                 scalar::pointFunctions(),
                                 scalar::columnFunctions(),
                                 scalar::sumColumns<float>,
                                 scalar::finishStreaming,
                                 scalar::copy,
                                 scalar::multiplyAddIntegers};
  return table;
}

}  // namespace sscope::cpu
