// The vectorized rungs of the paper: vectors of two doubles, and two copies of the taps instead of moving data.

#include "core/cpu/magic/magic_pass.h"

#if defined(__SSE2__)

#include <emmintrin.h>

#include <algorithm>
#include <array>
#include <vector>

namespace sscope::cpu {

namespace {

// FA = (F0, F1, ...) meets outputs at even places; FU = (F15, F0, ..., F14) those at odd ones, whose first vector of
// data is (D16, D1). An odd number of taps gets one more, of 0.
class TwoFilters {
 public:
  explicit TwoFilters(const MagicPass& pass) : pairs_((pass.tapCount + 1) / 2) {
    const auto tap = [&](std::int64_t k) { return k < pass.tapCount ? pass.taps[k] : 0.0; };
    for (std::int64_t p = 0; p < pairs_; ++p) {
      aligned_.push_back({tap(2 * p), tap(2 * p + 1)});
      unaligned_.push_back({tap((2 * p + 2 * pairs_ - 1) % (2 * pairs_)), tap(2 * p)});
    }
  }
  [[nodiscard]] std::int64_t pairs() const { return pairs_; }
  [[nodiscard]] __m128d a(std::int64_t pair) const { return _mm_load_pd(aligned_[static_cast<std::size_t>(pair)].v); }
  [[nodiscard]] __m128d u(std::int64_t pair) const { return _mm_load_pd(unaligned_[static_cast<std::size_t>(pair)].v); }

 private:
  struct alignas(16) Pair {
    double v[2];
  };
  std::int64_t pairs_;
  std::vector<Pair> aligned_, unaligned_;
};

constexpr int kAhead = 16;  // doubles of the output that are fetched before they are written

// Where a block of outputs reads and writes; one window a column.
template <int Columns>
struct Block {
  std::array<const double*, Columns> in;  // the window of the first output
  double* out;
  std::int64_t columnStride, rowStride;  // of out
};

// `Pairs` > 0 is the number of pairs of taps, known to the compiler; 0: as many as there are.
template <int Columns, int Rows, bool Transposed, int Pairs>
inline void computeBlock(const TwoFilters& filters, const Block<Columns>& block) {
  static_assert(Rows % 2 == 0 && (!Transposed || Columns % 2 == 0));
  constexpr int kVectors = Rows / 2;
  const std::int64_t pairs = Pairs > 0 ? Pairs : filters.pairs();
  __m128d sum[Columns][Rows];
  const __m128d firstA = filters.a(0), firstU = filters.u(0);
#pragma GCC unroll 8
  for (int c = 0; c < Columns; ++c)
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      const __m128d data = _mm_loadu_pd(block.in[static_cast<std::size_t>(c)] + 2 * v);
      const __m128d last = _mm_loadu_pd(block.in[static_cast<std::size_t>(c)] + 2 * v + 2 * pairs);
      sum[c][2 * v] = _mm_mul_pd(data, firstA);
      sum[c][2 * v + 1] = _mm_mul_pd(_mm_move_sd(data, last), firstU);
    }
#pragma GCC unroll 8
  for (std::int64_t p = 1; p < pairs; ++p) {
    const __m128d a = filters.a(p), u = filters.u(p);
#pragma GCC unroll 8
    for (int c = 0; c < Columns; ++c)
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) {
        const __m128d data = _mm_loadu_pd(block.in[static_cast<std::size_t>(c)] + 2 * (v + p));
        sum[c][2 * v] = _mm_add_pd(sum[c][2 * v], _mm_mul_pd(data, a));
        sum[c][2 * v + 1] = _mm_add_pd(sum[c][2 * v + 1], _mm_mul_pd(data, u));
      }
  }
  const auto folded = [](__m128d first, __m128d second) {
    return _mm_add_pd(_mm_unpacklo_pd(first, second), _mm_unpackhi_pd(first, second));
  };
  if constexpr (Transposed) {  // neighbors in memory are the same output of neighboring columns
    // Every row of the output is a stream of its own, too many for the processor to foresee.
    for (int r = 0; r < Rows; ++r) __builtin_prefetch(block.out + r * block.rowStride + kAhead, 1);
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 8
      for (int c = 0; c < Columns; c += 2)
        _mm_storeu_pd(block.out + r * block.rowStride + c, folded(sum[c][r], sum[c + 1][r]));
  } else {
#pragma GCC unroll 8
    for (int c = 0; c < Columns; ++c)
#pragma GCC unroll 8
      for (int r = 0; r < Rows; r += 2)
        _mm_storeu_pd(block.out + c * block.columnStride + r, folded(sum[c][r], sum[c][r + 1]));
  }
}

