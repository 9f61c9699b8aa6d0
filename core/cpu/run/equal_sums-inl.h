// Sums of neighboring rows with one tap for all of them, included into the namespace of every instruction set. Needs
// kernel_table.h and Block<T, N>: N vectors of sums with zero(), load(), add(), addProduct(), store() and storeWith().
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
