// Order statistics and entropies of rows, included into the namespace of every instruction set. Needs <algorithm>,
// <cstddef>, <cstdint>, <limits>, <utility>, entropy_window.h, sorting_network.h, window_kernels.h, RANK_INLINE and
// Lanes<Key> with V, load, store, smaller and larger.

// Order statistics of boxes of bytes by histograms of columns, which neighbors share (Perreault and Hebert, Median
// filtering in constant time, 2007, with columns that also go through the planes).

// Counts of the values in every column of a box, n1 by n2 of them: 16 values together, and by themselves.
struct ColumnCounts {
  std::uint16_t* together;  // [columns][16]
  std::uint16_t* single;    // [16][columns][16]
  std::int64_t columns;

  template <int kStep>
  inline void count(const std::int8_t* row) const {
    for (std::int64_t i = 0; i < columns; ++i) {
      const auto value = static_cast<std::uint32_t>(row[i] + 128);
      std::uint16_t& some = together[16 * i + value / 16];
      std::uint16_t& one = single[16 * (value / 16 * columns + i) + value % 16];
      some = static_cast<std::uint16_t>(some + kStep);
      one = static_cast<std::uint16_t>(one + kStep);
    }
  }
};

inline void addCounts(std::uint16_t* sum, const std::uint16_t* added) {
  for (int i = 0; i < 16; ++i) sum[i] = static_cast<std::uint16_t>(sum[i] + added[i]);
}
inline void moveCounts(std::uint16_t* sum, const std::uint16_t* added, const std::uint16_t* taken) {
  for (int i = 0; i < 16; ++i) sum[i] = static_cast<std::uint16_t>(sum[i] + added[i] - taken[i]);
}

// Where counts add up to more than `left`, which becomes the rank among those there.
inline std::uint32_t placeOf(const std::uint16_t* counts, std::uint32_t& left) {
  std::uint32_t place = 0;
  while (left >= counts[place]) left -= counts[place++];
  return place;
}

// A row of outputs, every `distance`-th from `first` on. Counts of single values follow only where they are looked at.
inline void searchRow(const HistogramJob& job, const ColumnCounts& columns, std::int64_t first, std::int64_t outputs,
                      std::int8_t* out) {
  const std::int64_t along = job.size[0], d = job.tapDistance, last = (along - 1) * d;
  alignas(64) std::uint16_t together[16] = {}, single[16][16];
  std::int64_t counted[16];  // for which output
  std::fill_n(counted, 16, std::int64_t{-1});
  for (std::int64_t i = 0; i < along; ++i) addCounts(together, columns.together + 16 * (first + i * d));
  for (std::int64_t x = first; x < outputs; x += d) {
    if (x > first) moveCounts(together, columns.together + 16 * (x + last), columns.together + 16 * (x - d));
    auto left = static_cast<std::uint32_t>(job.rank);
    const std::uint32_t range = placeOf(together, left);
    const std::uint16_t* of = columns.single + 16 * columns.columns * range;
    std::uint16_t* counts = single[range];
    const std::int64_t before = counted[range];
    if (before < 0 || 2 * (x - before) > along * d) {
      std::fill_n(counts, 16, std::uint16_t{0});
      for (std::int64_t i = 0; i < along; ++i) addCounts(counts, of + 16 * (x + i * d));
    } else {
      for (std::int64_t at = before + d; at <= x; at += d)
        moveCounts(counts, of + 16 * (at + last), of + 16 * (at - d));
    }
    counted[range] = x;
    out[x] = static_cast<std::int8_t>(static_cast<std::int32_t>(16 * range + placeOf(counts, left)) - 128);
  }
}

