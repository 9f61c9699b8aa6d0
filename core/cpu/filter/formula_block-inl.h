// The interpreter of formulas' steps, included into the namespace of every instruction set. Needs <cmath>, <limits>,
// formula_kernels.h, the macro SSCOPE_LANES for lambdas, and for vectors of T:
//   Vec<T>, lanesOf<T>(), load(from), put(vector, to), all(number), indices<T>(first): first, first + 1, ...
//   plus minus times over madd(a, b, c) = a b + c, msub = a b - c, nmadd = c - a b, least, most, root, absolute,
//   roundedDown, roundedUp, roundedEven, negative
//   lessThan, notGreater, equalTo, differs (masks), bothOf, eitherOf, chosen(mask, a, b), nowhere<T>(mask)
//   expOf logOf log2Of log10Of sinOf cosOf asinOf acosOf atanOf atan2Of sinhOf coshOf tanhOf, and
//   oneByOne(f, a) and oneByOne(f, a, b) for functions of single numbers.

template <class T>
HWY_INLINE Vec<T> truthOf(Mask<T> mask) {
  return chosen(mask, all(T{1}), all(T{0}));
}
template <class T>
HWY_INLINE Mask<T> isTrue(Vec<T> value) {
  return differs(value, all(T{0}));
}

// f(operands) for all values of a block.
template <class T>
struct Loop {
  const FormulaBlock<T>& block;
  const FormulaInstruction& step;

  [[nodiscard]] HWY_INLINE const T* from(int i) const { return block.slots[step.from[static_cast<std::size_t>(i)]]; }
  [[nodiscard]] HWY_INLINE T* to(int i = 0) const {
    return const_cast<T*>(block.slots[step.to[static_cast<std::size_t>(i)]]);  // a register
  }

  template <class F>
  HWY_INLINE void one(F f) const {
    const T* const a = from(0);
    T* const out = to();
    for (std::int64_t i = 0; i < block.count; i += lanesOf<T>()) put(f(load(a + i)), out + i);
  }

  template <bool A, bool B, class F>
  HWY_INLINE void pair(F f) const {
    const T *const a = from(0), *const b = from(1);
    T* const out = to();
    const Vec<T> a0 = all(*a), b0 = all(*b);
    for (std::int64_t i = 0; i < block.count; i += lanesOf<T>())
      put(f(A ? a0 : load(a + i), B ? b0 : load(b + i)), out + i);
  }
  template <class F>
  HWY_INLINE void two(F f) const {
    switch (step.uniform) {
      case 0: return pair<false, false>(f);
      case 1: return pair<true, false>(f);
      case 2: return pair<false, true>(f);
      default: return pair<true, true>(f);
    }
  }

  template <bool A, bool B, bool C, class F>
  HWY_INLINE void triple(F f) const {
    const T *const a = from(0), *const b = from(1), *const c = from(2);
    T* const out = to();
    const Vec<T> a0 = all(*a), b0 = all(*b), c0 = all(*c);
    for (std::int64_t i = 0; i < block.count; i += lanesOf<T>())
      put(f(A ? a0 : load(a + i), B ? b0 : load(b + i), C ? c0 : load(c + i)), out + i);
  }
  template <class F>
  HWY_INLINE void three(F f) const {
    switch (step.uniform) {
      case 0: return triple<false, false, false>(f);
      case 1: return triple<true, false, false>(f);
      case 2: return triple<false, true, false>(f);
      case 4: return triple<false, false, true>(f);
      case 5: return triple<true, false, true>(f);
      case 6: return triple<false, true, true>(f);
      case 3: return triple<true, true, false>(f);
      default: return triple<true, true, true>(f);
    }
  }
};

