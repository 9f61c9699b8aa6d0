// Transcendental functions of vectors, included into the namespace of every wide instruction set. Highway's functions
// are correct within their ranges; other arguments are handled here: NaN, infinity, zero, and arguments so large that
// they are computed one by one.

// Computes f(a) for every number, one by one.
template <class F, class V>
HWY_INLINE V oneByOne(F f, V a) {
  const hn::DFromV<V> d;
  using T = hn::TFromD<decltype(d)>;
  HWY_ALIGN T values[HWY_MAX_BYTES / sizeof(T)];
  hn::Store(a, d, values);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) values[i] = f(values[i]);
  return hn::Load(d, values);
}
template <class F, class V>
HWY_INLINE V oneByOne(F f, V a, V b) {
  const hn::DFromV<V> d;
  using T = hn::TFromD<decltype(d)>;
  HWY_ALIGN T values[HWY_MAX_BYTES / sizeof(T)];
  HWY_ALIGN T others[HWY_MAX_BYTES / sizeof(T)];
  hn::Store(a, d, values);
  hn::Store(b, d, others);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) values[i] = f(values[i], others[i]);
  return hn::Load(d, values);
}

// `fast` where f's argument is less than `most` in size, else f(a).
template <class V, class T>
HWY_INLINE V within(V fast, V a, T most, T (*f)(T)) {
  const hn::DFromV<V> d;
  const auto inside = hn::Lt(hn::Abs(a), hn::Set(d, most));
  if (HWY_LIKELY(hn::AllTrue(d, inside))) return fast;
  return hn::IfThenElse(inside, fast, oneByOne(f, a));
}

template <class V>
HWY_INLINE V nanAsItIs(V result, V a) {
  return hn::IfThenElse(hn::Eq(a, a), result, a);
}

template <class V>
HWY_INLINE V expOf(V a) {
  const hn::DFromV<V> d;
  using T = hn::TFromD<decltype(d)>;
  // Beyond this, the result is infinite or zero, and Highway's powers of two would overflow.
  const V limited =
      hn::Min(hn::Max(a, hn::Set(d, T(sizeof(T) == 4 ? -104 : -746))), hn::Set(d, T(sizeof(T) == 4 ? 89 : 710)));
  return nanAsItIs(hn::Exp(d, limited), a);
}

// Handles zero, infinity, negative numbers and NaN; returns `result` for all others.
template <class V>
HWY_INLINE V logarithm(V result, V a) {
  const hn::DFromV<V> d;
  using T = hn::TFromD<decltype(d)>;
  const V infinity = hn::Set(d, std::numeric_limits<T>::infinity()), zero = hn::Zero(d);
  const auto usual = hn::And(hn::Gt(a, zero), hn::Lt(a, infinity));
  if (HWY_LIKELY(hn::AllTrue(d, usual))) return result;
  const V atZero = hn::IfThenElse(hn::Eq(a, zero), hn::Neg(infinity), hn::Set(d, std::numeric_limits<T>::quiet_NaN()));
  const V others = hn::IfThenElse(hn::Gt(a, zero), infinity, atZero);
  return hn::IfThenElse(usual, result, others);
}
template <class V>
HWY_INLINE V logOf(V a) {
  return logarithm(hn::Log(hn::DFromV<V>(), a), a);
}
template <class V>
HWY_INLINE V log2Of(V a) {
  return logarithm(hn::Log2(hn::DFromV<V>(), a), a);
}
template <class V>
HWY_INLINE V log10Of(V a) {
  return logarithm(hn::Log10(hn::DFromV<V>(), a), a);
}

template <class T>
T sineOf(T a) {
  return std::sin(a);
}
template <class T>
T cosineOf(T a) {
  return std::cos(a);
}
template <class T>
T sinhOfOne(T a) {
  return std::sinh(a);
}
template <class T>
T coshOfOne(T a) {
  return std::cosh(a);
}
template <class T>
T arcOf(T a, T b) {
  return std::atan2(a, b);
}

// Below this Highway reduces arguments exactly enough.
template <class T>
inline constexpr T kReduced = T{10000};

template <class V>
HWY_INLINE V sinOf(V a) {
  using T = hn::TFromD<hn::DFromV<V>>;
  return within<V, T>(hn::Sin(hn::DFromV<V>(), a), a, kReduced<T>, sineOf<T>);
}
template <class V>
HWY_INLINE V cosOf(V a) {
  using T = hn::TFromD<hn::DFromV<V>>;
  return within<V, T>(hn::Cos(hn::DFromV<V>(), a), a, kReduced<T>, cosineOf<T>);
}
template <class V>
HWY_INLINE V asinOf(V a) {
  return hn::Asin(hn::DFromV<V>(), a);
}
template <class V>
HWY_INLINE V acosOf(V a) {
  return hn::Acos(hn::DFromV<V>(), a);
}
template <class V>
HWY_INLINE V atanOf(V a) {
  return hn::Atan(hn::DFromV<V>(), a);
}

template <class V>
HWY_INLINE V atan2Of(V y, V x) {
  const hn::DFromV<V> d;
  using T = hn::TFromD<decltype(d)>;
  const V zero = hn::Zero(d), sign = hn::And(hn::SignBit(d), y);
  const V angle = hn::Atan(d, hn::Abs(hn::Div(y, x)));
  const V turned = hn::IfThenElse(hn::Lt(x, zero), hn::Sub(hn::Set(d, T(3.14159265358979323846)), angle), angle);
  const V result = hn::Or(turned, sign);
  // Zeros and infinities have their own rules.
  const V infinity = hn::Set(d, std::numeric_limits<T>::infinity());
  const auto usual = hn::And(hn::And(hn::Ne(x, zero), hn::Lt(hn::Abs(x), infinity)), hn::Lt(hn::Abs(y), infinity));
  if (HWY_LIKELY(hn::AllTrue(d, usual))) return result;
  return hn::IfThenElse(usual, result, oneByOne(arcOf<T>, y, x));
}

// Where e^|a| is finite.
template <class T>
inline constexpr T kHyperbolic = sizeof(T) == 4 ? T{88} : T{709};

template <class V>
HWY_INLINE V sinhOf(V a) {
  using T = hn::TFromD<hn::DFromV<V>>;
  return within<V, T>(hn::Sinh(hn::DFromV<V>(), a), a, kHyperbolic<T>, sinhOfOne<T>);
}
template <class V>
HWY_INLINE V coshOf(V a) {
  const hn::DFromV<V> d;
  using T = hn::TFromD<decltype(d)>;
  const V e = expOf(hn::Abs(a)), half = hn::Set(d, T(0.5));
  return within<V, T>(hn::MulAdd(e, half, hn::Div(half, e)), a, kHyperbolic<T>, coshOfOne<T>);
}
template <class V>
HWY_INLINE V tanhOf(V a) {
  const hn::DFromV<V> d;
  using T = hn::TFromD<decltype(d)>;
  const V limit = hn::Set(d, T(30));  // where it is 1 already
  return nanAsItIs(hn::Tanh(d, hn::Min(hn::Max(a, hn::Neg(limit)), limit)), a);
}