// Row by row down one slice, up the next: each step takes a row of values out of the columns and another one in.
inline void histogram(const HistogramJob& job) {
  for (std::int64_t begin = 0; begin < job.outputs; begin += kHistogramOutputs) {
    const std::int64_t outputs = std::min(kHistogramOutputs, job.outputs - begin);
    ColumnCounts columns{job.counts, nullptr, outputs + (job.size[0] - 1) * job.tapDistance};
    columns.single = columns.together + 16 * columns.columns;
    std::fill_n(job.counts, 16 * 17 * columns.columns, std::uint16_t{0});
    const auto row = [&](std::int64_t y, std::int64_t z) { return job.in + z * job.plane + y * job.row + begin; };
    for (std::int64_t k = 0; k < job.size[2]; ++k)
      for (std::int64_t j = 0; j < job.size[1]; ++j) columns.count<1>(row(j, k));
    std::int64_t y = 0, step = 1;
    for (std::int64_t z = 0; z < job.planes; ++z, step = -step) {
      job.control->check();
      for (std::int64_t j = 0; z > 0 && j < job.size[1]; ++j) {
        columns.count<-1>(row(y + j, z - 1));
        columns.count<1>(row(y + j, z - 1 + job.size[2]));
      }
      for (std::int64_t i = 0; i < job.rows; ++i) {
        for (std::int64_t k = 0; i > 0 && k < job.size[2]; ++k) {
          columns.count<-1>(row(step > 0 ? y : y + job.size[1] - 1, z + k));
          columns.count<1>(row(step > 0 ? y + job.size[1] : y - 1, z + k));
        }
        if (i > 0) y += step;
        std::int8_t* out = job.out + z * job.outPlane + y * job.outRow + begin;
        for (std::int64_t first = 0; first < std::min(job.tapDistance, outputs); ++first)
          searchRow(job, columns, first, outputs, out);
      }
    }
  }
}

// Order statistics of rows: each lane is an output of its own, and all lanes execute the same steps.

template <class L>
RANK_INLINE void sortPair(typename L::V& low, typename L::V& high) {
  const typename L::V smaller = L::smaller(low, high);
  high = L::larger(low, high);
  low = smaller;
}

// Forgetful selection.
template <class Key>
void select(const RankJob<Key>& job) {
  using L = Lanes<Key>;
  typename L::V held[kMostSelected / 2 + 2];
  for (std::int64_t x = 0; x < job.outputs; x += L::count()) {
    const Key* in = job.in + x;
    std::int64_t next = 0, last = job.count / 2 + 1;
    for (; next <= last; ++next) held[next] = L::load(in + job.offset[next]);
    for (;; --last) {
      for (std::int64_t i = 0; i < (last + 1) / 2; ++i) sortPair<L>(held[i], held[last - i]);
      typename L::V smallest = held[0], largest = held[last];
      for (std::int64_t i = 1; i <= last / 2; ++i) sortPair<L>(smallest, held[i]);
      for (std::int64_t i = (last + 1) / 2; i < last; ++i) sortPair<L>(held[i], largest);
      if (next == job.count) break;
      held[0] = L::load(in + job.offset[next++]);
    }
    L::store(held[1], job.out + x);
  }
}

template <class L, const SortingNetwork& kNetwork, std::size_t... I>
RANK_INLINE void exchangeAll(typename L::V* v, std::index_sequence<I...> /*all*/) {
  (sortPair<L>(v[kNetwork.exchanges[I].low], v[kNetwork.exchanges[I].high]), ...);
}

// out[i] = the value at the network's place first + i.
template <class L, const SortingNetwork& kNetwork, std::size_t kFirst, std::size_t... I>
RANK_INLINE void inOrder(const typename L::V* v, typename L::V* out, std::index_sequence<I...> /*kept*/) {
  ((out[I] = v[kNetwork.result.at[kFirst + I]]), ...);
}

template <std::size_t kCount>
inline constexpr SortingNetwork kSorting = sortingNetwork(kCount);
template <std::size_t kFirst, std::size_t kSecond>
inline constexpr SortingNetwork kMerging = mergingNetwork(kFirst, kSecond);

