// The papers' first loops in plain C++, included into the namespace of every instruction set so that each has its own
// compiled copy. Needs <algorithm>, <array> and kernel_table.h.

// One kernel: a sum per output, all taps in turn.
template <class T, class Value>
inline T naiveSum(const NaiveJob<T>& job, Value&& value) {
  T sum = 0;
  const T* tap = job.taps;
  for (std::int64_t k = 0; k < job.size[2]; ++k)
    for (std::int64_t j = 0; j < job.size[1]; ++j)
      for (std::int64_t i = 0; i < job.size[0]; ++i) sum += *tap++ * static_cast<T>(value(i, j, k));
  return sum;
}

// Several kernels: an array of accumulators; every value is multiplied by one tap of each kernel.
template <class T, class Value>
inline void naiveSums(const NaiveJob<T>& job, T* sums, Value&& value) {
  std::fill_n(sums, job.filters, T{0});
  const T* tap = job.taps;
  for (std::int64_t k = 0; k < job.size[2]; ++k)
    for (std::int64_t j = 0; j < job.size[1]; ++j)
      for (std::int64_t i = 0; i < job.size[0]; ++i, tap += job.filters) {
        const T raw = static_cast<T>(value(i, j, k));
        for (std::int64_t f = 0; f < job.filters; ++f) sums[f] += raw * tap[f];
      }
}

template <class T, class Value>
inline void naiveOutput(const NaiveJob<T>& job, std::int64_t x, Value&& value) {
  if (job.filters == 1) {
    job.out[x] = naiveSum(job, value);
    return;
  }
  std::array<T, kMostNaiveFilters> sums;
  naiveSums(job, sums.data(), value);
  for (std::int64_t f = 0; f < job.filters; ++f) job.out[f * job.outFilter + x] = sums[static_cast<std::size_t>(f)];
}

template <class S, class T>
void naiveRow(const NaiveJob<T>& job) {
  const PackJob& from = job.from;
  const auto* source = reinterpret_cast<const S*>(from.source);
  const auto constant = static_cast<T>(from.constant);  // the constant may not be representable in the input's type
  const auto& index = from.sourceIndex;
  const auto& stride = from.sourceStride;
  bool rowsInside = true;  // and next to each other
  for (std::size_t a = 1; a < 3; ++a)
    for (std::int64_t i = 0; i < job.size[a]; ++i)
      rowsInside = rowsInside && index[a][i] == index[a][0] + i && index[a][i] >= 0;
  for (std::int64_t x = 0; x < job.count; ++x) {
    if (rowsInside && stride[0] == 1 && x >= from.interiorBegin && x + job.size[0] <= from.interiorEnd) {
      const S* at = source + index[0][x] + index[1][0] * stride[1] + index[2][0] * stride[2];
      naiveOutput(job, x, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
        return at[i + j * stride[1] + k * stride[2]];
      });
    } else {
      naiveOutput(job, x, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
        const std::int64_t ix = index[0][x + i], iy = index[1][j], iz = index[2][k];
        return ix < 0 || iy < 0 || iz < 0 ? constant
                                          : static_cast<T>(source[ix * stride[0] + iy * stride[1] + iz * stride[2]]);
      });
    }
  }
}

// In the order of ElementType.
template <class T>
constexpr std::array<void (*)(const NaiveJob<T>&), 8> naiveFunctions() {
  return {naiveRow<std::uint8_t, T>,  naiveRow<std::int8_t, T>,  naiveRow<std::uint16_t, T>, naiveRow<std::int16_t, T>,
          naiveRow<std::uint32_t, T>, naiveRow<std::int32_t, T>, naiveRow<float, T>,         naiveRow<double, T>};
}

// out = clamp(round(float(sum) * scale)): one float multiplication, to nearest, ties to even.
void roundSums(const std::int32_t* sums, std::int64_t count, float scale, std::uint8_t* out, std::int64_t stride) {
  for (std::int64_t x = 0; x < count; ++x)
    out[x * stride] =
        static_cast<std::uint8_t>(std::clamp(std::nearbyint(static_cast<float>(sums[x]) * scale), 0.0F, 255.0F));
}
