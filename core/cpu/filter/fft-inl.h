// Fourier transforms and their helpers, included into the namespace of every instruction set so that each has its own
// compiled copy. Needs <algorithm>, <array>, <cmath>, <cstdint> and fft_kernels.h, and in front of it, for Lanes<T>,
// the vector of numbers T: kLanes<T>, load, store, splat, add, sub, mul, mulAdd(a, b, c) = a b + c, mulSub(a, b, c) = a
// b - c, magnitude, smaller, larger, total, greatest, and transpose<T>(from, fromRow, to, toRow) of a block of
// kLanes<T> rows.

// R complex vectors.
template <class T, int R>
struct Complexes {
  Lanes<T> re[R], im[R];
};

template <class T>
SSCOPE_INLINE void dft4(Lanes<T>& r0, Lanes<T>& i0, Lanes<T>& r1, Lanes<T>& i1, Lanes<T>& r2, Lanes<T>& i2,
                        Lanes<T>& r3, Lanes<T>& i3) {
  const auto ar = add(r0, r2), ai = add(i0, i2), br = sub(r0, r2), bi = sub(i0, i2);
  const auto cr = add(r1, r3), ci = add(i1, i3), dr = sub(r1, r3), di = sub(i1, i3);
  r0 = add(ar, cr);
  i0 = add(ai, ci);
  r1 = add(br, di);
  i1 = sub(bi, dr);
  r2 = sub(ar, cr);
  i2 = sub(ai, ci);
  r3 = sub(br, di);
  i3 = add(bi, dr);
}

// Transforms of length R, forward, results in natural order. With real and imaginary parts exchanged: backward.
template <class T>
SSCOPE_INLINE void dft(Complexes<T, 3>& x) {
  const auto half = splat<T>(T(0.5)), root = splat<T>(T(0.866025403784438646763723170752936183));
  const auto sr = add(x.re[1], x.re[2]), si = add(x.im[1], x.im[2]);
  const auto dr = mul(root, sub(x.re[1], x.re[2])), di = mul(root, sub(x.im[1], x.im[2]));
  const auto mr = sub(x.re[0], mul(half, sr)), mi = sub(x.im[0], mul(half, si));
  x.re[0] = add(x.re[0], sr);
  x.im[0] = add(x.im[0], si);
  x.re[1] = add(mr, di);
  x.im[1] = sub(mi, dr);
  x.re[2] = sub(mr, di);
  x.im[2] = add(mi, dr);
}

template <class T>
SSCOPE_INLINE void dft(Complexes<T, 4>& x) {
  dft4<T>(x.re[0], x.im[0], x.re[1], x.im[1], x.re[2], x.im[2], x.re[3], x.im[3]);
}

template <class T>
SSCOPE_INLINE void dft(Complexes<T, 8>& x) {
  Complexes<T, 4> even, odd;
#pragma GCC unroll 4
  for (int j = 0; j < 4; ++j) {
    even.re[j] = add(x.re[j], x.re[j + 4]);
    even.im[j] = add(x.im[j], x.im[j + 4]);
    odd.re[j] = sub(x.re[j], x.re[j + 4]);
    odd.im[j] = sub(x.im[j], x.im[j + 4]);
  }
  // Times exp(-2 pi i j / 8).
  const auto root = splat<T>(T(0.707106781186547524400844362104849039));
  const auto r1 = add(odd.re[1], odd.im[1]), i1 = sub(odd.im[1], odd.re[1]);
  odd.re[1] = mul(root, r1);
  odd.im[1] = mul(root, i1);
  const auto r2 = odd.im[2], i2 = sub(splat<T>(T(0)), odd.re[2]);
  odd.re[2] = r2;
  odd.im[2] = i2;
  const auto r3 = sub(odd.im[3], odd.re[3]), i3 = add(odd.re[3], odd.im[3]);
  odd.re[3] = mul(root, r3);
  odd.im[3] = mul(splat<T>(T(-0.707106781186547524400844362104849039)), i3);
  dft(even);
  dft(odd);
#pragma GCC unroll 4
  for (int j = 0; j < 4; ++j) {
    x.re[2 * j] = even.re[j];
    x.im[2 * j] = even.im[j];
    x.re[2 * j + 1] = odd.re[j];
    x.im[2 * j + 1] = odd.im[j];
  }
}