// The values kBegin .. kBegin + kKept - 1 of two sorted lists together; the compiler leaves out what only others need.
template <class L, std::size_t kA, std::size_t kB, std::size_t kBegin, std::size_t kKept>
RANK_INLINE void merged(const typename L::V* a, const typename L::V* b, typename L::V* out) {
  typename L::V all[kA + kB];
  for (std::size_t i = 0; i < kA; ++i) all[i] = a[i];
  for (std::size_t i = 0; i < kB; ++i) all[kA + i] = b[i];
  exchangeAll<L, kMerging<kA, kB>>(all, std::make_index_sequence<kMerging<kA, kB>.count>());
  inOrder<L, kMerging<kA, kB>, kBegin>(all, out, std::make_index_sequence<kKept>());
}

// The value of rank kRank of two sorted lists: the smallest of what is largest when so many of the first and the rest
// of the second are below it.
template <class L, std::size_t kA, std::size_t kB, std::size_t kRank>
RANK_INLINE typename L::V rankOfTwo(const typename L::V* a, const typename L::V* b) {
  constexpr std::size_t kFew = kRank + 1 > kB ? kRank + 1 - kB : 0, kMany = kRank + 1 < kA ? kRank + 1 : kA;
  typename L::V found = kFew == 0 ? b[kRank] : L::larger(a[kFew > 0 ? kFew - 1 : 0], b[kFew > 0 ? kRank - kFew : 0]);
  for (std::size_t i = kFew + 1; i <= kMany; ++i)
    found = L::smaller(found, i == kRank + 1 ? a[i - 1] : L::larger(a[i - 1], b[kRank - i]));
  return found;
}

// The values of a box that lie in one row of every plane, sorted.
template <class L, std::size_t kAlongX, std::size_t kPlanes, class Key>
RANK_INLINE void sortedRow(const MergeJob<Key>& job, const Key* in, typename L::V* out) {
  constexpr std::size_t kCount = kAlongX * kPlanes;
  typename L::V v[kCount];
  for (std::size_t k = 0; k < kPlanes; ++k)
    for (std::size_t i = 0; i < kAlongX; ++i)
      v[k * kAlongX + i] =
          L::load(in + static_cast<std::int64_t>(k) * job.plane + static_cast<std::int64_t>(i) * job.tapDistance);
  exchangeAll<L, kSorting<kCount>>(v, std::make_index_sequence<kSorting<kCount>.count>());
  inOrder<L, kSorting<kCount>, 0>(v, out, std::make_index_sequence<kCount>());
}

// Medians of boxes of three rows. Two outputs, one above the other, share two rows: of these, only values that can be
// the median with any third row are kept.
template <class Key, std::size_t kPlanes>
void mergeThree(const MergeJob<Key>& job) {
  using L = Lanes<Key>;
  constexpr std::size_t kRow = 3 * kPlanes, kRank = 3 * kRow / 2, kLow = 2 * kRow - 1 - kRank;
  constexpr std::size_t kKept = kRank + 1 - kLow;
  for (std::int64_t x = 0; x < job.outputs; x += L::count()) {
    const Key* in = job.in + x;
    Key* out = job.out + x;
    typename L::V above[kRow], first[kRow], second[kRow], below[kRow], both[kKept];
    sortedRow<L, 3, kPlanes>(job, in, above);
    sortedRow<L, 3, kPlanes>(job, in + job.row, first);
    for (std::int64_t y = 0; y < job.rows; y += 2) {
      sortedRow<L, 3, kPlanes>(job, in + (y + 2) * job.row, second);
      sortedRow<L, 3, kPlanes>(job, in + (y + 3) * job.row, below);
      merged<L, kRow, kRow, kLow, kKept>(first, second, both);
      L::store(rankOfTwo<L, kKept, kRow, kRank - kLow>(both, above), out + y * job.outRow);
      L::store(rankOfTwo<L, kKept, kRow, kRank - kLow>(both, below), out + (y + 1) * job.outRow);
      for (std::size_t i = 0; i < kRow; ++i) above[i] = second[i], first[i] = below[i];
    }
  }
}