template <class T>
HWY_INLINE void turn(Vec<T> c, Vec<T> s, Vec<T>& a, Vec<T>& b) {
  const Vec<T> old = a;
  a = minus(times(c, old), times(s, b));
  b = madd(s, old, times(c, b));
}
// One of Jacobi's rotations (core/filter/formula/symmetric_eigen.h).
// `p` and `q`: the eigenvectors so far, or null. Matrices that are not `active` stay as they are.
template <class T>
HWY_INLINE void rotate(Mask<T> active, Vec<T>& pp, Vec<T>& qq, Vec<T>& pq, Vec<T>& pr, Vec<T>& qr, Vec<T>* p,
                       Vec<T>* q) {
  const Vec<T> one = all(T{1}), zero = all(T{0});
  const Vec<T> theta = over(minus(qq, pp), plus(pq, pq));
  const Vec<T> size = over(one, plus(absolute(theta), root(madd(theta, theta, one))));
  const Vec<T> signedSize = chosen(lessThan(theta, zero), negative(size), size);
  const Vec<T> t = chosen(bothOf(active, differs(pq, zero)), signedSize, zero);
  const Vec<T> c = over(one, root(madd(t, t, one))), s = times(t, c);
  const Vec<T> shift = times(t, pq);
  pp = minus(pp, shift);
  qq = plus(qq, shift);
  pq = zero;
  turn<T>(c, s, pr, qr);
  for (int i = 0; p != nullptr && i < 3; ++i) turn<T>(c, s, p[i], q[i]);
}

template <class T, bool Absolute>
HWY_INLINE void inOrder(Vec<T>& a, Vec<T>& b, Vec<T>* p, Vec<T>* q) {
  const auto swap = Absolute ? lessThan(absolute(b), absolute(a)) : lessThan(b, a);
  const auto exchange = [&](Vec<T>& x, Vec<T>& y) SSCOPE_LANES {
    const Vec<T> low = chosen(swap, y, x);
    y = chosen(swap, x, y);
    x = low;
  };
  exchange(a, b);
  for (int i = 0; p != nullptr && i < 3; ++i) exchange(p[i], q[i]);
}

// To the loop's first three results; with Vectors the eigenvectors to the nine others.
template <class T, bool Absolute, bool Vectors>
void eigenvalues(const Loop<T>& loop) {
  constexpr int kSweeps = sizeof(T) == 4 ? 5 : 6;
  constexpr T kLarge = sizeof(T) == 4 ? T(0x1p60) : T(0x1p500), kScale = sizeof(T) == 4 ? T(0x1p66) : T(0x1p520);
  const Vec<T> zero = all(T{0});
  for (std::int64_t i = 0; i < loop.block.count; i += lanesOf<T>()) {
    Vec<T> m[6];
    Vec<T> bad = zero, size = zero;
    for (int e = 0; e < 6; ++e) {
      const T* const from = loop.from(e);
      m[e] = (loop.step.uniform >> e & 1) != 0 ? all(*from) : load(from + i);
      bad = madd(m[e], zero, bad);
      size = most(size, absolute(m[e]));
    }
    // Prevents overflow and underflow.
    const Vec<T> down = chosen(lessThan(all(kLarge), size), all(1 / kScale), all(T{1}));
    const auto tiny = lessThan(size, all(1 / kLarge));
    const Vec<T> scale = chosen(tiny, all(kScale), down);
    for (auto& element : m) element = times(element, scale);
    // The remaining off-diagonal elements change eigenvalues by no more than their own size.
    const Vec<T> little = times(times(size, scale), all(std::numeric_limits<T>::epsilon() / 8));
    Vec<T> axes[9];
    for (int e = 0; e < 9; ++e) axes[e] = all(e % 4 == 0 ? T{1} : T{0});
    Vec<T>*const x = Vectors ? axes : nullptr, *const y = Vectors ? axes + 3 : nullptr,
                 *const z = Vectors ? axes + 6 : nullptr;
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      const Vec<T> left = most(absolute(m[3]), most(absolute(m[4]), absolute(m[5])));
      // Finished matrices wait for the others of their vector, so that the result of a matrix does not depend on its
      // neighbors.
      const Mask<T> active = sweep > 1 ? lessThan(little, left) : equalTo(zero, zero);
      if (nowhere<T>(active)) break;
      rotate<T>(active, m[0], m[1], m[3], m[4], m[5], x, y);
      rotate<T>(active, m[0], m[2], m[4], m[3], m[5], x, z);
      rotate<T>(active, m[1], m[2], m[5], m[3], m[4], y, z);
    }
    inOrder<T, Absolute>(m[0], m[1], x, y);
    inOrder<T, Absolute>(m[1], m[2], y, z);
    inOrder<T, Absolute>(m[0], m[1], x, y);
    const Vec<T> back = chosen(tiny, all(1 / kScale), chosen(lessThan(down, all(T{1})), all(kScale), all(T{1})));
    for (int e = 0; e < 3; ++e) put(madd(m[e], back, bad), loop.to(e) + i);
    for (int e = 0; Vectors && e < 9; ++e) put(plus(axes[e], bad), loop.to(3 + e) + i);
  }
}

