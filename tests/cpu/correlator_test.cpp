// Generated blocks and compiled kernels give the same bits.

#include <cmath>
#include <vector>

#include "core/cpu/filter/correlator.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::cpu;

namespace {

template <class T>
std::vector<T> noise(std::size_t count, unsigned seed) {
  std::vector<T> values(count);
  for (T& value : values) {
    seed = seed * 1664525 + 1013904223;
    value = static_cast<T>(static_cast<double>(seed >> 8) / (1 << 23) - 1);
  }
  return values;
}

template <class T>
void expectSameBits(const PrecisionKernels<T>& kernels, std::int64_t kx, std::int64_t ky, std::int64_t kz,
                    std::int64_t rows, std::int64_t vectors) {
  const std::int64_t width = vectors * kernels.lanes;
  Correlation<T> job;
  job.kx = kx;
  job.ky = ky;
  job.kz = kz;
  job.inRow = width + kx + 3;
  job.inPlane = job.inRow * (rows + ky - 1) + 5;
  job.outRow = width + 1;
  job.rows = rows;
  job.vectors = vectors;
  const auto in = noise<T>(static_cast<std::size_t>(job.inPlane * kz + width + kx), 1);
  const auto taps = noise<T>(static_cast<std::size_t>(kx * ky * kz), 2);
  std::vector<T> compiled(static_cast<std::size_t>(job.outRow * rows), T{7}), generated = compiled;
  job.in = in.data();
  job.taps = taps.data();
  job.out = compiled.data();
  kernels.correlate(job);
  job.out = generated.data();
  Correlator<T>(kernels, kx, ky, kz).run(job, {});
  INFO(toString(kernels.level) << " " << kx << "x" << ky << "x" << kz << " rows " << rows << " vectors " << vectors);
  CHECK(compiled == generated);
}

// Inputs end with the last value that is needed.
template <class T>
void expectSumsAlongX(const PrecisionKernels<T>& kernels, std::int64_t taps, std::int64_t distance, bool accumulate) {
  constexpr std::int64_t kVectors = 13, kRows = 2;  // a wide block, a narrower one, and one vector
  Correlation<T> job;
  job.kx = taps;
  job.tapDistance = distance;
  job.rows = kRows;
  job.vectors = kVectors;
  job.accumulate = accumulate;
  job.outRow = kVectors * kernels.lanes;
  job.inRow = job.outRow + (taps - 1) * distance;
  const auto in = noise<T>(static_cast<std::size_t>(kRows * job.inRow), 3);
  const auto weights = noise<T>(static_cast<std::size_t>(taps), 4);
  auto out = noise<T>(static_cast<std::size_t>(kRows * job.outRow), 5);
  std::vector<T> wanted = out;
  for (std::int64_t row = 0; row < kRows; ++row)
    for (std::int64_t x = 0; x < job.outRow; ++x) {
      T& sum = wanted[static_cast<std::size_t>(row * job.outRow + x)];
      if (!accumulate) sum = 0;
      for (std::int64_t i = 0; i < taps; ++i)
        sum = std::fma(in[static_cast<std::size_t>(row * job.inRow + x + i * distance)],
                       weights[static_cast<std::size_t>(i)], sum);
    }
  job.in = in.data();
  job.taps = weights.data();
  job.out = out.data();
  kernels.correlate(job);
  INFO(toString(kernels.level) << ", " << taps << " taps, " << distance << " apart");
  CHECK(out == wanted);
}

}  // namespace

TEST_CASE("passes along x sum one tap after the other, wherever vectors of neighbors begin") {
  for (const SimdLevel level : {SimdLevel::Avx2, SimdLevel::Avx512}) {  // that fuse multiply-adds
    if (!absentReason(level).empty()) continue;
    const KernelTable& table = kernelTable(level);
    for (const std::int64_t taps : {1, 2, 3, 8, 9, 16, 17, 18, 33, 50})
      for (const std::int64_t distance : {1, 2, 3, 5, 8, 16, 17})
        for (const bool accumulate : {false, true}) {
          expectSumsAlongX(table.f32, taps, distance, accumulate);
          expectSumsAlongX(table.f64, taps, distance, accumulate);
        }
  }
}

TEST_CASE("generated blocks give the bits of the compiled kernels") {
  constexpr std::int64_t kTaps[][3] = {{1, 2, 1}, {3, 3, 3}, {7, 7, 2},  {1, 17, 1},
                                       {2, 4, 5}, {9, 1, 1}, {1, 64, 1}, {1, 65, 1}};
  for (const SimdLevel level : kSimdLevels) {
    if (!absentReason(level).empty()) continue;
    const KernelTable& table = kernelTable(level);
    for (const auto& [kx, ky, kz] : kTaps)
      for (const std::int64_t rows : {1, 4, 5, 6, 13})
        for (const std::int64_t vectors : {1, 2, 4, 7, 9}) {
          expectSameBits(table.f32, kx, ky, kz, rows, vectors);
          expectSameBits(table.f64, kx, ky, kz, rows, vectors);
        }
  }
}

TEST_CASE("a block is generated only for levels with fused multiply-adds and a reasonable number of taps") {
  CHECK(GeneratedBlock::make<float>(SimdLevel::Scalar, 3, 3, 3) == nullptr);
  CHECK(GeneratedBlock::make<float>(SimdLevel::Sse4, 3, 3, 3) == nullptr);
  CHECK(GeneratedBlock::make<float>(SimdLevel::Avx2, 3, 1, 3) == nullptr);
  CHECK(GeneratedBlock::make<float>(SimdLevel::Avx2, 3, 1025, 3) == nullptr);
}
