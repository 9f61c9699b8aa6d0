// Sums that share operations, included into the namespace of every instruction set. Needs kernel_table.h, Block<T, N>,
// which is N vectors of sums with zero(), load(), add(), addProduct(), store() and storeWith(), and kFoldedRows and
// kFoldedVectors, the rows and vectors of sums that fill the registers.

// Sums of neighboring rows with one tap for all of them.
//
// M. van Herk, "A fast algorithm for local minimum and maximum filters on rectangular and octagonal kernels", Pattern
// Recognition Letters 13 (1992), and J. Gil and M. Werman, "Computing 2-D min, median, and max filters", IEEE PAMI 15
// (1993), for sums: rows are cut into blocks of as many as there are taps. A window meets two of them, so that its sum
// is one from a row to the end of its block and one from the beginning of the next block: three operations per output,
// however many taps. Nothing is ever subtracted, so NaN, Inf and rounding errors stay within the window.

template <class Sums, class T>
void sumEqualColumn(const EqualSum<T>& job, std::int64_t x) {
  const T* const in = job.in + x;
  T* const out = job.out + x;
  if (job.prefetch != nullptr) prefetchBlock(job, 0, x, job.rows + job.taps - 1, Sums::kElements);
  // Windows that begin with rows first .. last - 1 begin in the block that ends before row `end`.
  for (std::int64_t first = 0, end = job.taps - job.phase; first < job.rows; first = end, end += job.taps) {
    const std::int64_t last = std::min(end, job.rows);
    Sums sum = Sums::zero();
    for (std::int64_t row = end - 1; row >= last; --row) sum.addProduct(in + row * job.inRow, job.tap);
    for (std::int64_t row = last - 1; row >= first; --row) {
      sum.addProduct(in + row * job.inRow, job.tap);
      sum.store(job.buffer + (row - first) * Sums::kElements);
    }
    sum = Sums::zero();
    std::int64_t next = end;
    for (std::int64_t row = first; row < last; ++row) {
      for (; next < row + job.taps; ++next) sum.addProduct(in + next * job.inRow, job.tap);
      sum.storeWith(job.buffer + (row - first) * Sums::kElements, out + row * job.outRow);
    }
  }
}

// Calls step with the first element of each column of sums, and an empty one.
template <class T, class Step>
void forEachEqualColumn(std::int64_t vectors, Step&& step) {
  using Wide = Block<T, kEqualVectors>;
  using Narrow = Block<T, 1>;
  std::int64_t vector = 0;
  for (; vector + kEqualVectors <= vectors; vector += kEqualVectors) step(vector * Narrow::kElements, Wide::zero());
  for (; vector < vectors; ++vector) step(vector * Narrow::kElements, Narrow::zero());
}

template <class T>
void sumEqual(const EqualSum<T>& job) {
  forEachEqualColumn<T>(job.vectors, [&](std::int64_t x, auto sums) { sumEqualColumn<decltype(sums)>(job, x); });
}

template <class T>
void sumEqualColumns(const EqualColumnSum<T>& job) {
  const std::int64_t lanes = Block<T, 1>::kElements, apart = job.first * job.tapDistance;
  const std::int64_t neighbors = job.vectors + ((job.firsts - 1) * apart + lanes - 1) / lanes;
  for (std::int64_t row = 0; row < job.rows; ++row) {
    const T* const in = job.in + row * job.inRow;
    T* const out = job.out + row * job.outRow;
    forEachEqualColumn<T>(neighbors, [&](std::int64_t x, auto sum) {
      for (std::int64_t i = 0; i < job.first; ++i) sum.addProduct(in + x + i * job.tapDistance, job.tap);
      sum.store(job.buffer + x);
    });
    forEachEqualColumn<T>(job.vectors, [&](std::int64_t x, auto sum) {
      if (job.accumulate) sum.load(out + x);
      for (std::int64_t j = 0; j < job.firsts; ++j) sum.add(job.buffer + x + j * apart);
      const T* const rest = in + x + job.firsts * apart;
      for (std::int64_t k = 0; k < job.singles; ++k) sum.addProduct(rest + k * job.tapDistance, job.tap);
      sum.store(out + x);
    });
  }
}

template <class T>
void addEqualPlane(const EqualPlanes<T>& job, std::int64_t at) {
  forEachEqualColumn<T>(job.vectors, [&](std::int64_t x, auto sum) {
    sum.load(job.prefix + x);
    sum.addProduct(job.planes + at * job.stride + x, job.tap);
    sum.store(job.prefix + x);
    if (job.out != nullptr) sum.storeWith(job.planes + (at + 1) * job.stride + x, job.out + x);
  });
}

template <class T>
void sumEqualBlock(const EqualPlanes<T>& job, std::int64_t first, std::int64_t last) {
  forEachEqualColumn<T>(job.vectors, [&](std::int64_t x, auto sum) {
    for (std::int64_t at = last; at >= first; --at) {
      T* const plane = job.planes + at * job.stride + x;
      sum.addProduct(plane, job.tap);
      sum.store(plane);
    }
  });
}

// Dense sums whose taps are mirror-symmetric.

template <std::int64_t Rows, class Sums, class T>
inline __attribute__((always_inline)) void addFolded(Sums (&sums)[Rows], const Sums& value, const T* tap) {
#pragma GCC unroll 8
  for (std::int64_t r = 0; r < Rows; ++r) sums[r].addTimes(value, tap[r]);
}