// sqrt(a a + b b) without overflow; NaN if one of them is.
template <class T>
HWY_INLINE Vec<T> hypotenuse(Vec<T> a, Vec<T> b) {
  constexpr T kLarge = sizeof(T) == 4 ? T(0x1p60) : T(0x1p500), kScale = sizeof(T) == 4 ? T(0x1p70) : T(0x1p530);
  const Vec<T> size = most(absolute(a), absolute(b));
  const auto large = lessThan(all(kLarge), size), small = lessThan(size, all(1 / kLarge));
  const Vec<T> scale = chosen(large, all(1 / kScale), chosen(small, all(kScale), all(T{1})));
  const Vec<T> back = chosen(large, all(kScale), chosen(small, all(1 / kScale), all(T{1})));
  const Vec<T> x = times(a, scale), y = times(b, scale);
  return times(root(madd(x, x, times(y, y))), back);
}

template <class T>
HWY_INLINE Vec<T> signOf(Vec<T> a) {
  const Vec<T> zero = all(T{0});
  return chosen(lessThan(zero, a), all(T{1}), chosen(lessThan(a, zero), all(T{-1}), a));
}

template <class T>
T moduloOf(T a, T b) {
  const T rest = std::fmod(a, b);
  return rest != 0 && std::signbit(rest) != std::signbit(b) ? rest + b : rest;
}
template <class T>
T powerOf(T a, T b) {
  return std::pow(a, b);
}
template <class T>
T tangentOf(T a) {
  return std::tan(a);
}

template <class T>
void positions(const FormulaBlock<T>& block, T* to) {
  if (block.components == 1) {
    for (std::int64_t i = 0; i < block.count; i += lanesOf<T>())
      put(indices(static_cast<T>(block.firstVoxel + block.firstValue + i)), to + i);
    return;
  }
  for (std::int64_t i = 0; i < block.count; ++i)
    to[i] = static_cast<T>(block.firstVoxel + (block.firstValue + i) / block.components);
}

// Eigenvalues and the functions that compute values one by one use all registers.
template <class T>
HWY_NOINLINE void runRare(const Loop<T>& loop) {
  using V = Vec<T>;
  switch (loop.step.op) {
    case StepOp::Exp: return loop.one([](V a) SSCOPE_LANES { return expOf(a); });
    case StepOp::Log: return loop.one([](V a) SSCOPE_LANES { return logOf(a); });
    case StepOp::Log2: return loop.one([](V a) SSCOPE_LANES { return log2Of(a); });
    case StepOp::Log10: return loop.one([](V a) SSCOPE_LANES { return log10Of(a); });
    case StepOp::Sin: return loop.one([](V a) SSCOPE_LANES { return sinOf(a); });
    case StepOp::Cos: return loop.one([](V a) SSCOPE_LANES { return cosOf(a); });
    case StepOp::Asin: return loop.one([](V a) SSCOPE_LANES { return asinOf(a); });
    case StepOp::Acos: return loop.one([](V a) SSCOPE_LANES { return acosOf(a); });
    case StepOp::Atan: return loop.one([](V a) SSCOPE_LANES { return atanOf(a); });
    case StepOp::Sinh: return loop.one([](V a) SSCOPE_LANES { return sinhOf(a); });
    case StepOp::Cosh: return loop.one([](V a) SSCOPE_LANES { return coshOf(a); });
    case StepOp::Tanh: return loop.one([](V a) SSCOPE_LANES { return tanhOf(a); });
    case StepOp::Tan: return loop.one([](V a) SSCOPE_LANES { return oneByOne(tangentOf<T>, a); });
    case StepOp::Atan2: return loop.two([](V a, V b) SSCOPE_LANES { return atan2Of(a, b); });
    case StepOp::Power: return loop.two([](V a, V b) SSCOPE_LANES { return oneByOne(powerOf<T>, a, b); });
    case StepOp::Mod: return loop.two([](V a, V b) SSCOPE_LANES { return oneByOne(moduloOf<T>, a, b); });
    case StepOp::Eigen: return eigenvalues<T, false, false>(loop);
    case StepOp::EigenAbs: return eigenvalues<T, true, false>(loop);
    case StepOp::EigenSystem: return eigenvalues<T, false, true>(loop);
    default: return;
  }
}