template <class T, int R>
SSCOPE_INLINE Complexes<T, R> loadRows(const T* re, const T* im, std::int64_t distance) {
  Complexes<T, R> x;
#pragma GCC unroll 8
  for (int j = 0; j < R; ++j) {
    x.re[j] = load(re + j * distance);
    x.im[j] = load(im + j * distance);
  }
  return x;
}

template <class T, int R>
SSCOPE_INLINE void storeRows(const Complexes<T, R>& x, T* re, T* im, std::int64_t distance) {
#pragma GCC unroll 8
  for (int j = 0; j < R; ++j) {
    store(x.re[j], re + j * distance);
    store(x.im[j], im + j * distance);
  }
}

template <class T, int R>
SSCOPE_INLINE void twiddle(Complexes<T, R>& x, const T* factors) {
#pragma GCC unroll 8
  for (int j = 1; j < R; ++j) {
    const auto c = splat<T>(factors[2 * j - 2]), s = splat<T>(factors[2 * j - 1]);
    const auto re = mulSub(x.re[j], c, mul(x.im[j], s));
    x.im[j] = mulAdd(x.re[j], s, mul(x.im[j], c));
    x.re[j] = re;
  }
}

// One column of vectors: `length` rows, `row` elements apart.
template <class T>
struct Column {
  T *re, *im;
  std::int64_t row, length;
};

// Splits blocks of n rows into R blocks of n / R. Backward (real and imaginary parts exchanged): the reverse.
template <class T, int R, bool Back>
SSCOPE_INLINE void stage(const Column<T>& c, std::int64_t n, const T* factors) {
  const std::int64_t m = n / R;
  for (std::int64_t k = 0; k < m; ++k, factors += 2 * (R - 1))
    for (std::int64_t first = k; first < c.length; first += n) {
      T *re = c.re + first * c.row, *im = c.im + first * c.row;
      auto x = loadRows<T, R>(re, im, m * c.row);
      if constexpr (Back) twiddle<T, R>(x, factors);
      dft(x);
      if constexpr (!Back) twiddle<T, R>(x, factors);
      storeRows<T, R>(x, re, im, m * c.row);
    }
}

// The last stage forward and the first backward are the same, and need no factors.
template <class T, int R>
SSCOPE_INLINE void lastStage(const Column<T>& c) {
  for (std::int64_t first = 0; first < c.length; first += R) {
    T *re = c.re + first * c.row, *im = c.im + first * c.row;
    auto x = loadRows<T, R>(re, im, c.row);
    dft(x);
    storeRows<T, R>(x, re, im, c.row);
  }
}

// Multiplies with the spectrum and runs the first backward stage, with real and imaginary parts exchanged.
template <class T, int R>
SSCOPE_INLINE Complexes<T, R> productBack(const Complexes<T, R>& x, const T* spectrum) {
  constexpr std::int64_t kStep = 2 * kLanes<T>;
  Complexes<T, R> y;
#pragma GCC unroll 8
  for (int j = 0; j < R; ++j) {
    const auto wr = load(spectrum + j * kStep), wi = load(spectrum + j * kStep + kLanes<T>);
    y.im[j] = mulSub(x.re[j], wr, mul(x.im[j], wi));
    y.re[j] = mulAdd(x.re[j], wi, mul(x.im[j], wr));
  }
  dft(y);
  return y;
}

