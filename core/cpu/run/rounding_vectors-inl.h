// Rounding to integers by whole vectors, included into the namespace of every wide instruction set. Needs Highway as
// `hn`, Tag, Vector, kernel_table.h and core/volume/rounding.h. Their plain counterparts are in tile_io-inl.h and
// rounding_rows-inl.h.

// Whole numbers within the range of D to memory.
template <class D, class T>
HWY_INLINE void storeWhole(Vector<T> whole, D* to) {
  const Tag<T> d;
  const hn::Rebind<std::int32_t, Tag<T>> words;
  const auto converted = [&](Vector<T> value) {
    if constexpr (sizeof(T) == 4) {
      return hn::ConvertTo(words, value);
    } else {
      return hn::DemoteTo(words, value);
    }
  };
  if constexpr (sizeof(D) < 4) {
    const hn::Rebind<D, Tag<T>> narrow;
    hn::StoreU(hn::DemoteTo(narrow, converted(whole)), narrow, to);
  } else if constexpr (std::is_signed_v<D>) {
    hn::StoreU(converted(whole), words, to);
  } else {  // there is no conversion to unsigned numbers: by way of the signed ones 2^31 below
    const auto below = converted(hn::Sub(whole, hn::Set(d, static_cast<T>(0x1p31))));
    const auto sign = hn::Set(words, std::numeric_limits<std::int32_t>::lowest());
    hn::StoreU(hn::Xor(below, sign), words, reinterpret_cast<std::int32_t*>(to));
  }
}

// roundSaturate() of as many values of a row as whole vectors hold. Returns their number.
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
    storeWhole<D, double>(inside, to + i);
  }
  return i;
}

// roundRow() of as many values of a row as whole vectors hold, if they lie next to each other. Returns their number.
template <class D>
std::int64_t roundRowVectors(const RoundingRow& row, RoundedRow& result) {
  if (row.fromStride != 1 || row.toStride != 1) return 0;
  const Tag<float> d;
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(Tag<float>()));
  const auto half = hn::Set(d, static_cast<float>(0.5 + kTieBand)), one = hn::Set(d, 1.0F);
  const auto low = hn::Set(d, static_cast<float>(std::numeric_limits<D>::lowest()));
  const auto high = hn::Set(d, static_cast<float>(std::numeric_limits<D>::max()));
  const auto relative = hn::Set(d, row.relative), absolute = hn::Set(d, row.absolute);
  std::int64_t i = 0;
  for (; i + kLanes <= row.count; i += kLanes) {
    const auto sum = hn::LoadU(d, row.from + i);
    const auto shifted = hn::Add(sum, half), whole = hn::Floor(shifted);
    const auto above = hn::Sub(shifted, whole), error = hn::MulAdd(hn::Abs(sum), relative, absolute);
    const auto close = hn::Or(hn::Le(above, error), hn::Ge(above, hn::Sub(one, error)));
    const auto inside = hn::Min(hn::Max(whole, low), high);
    result.saturated += static_cast<std::int64_t>(hn::CountTrue(d, hn::AndNot(close, hn::Ne(inside, whole))));
    storeWhole<D, float>(inside, reinterpret_cast<D*>(row.to) + i);
    if (hn::AllFalse(d, close)) continue;
    std::array<std::uint8_t, 8> bits{};
    hn::StoreMaskBits(d, close, bits.data());
    for (std::int64_t lane = 0; lane < kLanes; ++lane)
      if ((bits[static_cast<std::size_t>(lane / 8)] >> (lane % 8) & 1) != 0)
        row.doubtful[result.doubtful++] = static_cast<std::int32_t>(i + lane);
  }
  return i;
}