// Medians of 5 x 5 values, in the same way: two outputs share four rows, and pairs of rows are merged once.
template <class Key>
void mergeFive(const MergeJob<Key>& job) {
  using L = Lanes<Key>;
  constexpr std::size_t kRow = 5, kRank = 12, kLow = 4 * kRow - 1 - kRank, kKept = kRank + 1 - kLow;
  for (std::int64_t x = 0; x < job.outputs; x += L::count()) {
    const Key* in = job.in + x;
    Key* out = job.out + x;
    typename L::V above[kRow], next[kRow], odd[kRow], even[kRow], below[kRow];
    typename L::V upper[2 * kRow], lower[2 * kRow], all[kKept];
    sortedRow<L, 5, 1>(job, in, above);
    sortedRow<L, 5, 1>(job, in + job.row, odd);
    sortedRow<L, 5, 1>(job, in + 2 * job.row, next);
    merged<L, kRow, kRow, 0, 2 * kRow>(odd, next, upper);
    sortedRow<L, 5, 1>(job, in + 3 * job.row, odd);
    for (std::int64_t y = 0; y < job.rows; y += 2) {
      sortedRow<L, 5, 1>(job, in + (y + 4) * job.row, even);
      sortedRow<L, 5, 1>(job, in + (y + 5) * job.row, below);
      merged<L, kRow, kRow, 0, 2 * kRow>(odd, even, lower);
      merged<L, 2 * kRow, 2 * kRow, kLow, kKept>(upper, lower, all);
      L::store(rankOfTwo<L, kKept, kRow, kRank - kLow>(all, above), out + y * job.outRow);
      L::store(rankOfTwo<L, kKept, kRow, kRank - kLow>(all, below), out + (y + 1) * job.outRow);
      for (std::size_t i = 0; i < kRow; ++i) above[i] = next[i], next[i] = even[i], odd[i] = below[i];
      for (std::size_t i = 0; i < 2 * kRow; ++i) upper[i] = lower[i];
    }
  }
}

template <class Key>
void largestOf(const RankJob<Key>& job) {
  using L = Lanes<Key>;
  for (std::int64_t x = 0; x < job.outputs; x += L::count()) {
    const Key* in = job.in + x;
    typename L::V largest = L::load(job.out + x);
    for (std::int64_t m = 0; m < job.count; ++m) largest = L::larger(largest, L::load(in + job.offset[m]));
    L::store(largest, job.out + x);
  }
}

// The largest of 2, 4, 8, ... values, and of two of these that overlap.
template <class Key>
void largestAlongX(const Key* in, Key* out, std::int64_t count, std::int64_t values, std::int64_t distance) {
  using L = Lanes<Key>;
  std::int64_t covered = 1;
  do {
    const std::int64_t step = covered * 2 <= values ? covered : values - covered;
    for (std::int64_t x = 0; x < count; x += L::count())
      L::store(L::larger(L::load(in + x), L::load(in + x + step * distance)), out + x);
    covered += step;
    in = out;
  } while (covered < values);
}

// Van Herk's and Gil and Werman's: the largest of `values` rows from that in one block of rows to the block's end and
// that in the next block to the last row needed.
template <class Key>
void largestOfRows(const RowsJob<Key>& job) {
  using L = Lanes<Key>;
  typename L::V toEnd[kMostRows];
  for (std::int64_t x = 0; x < job.outputs; x += L::count()) {
    Key* at = job.rows + x;
    for (std::int64_t begin = 0; begin < job.count; begin += job.values, at += job.values * job.stride) {
      typename L::V largest = L::load(at + (job.values - 1) * job.stride);
      toEnd[job.values - 1] = largest;
      for (std::int64_t i = job.values - 2; i >= 0; --i)
        toEnd[i] = largest = L::larger(largest, L::load(at + i * job.stride));
      L::store(largest, at);
      const std::int64_t end = job.values < job.count - begin ? job.values : job.count - begin;
      if (end < 2) continue;
      largest = L::load(at + job.values * job.stride);
      L::store(L::larger(toEnd[1], largest), at + job.stride);
      for (std::int64_t i = 2; i < end; ++i) {
        largest = L::larger(largest, L::load(at + (job.values - 1 + i) * job.stride));
        L::store(L::larger(toEnd[i], largest), at + i * job.stride);
      }
    }
  }
}