// The last forward stage, the product with the spectrum, the first backward stage.
template <class T, int R>
SSCOPE_INLINE void middleStage(const Column<T>& c, const T* spectrum) {
  for (std::int64_t first = 0; first < c.length; first += R, spectrum += R * 2 * kLanes<T>) {
    T *re = c.re + first * c.row, *im = c.im + first * c.row;
    auto x = loadRows<T, R>(re, im, c.row);
    dft(x);
    storeRows<T, R>(productBack<T, R>(x, spectrum), im, re, c.row);
  }
}

// The same after all forward stages, from another array.
template <class T, int R>
SSCOPE_INLINE void firstStageBack(const T* fromRe, const T* fromIm, const Column<T>& c, const T* spectrum) {
  for (std::int64_t first = 0; first < c.length; first += R, spectrum += R * 2 * kLanes<T>) {
    const auto x = loadRows<T, R>(fromRe + first * c.row, fromIm + first * c.row, c.row);
    storeRows<T, R>(productBack<T, R>(x, spectrum), c.im + first * c.row, c.re + first * c.row, c.row);
  }
}

template <class T, bool Back>
void anyStage(const Column<T>& c, int radix, std::int64_t n, const T* factors) {
  switch (radix) {
    case 3: stage<T, 3, Back>(c, n, factors); break;
    case 4: stage<T, 4, Back>(c, n, factors); break;
    default: stage<T, 8, Back>(c, n, factors);
  }
}

template <class T>
void anyLastStage(const Column<T>& c, int radix) {
  radix == 4 ? lastStage<T, 4>(c) : lastStage<T, 8>(c);
}

// All stages but the last.
template <class T>
inline void stagesForward(const Column<T>& c, const FftAxis<T>& axis) {
  const T* factors = axis.twiddles.data();
  std::int64_t n = axis.length;
  for (int s = 0; s + 1 < axis.stages; ++s) {
    const int radix = axis.radix[static_cast<std::size_t>(s)];
    anyStage<T, false>(c, radix, n, factors);
    factors += 2 * (n / radix) * (radix - 1);
    n /= radix;
  }
}

template <class T>
inline void stagesBack(const Column<T>& c, const FftAxis<T>& axis) {
  const T* factors = axis.twiddles.data() + axis.twiddles.size();
  std::int64_t n = axis.radix[static_cast<std::size_t>(axis.stages - 1)];
  for (int s = axis.stages - 2; s >= 0; --s) {
    const int radix = axis.radix[static_cast<std::size_t>(s)];
    factors -= 2 * n * (radix - 1);
    n *= radix;
    anyStage<T, true>(c, radix, n, factors);
  }
}

template <class T>
void fftForward(const FftColumns<T>& job) {
  const FftAxis<T>& axis = *job.axis;
  if (axis.stages == 0) return;
  for (std::int64_t x = 0; x < job.width; x += kLanes<T>) {
    const Column<T> c{job.re + x, job.im + x, job.row, axis.length};
    stagesForward(c, axis);
    anyLastStage(c, axis.radix[static_cast<std::size_t>(axis.stages - 1)]);
  }
}

template <class T>
void fftInverse(const FftColumns<T>& job) {
  const FftAxis<T>& axis = *job.axis;
  if (axis.stages == 0) return;
  for (std::int64_t x = 0; x < job.width; x += kLanes<T>) {
    const Column<T> c{job.im + x, job.re + x, job.row, axis.length};
    anyLastStage(c, axis.radix[static_cast<std::size_t>(axis.stages - 1)]);
    stagesBack(c, axis);
  }
}

template <class T>
inline void transposeIn(const FftRows<T>& job) {
  constexpr std::int64_t kRow = kLanes<T>;
  for (std::int64_t x = 0; x < job.axis->length; x += kRow) {
    transpose<T>(job.re + x, job.row, job.work + x * kRow, kRow);
    transpose<T>(job.im + x, job.row, job.work + (job.axis->length + x) * kRow, kRow);
  }
}

