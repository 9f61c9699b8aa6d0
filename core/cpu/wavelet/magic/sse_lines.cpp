// The vectorized rungs of the paper: vectors of two doubles, and two copies of the taps instead of moving data.

#include "core/cpu/run/scratch.h"
#include "core/cpu/wavelet/magic/pass_method.h"

#if defined(__SSE2__)

#include <emmintrin.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
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

// Where a block of outputs reads and writes; one window a column.
template <int Columns>
struct Block {
  std::array<const double*, Columns> in;  // the window of the first output
  double* out;
  std::int64_t columnStride, rowStride;  // of out
};

// `Pairs` > 0 is the number of pairs of taps, known to the compiler; 0: as many as there are.
template <int Columns, int Rows, bool Transposed, int Pairs>
[[gnu::always_inline]] inline void computeBlock(const TwoFilters& filters, const Block<Columns>& block) {
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
      const double* last = block.in[static_cast<std::size_t>(c)] + 2 * v + 2 * pairs;  // what follows may be no data
      sum[c][2 * v] = _mm_mul_pd(data, firstA);
      sum[c][2 * v + 1] = _mm_mul_pd(_mm_loadl_pd(data, last), firstU);
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

// Rows of the output in the making, of eight lines at a time: where rows lie far apart, vectors of two doubles that go
// to memory one by one find neither their cache line nor their page. Complete cache lines go past the caches.
class ColumnStage {
 public:
  static constexpr std::int64_t kLine = kStagedLines;  // doubles of a cache line

  // For rows first..last-1 of the pass's output, from line `begin` on.
  ColumnStage(const MagicPass& pass, std::int64_t first, std::int64_t last, std::int64_t begin, bool past, double* rows)
      : pass_(pass), first_(first), last_(last), begin_(begin), past_(past), rows_(rows) {}

  // Where the values of group `group` of row i belong; rows follow each other kPitch apart.
  static constexpr std::int64_t kPitch = 2 * kLine;
  [[nodiscard]] double* at(std::int64_t i, std::int64_t group) const {
    return rows_ + (i - first_) * kPitch + group % 2 * kLine;
  }
  // Row i of this group is complete.
  void write(std::int64_t i, std::int64_t group) const {
    if (i >= last_) return;
    double* out = pass_.out + i * pass_.lines + begin_ + group * kLine;
    const std::int64_t late = phase(out);
    const double* now = at(i, group);
    if (!past_ || late % 2 != 0) {
      for (int v = 0; v < kLine; v += 2) _mm_storeu_pd(out + v, _mm_load_pd(now + v));
    } else if (group == 0 && late != 0) {
      for (std::int64_t v = 0; v < kLine - late; v += 2) _mm_store_pd(out + v, _mm_load_pd(now + v));
    } else {  // the cache line begins in the group before
      const double* row = rows_ + (i - first_) * kPitch;
      const std::int64_t from = group % 2 * kLine - late;
      for (int v = 0; v < kLine; v += 2) _mm_stream_pd(out - late + v, _mm_load_pd(row + ((from + v) & (kPitch - 1))));
    }
  }
  // What is left of the last group.
  void finish(std::int64_t groups) const {
    if (!past_ || groups == 0) return;
    for (std::int64_t i = first_; i < last_; ++i) {
      double* end = pass_.out + i * pass_.lines + begin_ + groups * kLine;
      const std::int64_t late = phase(end);
      if (late % 2 == 0) std::copy_n(at(i, groups - 1) + kLine - late, late, end - late);
    }
  }

 private:
  // Doubles since the beginning of the cache line.
  static std::int64_t phase(const double* p) {
    return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(p) / sizeof(double)) % kLine;
  }
  const MagicPass& pass_;
  std::int64_t first_, last_, begin_;
  bool past_;
  double* rows_;
};

constexpr std::int64_t kMostOutputs = 192;  // of a line at a time, so that the stage stays in the first-level cache
constexpr std::int64_t kKept = 1 << 20;     // bytes: smaller outputs are better left in the caches

// `count` elements of a line from `from` on, which may lie before or behind it.
void copyAround(const MagicPass& pass, std::int64_t line, std::int64_t from, std::int64_t count, double* to) {
  while (count > 0) {
    const std::int64_t at = pass.wrapped(from), run = std::min(count, pass.n - at);
    std::copy_n(pass.in + line * pass.n + at, run, to);
    from += run;
    to += run;
    count -= run;
  }
}

// Eight lines at a time, from copies that go on at both ends, through a stage of their outputs.
template <int Columns, int Rows, int Pairs>
void stagedLines(const MagicPass& pass, std::int64_t begin, std::int64_t end, const TwoFilters& filters) {
  constexpr std::int64_t kLine = ColumnStage::kLine;
  const std::int64_t groups = (end - begin) / kLine, reach = 2 * filters.pairs() + Rows;
  const std::int64_t pieces = (pass.n + kMostOutputs - 1) / kMostOutputs;
  const std::int64_t most = ((pass.n + pieces - 1) / pieces + Rows - 1) / Rows * Rows;
  const std::int64_t pitch = (most + reach + 7) / 8 * 8;
  std::vector<double> memory(static_cast<std::size_t>(kLine * pitch + most * ColumnStage::kPitch) + 7);
  void* aligned = memory.data();
  std::size_t space = memory.size() * sizeof(double);
  auto* lines = static_cast<double*>(std::align(64, (memory.size() - 7) * sizeof(double), aligned, space));
  const bool past = pass.n * pass.lines * 8 > kKept;
  for (std::int64_t first = 0; first < pass.n && groups > 0; first += most) {
    const std::int64_t last = std::min(first + most, pass.n);
    const ColumnStage stage(pass, first, last, begin, past, lines + kLine * pitch);
    for (std::int64_t g = 0; g < groups; ++g) {
      for (std::int64_t c = 0; c < kLine; ++c)
        copyAround(pass, begin + g * kLine + c, first + pass.first, last - first + reach, lines + c * pitch);
      for (std::int64_t i = first; i < last; i += Rows) {
#pragma GCC unroll 4
        for (std::int64_t part = 0; part < kLine; part += Columns) {
          Block<Columns> block{{}, stage.at(i, g) + part, 0, ColumnStage::kPitch};
#pragma GCC unroll 4
          for (int c = 0; c < Columns; ++c)
            block.in[static_cast<std::size_t>(c)] = lines + (part + c) * pitch + i - first;
          computeBlock<Columns, Rows, true, Pairs>(filters, block);
        }
#pragma GCC unroll 4
        for (int r = 0; r < Rows; ++r) stage.write(i + r, g);
      }
    }
    stage.finish(groups);
  }
  _mm_sfence();
  patternLines<Columns, Rows, true, Pairs>(pass, begin + groups * kLine, end, filters);
}

template <int Columns, int Rows, bool Transposed>
void lines(const MagicPass& pass, std::int64_t begin, std::int64_t end) {
  const TwoFilters filters(pass);
  const auto compute = [&]<int Pairs>() {
    if constexpr (Transposed)
      stagedLines<Columns, Rows, Pairs>(pass, begin, end, filters);
    else
      patternLines<Columns, Rows, false, Pairs>(pass, begin, end, filters);
  };
  filters.pairs() == 8 ? compute.template operator()<8>() : compute.template operator()<0>();  // 8: the paper's
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