// Integers to numbers, and numbers to themselves.
template <class From, class To>
void widenAs(const void* from, std::int64_t count, void* to) {
  const auto* values = static_cast<const From*>(from);
  auto* numbers = static_cast<To*>(to);
  for (std::int64_t i = 0; i < count; ++i) numbers[i] = static_cast<To>(values[i]);
}

inline void widen(ElementType as, const void* values, std::int64_t count, void* numbers) {
  switch (as) {
    case ElementType::u8: return widenAs<std::uint8_t, float>(values, count, numbers);
    case ElementType::i8: return widenAs<std::int8_t, float>(values, count, numbers);
    case ElementType::u16: return widenAs<std::uint16_t, float>(values, count, numbers);
    case ElementType::i16: return widenAs<std::int16_t, float>(values, count, numbers);
    case ElementType::u32: return widenAs<std::uint32_t, double>(values, count, numbers);
    case ElementType::i32: return widenAs<std::int32_t, double>(values, count, numbers);
    case ElementType::f32: return widenAs<float, float>(values, count, numbers);
    case ElementType::f64: return widenAs<double, double>(values, count, numbers);
  }
}

// Unsigned integers lose the upper half's head start: they become signed ones.
inline bool isUnsigned(ElementType as) {
  return as == ElementType::u8 || as == ElementType::u16 || as == ElementType::u32;
}

template <class Key>
RankKernels<Key> kernelsOf() {
  RankKernels<Key> kernels;
  kernels.lanes = Lanes<Key>::count();
  kernels.toKeys = toKeys<Key>;
  kernels.fromKeys = fromKeys<Key>;
  kernels.widen = widen;
  kernels.select = select<Key>;
  kernels.bisect = bisect<Key>;
  kernels.merge3x3 = mergeThree<Key, 1>;
  kernels.merge3x3x3 = mergeThree<Key, 3>;
  kernels.merge5x5 = mergeFive<Key>;
  kernels.largestOf = largestOf<Key>;
  kernels.largestAlongX = largestAlongX<Key>;
  kernels.largestOfRows = largestOfRows<Key>;
  if constexpr (sizeof(Key) == 1) kernels.histogram = histogram;
  return kernels;
}

// Entropies of rows by a moving histogram: from one output to the next, each line of the window loses its first value
// and gets the one behind its last. The sum is updated with the counts and is exact.

inline void entropies(const EntropyJob& job) {
  const std::int64_t d = job.tapDistance;
  std::uint32_t* counts = job.counts;
  for (std::int64_t first = 0; first < std::min(d, job.outputs); ++first) {
    std::fill_n(counts, job.bins + 1, 0U);
    std::int64_t sum = 0;
    for (std::int64_t line = 0; line < job.lines; ++line)
      for (std::int64_t at = job.begins[line]; at < job.ends[line]; at += d)
        sum += job.steps[counts[job.in[first + at]]++];
    for (std::int64_t x = first;; x += d) {
      job.out[x] =
          counts[job.bins] > 0 ? std::numeric_limits<double>::quiet_NaN() : entropyOf(job.total, sum, job.members);
      if (x + d >= job.outputs) break;
      const std::uint16_t* in = job.in + x;
      for (std::int64_t line = 0; line < job.lines; ++line) {
        sum -= job.steps[--counts[in[job.begins[line]]]];
        sum += job.steps[counts[in[job.ends[line]]]++];
      }
    }
  }
}
