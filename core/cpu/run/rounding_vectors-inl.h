// Rounding to integers by whole vectors, included into the namespace of every wide instruction set. Needs Highway as
// `hn`, Tag, Vector, kernel_table.h and core/volume/element_type.h. Their plain counterparts are in tile_io-inl.h and
// rounding_rows-inl.h.

// Whole numbers within the range of D to memory.
template <class D>
HWY_INLINE void storeWhole(Vector<double> whole, D* to) {
  const Tag<double> d;
  const hn::Rebind<std::int32_t, Tag<double>> words;
  if constexpr (sizeof(D) < 4) {
    const hn::Rebind<D, Tag<double>> narrow;
    hn::StoreU(hn::DemoteTo(narrow, hn::DemoteTo(words, whole)), narrow, to);
  } else if constexpr (std::is_signed_v<D>) {
    hn::StoreU(hn::DemoteTo(words, whole), words, to);
  } else {  // unsigned numbers are converted as signed ones, shifted by 2^31
    const auto below = hn::DemoteTo(words, hn::Sub(whole, hn::Set(d, 0x1p31)));
    const auto sign = hn::Set(words, std::numeric_limits<std::int32_t>::lowest());
    hn::StoreU(hn::Xor(below, sign), words, reinterpret_cast<std::int32_t*>(to));
  }
}

// roundSaturate() for the whole vectors of a row. Returns the number of values.
template <class T, class D>
std::int64_t roundVectors(const T* from, D* to, std::int64_t count, std::int64_t& saturated) {
  const Tag<double> d;
  const hn::Rebind<T, Tag<double>> narrow;
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(Tag<double>()));
  const auto half = hn::Set(d, 0.5 + kTieBand);
  const auto low = hn::Set(d, static_cast<double>(std::numeric_limits<D>::lowest()));
  const auto high = hn::Set(d, static_cast<double>(std::numeric_limits<D>::max()));
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    Vector<double> value;
    if constexpr (sizeof(T) == 4) {
      value = hn::PromoteTo(d, hn::LoadU(narrow, from + i));
    } else {
      value = hn::LoadU(d, from + i);
    }
    const auto whole = hn::Floor(hn::Add(value, half));
    const auto inside = hn::IfThenElseZero(hn::Eq(whole, whole), hn::Min(hn::Max(whole, low), high));
    saturated += kLanes - static_cast<std::int64_t>(hn::CountTrue(d, hn::Eq(inside, whole)));  // NaN is unequal
    storeWhole<D>(inside, to + i);
  }
  return i;
}

// Whole numbers within the range of D, which has up to 16 bits, to memory.
template <class D>
HWY_INLINE void storeShort(Vector<float> whole, D* to) {
  using Unsigned = std::make_unsigned_t<D>;
  const Tag<float> d;
  const hn::Rebind<Unsigned, Tag<float>> narrow;
  // Near this number floats are one apart, so that their low bits hold the integer.
  const auto counted = hn::BitCast(hn::RebindToUnsigned<Tag<float>>(), hn::Add(whole, hn::Set(d, 0x1.8p23F)));
  hn::StoreU(hn::TruncateTo(narrow, counted), narrow, reinterpret_cast<Unsigned*>(to));
}