template <class T>
HWY_NOINLINE void runStep(const Loop<T>& loop) {
  using V = Vec<T>;
  switch (loop.step.op) {
    case StepOp::Copy: return loop.two([](V a, V) SSCOPE_LANES { return a; });
    case StepOp::Position: return positions(loop.block, loop.to());
    case StepOp::Negate: return loop.one([](V a) SSCOPE_LANES { return negative(a); });
    case StepOp::Add: return loop.two([](V a, V b) SSCOPE_LANES { return plus(a, b); });
    case StepOp::Subtract: return loop.two([](V a, V b) SSCOPE_LANES { return minus(a, b); });
    case StepOp::Multiply: return loop.two([](V a, V b) SSCOPE_LANES { return times(a, b); });
    case StepOp::MultiplyAdd: return loop.three([](V a, V b, V c) SSCOPE_LANES { return madd(a, b, c); });
    case StepOp::MultiplySubtract: return loop.three([](V a, V b, V c) SSCOPE_LANES { return msub(a, b, c); });
    case StepOp::NegativeMultiplyAdd: return loop.three([](V a, V b, V c) SSCOPE_LANES { return nmadd(a, b, c); });
    case StepOp::Divide: return loop.two([](V a, V b) SSCOPE_LANES { return over(a, b); });
    case StepOp::Less: return loop.two([](V a, V b) SSCOPE_LANES { return truthOf<T>(lessThan(a, b)); });
    case StepOp::LessEqual: return loop.two([](V a, V b) SSCOPE_LANES { return truthOf<T>(notGreater(a, b)); });
    case StepOp::Equal: return loop.two([](V a, V b) SSCOPE_LANES { return truthOf<T>(equalTo(a, b)); });
    case StepOp::NotEqual: return loop.two([](V a, V b) SSCOPE_LANES { return truthOf<T>(differs(a, b)); });
    case StepOp::And:
      return loop.two([](V a, V b) SSCOPE_LANES { return truthOf<T>(bothOf(isTrue<T>(a), isTrue<T>(b))); });
    case StepOp::Or:
      return loop.two([](V a, V b) SSCOPE_LANES { return truthOf<T>(eitherOf(isTrue<T>(a), isTrue<T>(b))); });
    case StepOp::Not: return loop.one([](V a) SSCOPE_LANES { return truthOf<T>(equalTo(a, all(T{0}))); });
    case StepOp::Select: return loop.three([](V a, V b, V c) SSCOPE_LANES { return chosen(isTrue<T>(a), b, c); });
    case StepOp::Min: return loop.two([](V a, V b) SSCOPE_LANES { return least(a, b); });
    case StepOp::Max: return loop.two([](V a, V b) SSCOPE_LANES { return most(a, b); });
    case StepOp::Abs: return loop.one([](V a) SSCOPE_LANES { return absolute(a); });
    case StepOp::Sqrt: return loop.one([](V a) SSCOPE_LANES { return root(a); });
    case StepOp::Floor: return loop.one([](V a) SSCOPE_LANES { return roundedDown(a); });
    case StepOp::Ceil: return loop.one([](V a) SSCOPE_LANES { return roundedUp(a); });
    case StepOp::Round: return loop.one([](V a) SSCOPE_LANES { return roundedEven(a); });
    case StepOp::Sign: return loop.one([](V a) SSCOPE_LANES { return signOf<T>(a); });
    case StepOp::Hypot: return loop.two([](V a, V b) SSCOPE_LANES { return hypotenuse<T>(a, b); });
    case StepOp::IsNan: return loop.one([](V a) SSCOPE_LANES { return truthOf<T>(differs(a, a)); });
    case StepOp::IsFinite:
      return loop.one([](V a) SSCOPE_LANES { return truthOf<T>(equalTo(minus(a, a), all(T{0}))); });
    default: return runRare(loop);
  }
}

