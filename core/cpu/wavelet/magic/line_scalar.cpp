// The portable kernels, one value at a time: compiled with automatic vectorization off (core/CMakeLists.txt).

#include <array>
#include <vector>

#include "core/cpu/wavelet/magic/line_kernel.h"
#include "core/cpu/wavelet/magic/pass_method.h"

namespace sscope::cpu {

namespace {

using Vec = double;
constexpr std::int64_t kLanes = 1;
inline Vec loadVec(const double* from) { return *from; }
inline void storeVec(Vec value, double* to) { *to = value; }
inline Vec setVec(double value) { return value; }
inline Vec mulAdd(Vec a, Vec b, Vec c) { return a * b + c; }

#include "core/cpu/wavelet/magic/line_kernels-inl.h"

}  // namespace

const line::PortableTable& line::scalarTable() {
  static const PortableTable table = makeTable();
  return table;
}

// The lowest rungs, compiled with automatic vectorization off (core/CMakeLists.txt) as the paper's were.

void plainScalarLines(const MagicPass& pass, std::int64_t begin, std::int64_t end) { plainLines(pass, begin, end); }

void simpleLines(const MagicPass& pass, std::int64_t begin, std::int64_t end) {
  for (std::int64_t l = begin; l < end; ++l) {
    const double* in = pass.in + pass.begin(l);
    double* out = pass.out + pass.outBegin(l);
    for (std::int64_t i = 0; i < pass.n; ++i) {
      double sum = 0;
      for (std::int64_t k = 0; k < pass.tapCount; ++k)
        sum += pass.taps[k] * in[pass.wrapped(i + pass.first + k) * pass.stride];
      out[i * pass.outStride()] = sum;
    }
  }
}

void unrolledLines(const MagicPass& pass, std::int64_t begin, std::int64_t end) {
  constexpr std::size_t kDegree = 8;
  std::vector<std::int64_t> index;  // of the element at i + first, in doubles
  for (std::int64_t i = 0; i < pass.n + pass.tapCount - 1; ++i)
    index.push_back(pass.wrapped(i + pass.first) * pass.stride);
  std::int64_t l = begin;
  for (; l + static_cast<std::int64_t>(kDegree) <= end; l += kDegree) {
    std::array<const double*, kDegree> in{};
    std::array<double*, kDegree> out{};
    for (std::size_t j = 0; j < kDegree; ++j) {
      in[j] = pass.in + pass.begin(l + static_cast<std::int64_t>(j));
      out[j] = pass.out + pass.outBegin(l + static_cast<std::int64_t>(j));
    }
    for (std::int64_t i = 0; i < pass.n; ++i) {
      double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
      for (std::int64_t k = 0; k < pass.tapCount; ++k) {
        const std::int64_t at = index[static_cast<std::size_t>(i + k)];
        const double tap = pass.taps[k];
        s0 += tap * in[0][at];
        s1 += tap * in[1][at];
        s2 += tap * in[2][at];
        s3 += tap * in[3][at];
        s4 += tap * in[4][at];
        s5 += tap * in[5][at];
        s6 += tap * in[6][at];
        s7 += tap * in[7][at];
      }
      const std::int64_t at = i * pass.outStride();
      out[0][at] = s0;
      out[1][at] = s1;
      out[2][at] = s2;
      out[3][at] = s3;
      out[4][at] = s4;
      out[5][at] = s5;
      out[6][at] = s6;
      out[7][at] = s7;
    }
  }
  simpleLines(pass, l, end);
}

}  // namespace sscope::cpu