template <int Columns, int Rows, bool Transposed, int Pairs>
void patternLines(const MagicPass& pass, std::int64_t begin, std::int64_t end, const TwoFilters& filters) {
  // Outputs whose windows leave the line read a copy of it that goes on at both ends.
  const std::int64_t width = Rows + 2 * filters.pairs() - 1, whole = pass.n / Rows * Rows;
  std::vector<double> around(static_cast<std::size_t>(Columns * (width + 1)));
  std::int64_t l = begin;
  for (; l + Columns <= end; l += Columns) {
    for (std::int64_t i = 0; i < whole; i += Rows) {
      const std::int64_t from = i + pass.first;
      const bool inside = from >= 0 && from + width <= pass.n;
      Block<Columns> block{{}, pass.out + pass.outBegin(l) + i * pass.outStride(), pass.n, pass.outStride()};
      for (int c = 0; c < Columns; ++c) {
        const double* line = pass.in + (l + c) * pass.n;
        if (inside) {
          block.in[static_cast<std::size_t>(c)] = line + from;
          continue;
        }
        double* copy = around.data() + c * (width + 1);
        for (std::int64_t k = 0; k < width; ++k) copy[k] = line[pass.wrapped(from + k)];
        block.in[static_cast<std::size_t>(c)] = copy;
      }
      computeBlock<Columns, Rows, Transposed, Pairs>(filters, block);
    }
    for (std::int64_t i = whole; i < pass.n; ++i)
      for (std::int64_t c = l; c < l + Columns; ++c) {
        double sum = 0;
        for (std::int64_t k = 0; k < pass.tapCount; ++k)
          sum += pass.taps[k] * pass.in[c * pass.n + pass.wrapped(i + pass.first + k)];
        pass.out[pass.outBegin(c) + i * pass.outStride()] = sum;
      }
  }
  simpleLines(pass, l, end);
}

template <int Columns, int Rows, bool Transposed>
void lines(const MagicPass& pass, std::int64_t begin, std::int64_t end) {
  const TwoFilters filters(pass);
  if (filters.pairs() == 8) {  // the paper's
    patternLines<Columns, Rows, Transposed, 8>(pass, begin, end, filters);
  } else {
    patternLines<Columns, Rows, Transposed, 0>(pass, begin, end, filters);
  }
}

struct Pattern {
  int columns, rows;
  bool transposed;
  MagicLines lines;
};

constexpr std::array<Pattern, 11> kPatterns{{{1, 2, false, lines<1, 2, false>},
                                             {1, 4, false, lines<1, 4, false>},
                                             {2, 2, false, lines<2, 2, false>},
                                             {1, 6, false, lines<1, 6, false>},
                                             {1, 8, false, lines<1, 8, false>},
                                             {2, 4, false, lines<2, 4, false>},
                                             {4, 2, false, lines<4, 2, false>},
                                             {1, 10, false, lines<1, 10, false>},
                                             {1, 12, false, lines<1, 12, false>},
                                             {2, 4, true, lines<2, 4, true>},
                                             {4, 2, true, lines<4, 2, true>}}};

}  // namespace

MagicLines sseLines(int columns, int rows, bool transposed) {
  const auto* found = std::find_if(kPatterns.begin(), kPatterns.end(), [&](const Pattern& pattern) {
    return pattern.columns == columns && pattern.rows == rows && pattern.transposed == transposed;
  });
  return found == kPatterns.end() ? nullptr : found->lines;
}

}  // namespace sscope::cpu

#else

namespace sscope::cpu {

MagicLines sseLines(int, int, bool) { return nullptr; }

}  // namespace sscope::cpu

#endif