template <int N, class T, class F>
HWY_INLINE void linkOne(Vec<T> (&v)[N], const T* a, bool uniform, F f) {
  if (uniform) {
    const Vec<T> a0 = all(*a);
#pragma GCC unroll 8
    for (int i = 0; i < N; ++i) v[i] = f(v[i], a0);
  } else {
#pragma GCC unroll 8
    for (int i = 0; i < N; ++i) v[i] = f(v[i], load(a + i * lanesOf<T>()));
  }
}
template <int N, class T, class F>
HWY_INLINE void linkTwo(Vec<T> (&v)[N], const T* a, const T* b, unsigned uniform, F f) {
  if (uniform == 0) {
#pragma GCC unroll 8
    for (int i = 0; i < N; ++i) v[i] = f(v[i], load(a + i * lanesOf<T>()), load(b + i * lanesOf<T>()));
  } else if (uniform == 1) {
    const Vec<T> a0 = all(*a);
#pragma GCC unroll 8
    for (int i = 0; i < N; ++i) v[i] = f(v[i], a0, load(b + i * lanesOf<T>()));
  } else if (uniform == 2) {
    const Vec<T> b0 = all(*b);
#pragma GCC unroll 8
    for (int i = 0; i < N; ++i) v[i] = f(v[i], load(a + i * lanesOf<T>()), b0);
  } else {
    const Vec<T> a0 = all(*a), b0 = all(*b);
#pragma GCC unroll 8
    for (int i = 0; i < N; ++i) v[i] = f(v[i], a0, b0);
  }
}
template <int N, class T, class F>
HWY_INLINE void linkNone(Vec<T> (&v)[N], F f) {
#pragma GCC unroll 8
  for (int i = 0; i < N; ++i) v[i] = f(v[i]);
}

