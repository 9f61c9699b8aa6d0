// Passes along x with registers of a cache line, included into the namespace of instruction sets that have them. Needs
// Highway as `hn`, Tag, Vector and kernel_table.h.
//
// Nearly every vector of neighbors crosses a cache line and takes two reads. So every other one is put together from
// two vectors in registers, by a unit that has nothing else to do.

// Lanes By and on of `low`, then the first of `high`.
template <int By>
HWY_INLINE Vector<float> shifted(Vector<float> low, Vector<float> high) {
  return Vector<float>{
      _mm512_castsi512_ps(_mm512_alignr_epi32(_mm512_castps_si512(high.raw), _mm512_castps_si512(low.raw), By))};
}
template <int By>
HWY_INLINE Vector<double> shifted(Vector<double> low, Vector<double> high) {
  return Vector<double>{
      _mm512_castsi512_pd(_mm512_alignr_epi64(_mm512_castpd_si512(high.raw), _mm512_castpd_si512(low.raw), By))};
}

template <int Vectors, class T>
struct AlongX {
  static constexpr int kLanes = static_cast<int>(hn::MaxLanes(Tag<T>()));
  const T* in;                    // the window's first element
  const T* tap;                   // the next one
  std::int64_t left, next;        // taps, and elements from `in` to the next
  Vector<T> window[Vectors + 1];  // one more than the outputs
  Vector<T> sum[Vectors];
};

// Adds the tap that begins with element At of the window, if there is one, and those behind it.
template <int At, int Vectors, class T>
HWY_INLINE void addTaps(AlongX<Vectors, T>& a, std::int64_t distance) {
  const Tag<T> d;
  if (a.next == At) {
    const Vector<T> w = hn::Set(d, *a.tap++);
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) {
      Vector<T> value = a.window[v];
      if constexpr (At % 2 == 1) {
        value = shifted<At>(a.window[v], a.window[v + 1]);
      } else if constexpr (At > 0) {
        value = hn::LoadU(d, a.in + v * a.kLanes + At);
      }
      a.sum[v] = hn::MulAdd(value, w, a.sum[v]);
    }
    a.next = --a.left > 0 ? a.next + distance : std::numeric_limits<std::int64_t>::max();
  }
  if constexpr (At + 1 < AlongX<Vectors, T>::kLanes) addTaps<At + 1>(a, distance);
}

// One row, as correlateBlock<1, Vectors>: the same sums in the same order.
template <int Vectors, class T>
HWY_NOINLINE void correlateAlong(const Correlation<T>& c, const T* in, T* out) {
  const Tag<T> d;
  constexpr int kLanes = AlongX<Vectors, T>::kLanes;
  AlongX<Vectors, T> a;
  a.in = in;
  a.tap = c.taps;
  a.left = c.kx;
  a.next = 0;
#pragma GCC unroll 8
  for (int v = 0; v < Vectors; ++v) a.sum[v] = c.accumulate ? hn::LoadU(d, out + v * kLanes) : hn::Zero(d);
  while (true) {
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) a.window[v] = hn::LoadU(d, a.in + v * kLanes);
    // No more than the taps reach: rows may end there.
    const std::int64_t reach = std::min<std::int64_t>(a.next + (a.left - 1) * c.tapDistance, kLanes);
    a.window[Vectors] = hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(reach)), d, a.in + Vectors * kLanes);
    addTaps<0>(a, c.tapDistance);
    if (a.left == 0) break;
    a.in += kLanes;
    a.next -= kLanes;
  }
#pragma GCC unroll 8
  for (int v = 0; v < Vectors; ++v) hn::StoreU(a.sum[v], d, out + v * kLanes);
}