// After the first backward stage.
template <class T>
inline void finishBack(const FftRows<T>& job) {
  constexpr std::int64_t kRow = kLanes<T>;
  T *re = job.work, *im = job.work + job.axis->length * kRow;
  stagesBack(Column<T>{im, re, kRow, job.axis->length}, *job.axis);
  for (std::int64_t x = 0; x < job.axis->length; x += kRow) {
    transpose<T>(re + x * kRow, kRow, job.re + x, job.row);
    transpose<T>(im + x * kRow, kRow, job.im + x, job.row);
  }
}

template <class T>
Column<T> workColumn(const FftRows<T>& job) {
  return {job.work, job.work + job.axis->length * kLanes<T>, kLanes<T>, job.axis->length};
}

template <class T>
int lastRadix(const FftAxis<T>& axis) {
  return axis.radix[static_cast<std::size_t>(axis.stages - 1)];
}

template <class T>
void fftFilterRows(const FftRows<T>& job) {
  transposeIn(job);
  const Column<T> c = workColumn(job);
  stagesForward(c, *job.axis);
  lastRadix(*job.axis) == 4 ? middleStage<T, 4>(c, job.spectrum) : middleStage<T, 8>(c, job.spectrum);
  finishBack(job);
}

template <class T>
void fftForwardRows(const FftRows<T>& job) {
  transposeIn(job);
  const Column<T> c = workColumn(job);
  stagesForward(c, *job.axis);
  anyLastStage(c, lastRadix(*job.axis));
}

template <class T>
void fftInverseRows(const FftRows<T>& job) {
  const Column<T> c = workColumn(job);
  const T *re = job.transformed, *im = job.transformed + job.axis->length * kLanes<T>;
  lastRadix(*job.axis) == 4 ? firstStageBack<T, 4>(re, im, c, job.spectrum)
                            : firstStageBack<T, 8>(re, im, c, job.spectrum);
  finishBack(job);
}

template <class T>
RowStatistics<T> fftStatistics(const T* row, std::int64_t count) {
  auto largest = splat<T>(T(0)), squares = largest;
  const std::int64_t whole = count / kLanes<T> * kLanes<T>;
  for (std::int64_t x = 0; x < whole; x += kLanes<T>) {
    const auto value = load(row + x);
    largest = larger(largest, magnitude(value));
    squares = mulAdd(value, value, squares);
  }
  RowStatistics<T> found{greatest<T>(largest), static_cast<double>(total<T>(squares))};
  for (std::int64_t x = whole; x < count; ++x) {
    found.largest = std::max(found.largest, std::abs(row[x]));
    found.squares += static_cast<double>(row[x]) * static_cast<double>(row[x]);
  }
  return found;
}

template <class T>
void fftAddClipped(const T* row, T most, T* sums, std::int64_t count) {
  const auto limit = splat<T>(most);
  const std::int64_t whole = count / kLanes<T> * kLanes<T>;
  for (std::int64_t x = 0; x < whole; x += kLanes<T>)
    store(add(load(sums + x), smaller(magnitude(load(row + x)), limit)), sums + x);
  for (std::int64_t x = whole; x < count; ++x) sums[x] += std::min(std::abs(row[x]), most);
}

template <class T>
void fftScale(T* row, T factor, std::int64_t count) {
  const auto by = splat<T>(factor);
  const std::int64_t whole = count / kLanes<T> * kLanes<T>;
  for (std::int64_t x = 0; x < whole; x += kLanes<T>) store(mul(load(row + x), by), row + x);
  for (std::int64_t x = whole; x < count; ++x) row[x] *= factor;
}

template <class T>
FftKernels<T> fftKernelsOf() {
  return {kLanes<T>,         fftForward<T>,    fftInverse<T>,    fftFilterRows<T>, fftForwardRows<T>,
          fftInverseRows<T>, fftStatistics<T>, fftAddClipped<T>, fftScale<T>};
}