// Adds one input row's sums with Rows rows of taps, the first of which is `first`, to the outputs that they belong to.
template <std::int64_t Rows, bool MirroredX, class Sums, class T>
__attribute__((noinline)) void addFoldedRows(const FoldedSum<T>& job, std::int64_t x, std::int64_t row,
                                             std::int64_t first) {
  const std::int64_t pairs = MirroredX ? job.kx / 2 : 0, singles = job.kx - 2 * pairs, distance = job.tapDistance;
  const T* tap = job.taps + first * job.planes * (pairs + singles);
  Sums sums[Rows];
#pragma GCC unroll 8
  for (std::int64_t r = 0; r < Rows; ++r) sums[r] = Sums::zero();
  for (std::int64_t k = 0; k < job.planes; ++k) {
    const T* left = job.in + k * job.inPlane + row * job.inRow + x;
    const T* right = left + (job.kx - 1) * distance;
    for (std::int64_t i = 0; i < pairs; ++i, left += distance, right -= distance, tap += Rows) {
      Sums value = Sums::zero();
      value.load(left);
      value.add(right);
      addFolded<Rows>(sums, value, tap);
    }
    for (std::int64_t i = 0; i < singles; ++i, left += distance, tap += Rows) {
      Sums value = Sums::zero();
      value.load(left);
      addFolded<Rows>(sums, value, tap);
    }
  }
#pragma GCC unroll 8
  for (std::int64_t r = 0; r < Rows; ++r) {
    const std::int64_t upper = row - (first + r), lower = row - (job.ky - 1 - (first + r));
    if (upper >= 0 && upper < job.rows) {
      T* const sum = job.sums + upper % job.ky * Sums::kElements;
      Sums all = sums[r];
      all.add(sum);
      all.store(sum);
    }
    if (job.distinct < job.ky && lower != upper && lower >= 0 && lower < job.rows) {
      T* const sum = job.sums + lower % job.ky * Sums::kElements;
      Sums all = sums[r];
      all.add(sum);
      all.store(sum);
    }
  }
}

template <std::int64_t Most, bool MirroredX, class Sums, class T>
void addFoldedGroup(const FoldedSum<T>& job, std::int64_t x, std::int64_t row, std::int64_t first, std::int64_t rows) {
  if constexpr (Most > 1)
    if (rows < Most) return addFoldedGroup<Most - 1, MirroredX, Sums>(job, x, row, first, rows);
  addFoldedRows<Most, MirroredX, Sums>(job, x, row, first);
}

// Every input row is multiplied with each row of taps once, though it meets it in two outputs where taps are mirrored
// along y. The outputs that a row belongs to are a ring of sums.
template <class Sums, class T>
void sumFoldedColumn(const FoldedSum<T>& job, std::int64_t x) {
  const Sums nothing = Sums::zero();
  for (std::int64_t j = 0; j < job.ky; ++j) nothing.store(job.sums + j * Sums::kElements);
  if (job.prefetch != nullptr) prefetchBlock(job, 0, x, job.rows, Sums::kElements);
  const bool mirroredY = job.distinct < job.ky;
  for (std::int64_t row = 0; row < job.rows + job.ky - 1; ++row) {
    for (std::int64_t first = 0; first < job.distinct; first += job.group) {
      const std::int64_t count = std::min(job.group, job.distinct - first), last = first + count - 1;
      const bool begins = row >= first && row - last < job.rows;
      const bool ends = mirroredY && row >= job.ky - 1 - last && row - (job.ky - 1 - first) < job.rows;
      if (!begins && !ends) continue;
      job.mirroredX ? addFoldedGroup<kFoldedRows, true, Sums>(job, x, row, first, count)
                    : addFoldedGroup<kFoldedRows, false, Sums>(job, x, row, first, count);
    }
    const std::int64_t done = row - (job.ky - 1);
    if (done < 0) continue;
    T* const sum = job.sums + done % job.ky * Sums::kElements;
    Sums value;
    value.load(sum);
    value.store(job.out + done * job.outRow + x);
    nothing.store(sum);
  }
}

// The last column is moved back so that it ends with the job: what it computes twice is the same.
template <class T>
void sumFolded(const FoldedSum<T>& job) {
  using Wide = Block<T, kFoldedVectors>;
  using Narrow = Block<T, 1>;
  if (job.vectors >= kFoldedVectors) {
    for (std::int64_t vector = 0; vector < job.vectors; vector += kFoldedVectors)
      sumFoldedColumn<Wide>(job, std::min(vector, job.vectors - kFoldedVectors) * Narrow::kElements);
  } else {
    for (std::int64_t vector = 0; vector < job.vectors; ++vector)
      sumFoldedColumn<Narrow>(job, vector * Narrow::kElements);
  }
}

template <class T>
void foldPlanes(const T* first, const T* second, T* out, std::int64_t vectors) {
  const T scale = static_cast<T>(kFoldedScale);
  forEachEqualColumn<T>(vectors, [&](std::int64_t x, auto sum) {
    sum.addProduct(first + x, scale);
    if (second != nullptr) sum.addProduct(second + x, scale);
    sum.store(out + x);
  });
}