// roundRow() for the whole vectors of a row, if its values are adjacent. Returns the number of values.
template <class D, class Bounds>
std::int64_t roundRowVectors(const RoundingRow& row, const Bounds& bounds, RoundedRow& result) {
  if (row.fromStride != 1 || row.toStride != 1) return 0;
  const Tag<float> d;
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(Tag<float>()));
  const auto leastFactor = hn::Set(d, bounds.leastFactor), least = hn::Set(d, bounds.least);
  const auto greatestFactor = hn::Set(d, bounds.greatestFactor), greatest = hn::Set(d, bounds.greatest);
  const auto low = hn::Set(d, static_cast<float>(std::numeric_limits<D>::lowest()));
  const auto high = hn::Set(d, static_cast<float>(std::numeric_limits<D>::max()));
  std::int64_t i = 0;
  for (; i + kLanes <= row.count; i += kLanes) {
    const auto sum = hn::LoadU(d, row.from + i);
    const auto whole = hn::Floor(hn::MulAdd(sum, leastFactor, least));
    const auto close = hn::Ne(whole, hn::Floor(hn::MulAdd(sum, greatestFactor, greatest)));
    const auto inside = hn::Min(hn::Max(whole, low), high);
    const auto outside = hn::Ne(inside, whole);
    storeShort<D>(inside, reinterpret_cast<D*>(row.to) + i);
    if (hn::AllFalse(d, hn::Or(close, outside))) continue;
    result.saturated += static_cast<std::int64_t>(hn::CountTrue(d, hn::AndNot(close, outside)));
    if (hn::AllFalse(d, close)) continue;
    std::array<std::uint8_t, 8> bits{};
    hn::StoreMaskBits(d, close, bits.data());
    for (std::int64_t lane = 0; lane < kLanes; ++lane)
      if ((bits[static_cast<std::size_t>(lane / 8)] >> (lane % 8) & 1) != 0)
        row.doubtful[result.doubtful++] = static_cast<std::int32_t>(i + lane);
  }
  return i;
}

template <class S>
HWY_INLINE Vector<double> loadWide(const S* from) {
  const Tag<double> d;
  const auto values = hn::LoadU(hn::Rebind<S, Tag<double>>(), from);
  if constexpr (sizeof(S) == 1) {
    return hn::PromoteTo(d, hn::PromoteTo(hn::Rebind<std::int32_t, Tag<double>>(), values));
  } else {
    return hn::PromoteTo(d, values);
  }
}

// The sums of Vectors vectors of elements, the last of which ends with the job: some are computed twice.
template <class S, int Vectors>
HWY_NOINLINE void sumColumnsAt(const ColumnSums& job, std::int64_t first) {
  const Tag<double> d;
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(Tag<double>()));
  const std::int64_t last = std::min(first + (Vectors - 1) * kLanes, job.count - kLanes);
  const auto* source = reinterpret_cast<const S*>(job.source);
  Vector<double> total[Vectors];
#pragma GCC unroll 8
  for (int v = 0; v < Vectors; ++v) total[v] = hn::Zero(d);
  for (std::int64_t z = 0; z < job.size[1]; ++z) {
    if (job.sourceIndex[1][z] < 0) continue;
    const S* const plane = source + job.sourceIndex[1][z] * job.sourceStride[1];
    Vector<double> sum[Vectors];
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) sum[v] = hn::Zero(d);
    for (std::int64_t y = 0; y < job.size[0]; ++y) {
      if (job.sourceIndex[0][y] < 0) continue;
      const S* const row = plane + job.sourceIndex[0][y] * job.sourceStride[0];
      const auto tap = hn::Set(d, job.taps[0][y]);
#pragma GCC unroll 8
      for (int v = 0; v < Vectors; ++v) {
        const S* const values = row + (v == Vectors - 1 ? last : first + v * kLanes);
        sum[v] = hn::MulAdd(loadWide(values), tap, sum[v]);
      }
    }
    const auto tap = hn::Set(d, job.taps[1][z]);
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) total[v] = hn::MulAdd(sum[v], tap, total[v]);
  }
#pragma GCC unroll 8
  for (int v = 0; v < Vectors; ++v) hn::StoreU(total[v], d, job.sums + (v == Vectors - 1 ? last : first + v * kLanes));
}

// sumColumns(), or false: fewer elements than a vector holds.
template <class S>
bool sumColumnVectors(const ColumnSums& job) {
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(Tag<double>()));
  if (job.count < kLanes) return false;
  constexpr std::int64_t kMost = 4;
  const std::int64_t vectors = (job.count + kLanes - 1) / kLanes;
  std::int64_t vector = 0;
  for (; vector + kMost <= vectors; vector += kMost) sumColumnsAt<S, kMost>(job, vector * kLanes);
  const std::int64_t first = vector * kLanes;
  switch (vectors - vector) {
    case 1: sumColumnsAt<S, 1>(job, first); break;
    case 2: sumColumnsAt<S, 2>(job, first); break;
    case 3: sumColumnsAt<S, 3>(job, first); break;
    default: break;
  }
  return true;
}