// The links of a chain for N vectors from value `at` on.
template <int N, class T>
HWY_INLINE void runLinks(const FormulaBlock<T>& block, std::span<const ChainLink> links, std::int64_t at, T* out) {
  using V = Vec<T>;
  V v[N];
#pragma GCC unroll 8
  for (int i = 0; i < N; ++i) v[i] = all(T{0});
  for (const ChainLink& link : links) {
    const unsigned uniform = link.uniform;
    const T* const a = block.slots[link.a] + ((uniform & 1) != 0 ? 0 : at);
    const T* const b = block.slots[link.b] + ((uniform & 2) != 0 ? 0 : at);
    const bool one = (uniform & 1) != 0;
    switch (link.op) {
      case ChainOp::Load: linkOne<N, T>(v, a, one, [](V, V x) SSCOPE_LANES { return x; }); break;
      case ChainOp::Add: linkOne<N, T>(v, a, one, [](V w, V x) SSCOPE_LANES { return plus(w, x); }); break;
      case ChainOp::Subtract: linkOne<N, T>(v, a, one, [](V w, V x) SSCOPE_LANES { return minus(w, x); }); break;
      case ChainOp::From: linkOne<N, T>(v, a, one, [](V w, V x) SSCOPE_LANES { return minus(x, w); }); break;
      case ChainOp::Multiply: linkOne<N, T>(v, a, one, [](V w, V x) SSCOPE_LANES { return times(w, x); }); break;
      case ChainOp::Square: linkNone<N, T>(v, [](V w) SSCOPE_LANES { return times(w, w); }); break;
      case ChainOp::DivideBy: linkOne<N, T>(v, a, one, [](V w, V x) SSCOPE_LANES { return over(w, x); }); break;
      case ChainOp::DivideInto: linkOne<N, T>(v, a, one, [](V w, V x) SSCOPE_LANES { return over(x, w); }); break;
      case ChainOp::Min: linkOne<N, T>(v, a, one, [](V w, V x) SSCOPE_LANES { return least(w, x); }); break;
      case ChainOp::Max: linkOne<N, T>(v, a, one, [](V w, V x) SSCOPE_LANES { return most(w, x); }); break;
      case ChainOp::ProductAdd:
        linkTwo<N, T>(v, a, b, uniform, [](V w, V x, V y) SSCOPE_LANES { return madd(x, y, w); });
        break;
      case ChainOp::ProductLess:
        linkTwo<N, T>(v, a, b, uniform, [](V w, V x, V y) SSCOPE_LANES { return msub(x, y, w); });
        break;
      case ChainOp::LessProduct:
        linkTwo<N, T>(v, a, b, uniform, [](V w, V x, V y) SSCOPE_LANES { return nmadd(x, y, w); });
        break;
      case ChainOp::ScaleAdd:
        linkTwo<N, T>(v, a, b, uniform, [](V w, V x, V y) SSCOPE_LANES { return madd(w, x, y); });
        break;
      case ChainOp::ScaleLess:
        linkTwo<N, T>(v, a, b, uniform, [](V w, V x, V y) SSCOPE_LANES { return msub(w, x, y); });
        break;
      case ChainOp::LessScaled:
        linkTwo<N, T>(v, a, b, uniform, [](V w, V x, V y) SSCOPE_LANES { return nmadd(w, x, y); });
        break;
      case ChainOp::SquareAdd: linkOne<N, T>(v, a, one, [](V w, V x) SSCOPE_LANES { return madd(w, w, x); }); break;
      case ChainOp::Negate: linkNone<N, T>(v, [](V w) SSCOPE_LANES { return negative(w); }); break;
      case ChainOp::Abs: linkNone<N, T>(v, [](V w) SSCOPE_LANES { return absolute(w); }); break;
      case ChainOp::Sqrt: linkNone<N, T>(v, [](V w) SSCOPE_LANES { return root(w); }); break;
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < N; ++i) put(v[i], out + at + i * lanesOf<T>());
}

template <class T>
HWY_NOINLINE void runChain(const FormulaBlock<T>& block, const FormulaInstruction& chain) {
  constexpr std::int64_t kLanes = lanesOf<T>();
  const auto links = block.links.subspan(chain.firstLink, chain.links);
  T* const out = const_cast<T*>(block.slots[chain.to[0]]);
  // Processes as many vectors at once as possible: decoding the links takes as long as a few vectors.
  std::int64_t i = 0, vectors = (block.count + kLanes - 1) / kLanes;
  for (; vectors > 8; vectors -= 8, i += 8 * kLanes) runLinks<8>(block, links, i, out);
  switch (vectors) {
    case 1: return runLinks<1>(block, links, i, out);
    case 2: return runLinks<2>(block, links, i, out);
    case 3: return runLinks<3>(block, links, i, out);
    case 4: return runLinks<4>(block, links, i, out);
    case 5: return runLinks<5>(block, links, i, out);
    case 6: return runLinks<6>(block, links, i, out);
    case 7: return runLinks<7>(block, links, i, out);
    default: return runLinks<8>(block, links, i, out);
  }
}

template <class T>
void runFormula(const FormulaBlock<T>& block) {
  for (const FormulaInstruction& step : block.code) {
    if (step.links > 0) {
      runChain(block, step);
    } else {
      runStep(Loop<T>{block, step});
    }
  }
}
