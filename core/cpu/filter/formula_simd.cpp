// Formulas on vectors.

#include <cmath>
#include <cstdint>
#include <limits>

#include "core/cpu/filter/formula_kernels.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/cpu/filter/formula_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// After highway.h, once for every target.
#include <hwy/contrib/math/math-inl.h>

#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
HWY_BEFORE_NAMESPACE();
namespace sscope::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Vec = hn::Vec<hn::ScalableTag<T>>;
template <class T>
using Mask = hn::Mask<hn::ScalableTag<T>>;
template <class T>
constexpr std::int64_t lanesOf() {
  return static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<T>()));
}

template <class T>
HWY_INLINE Vec<T> load(const T* from) {
  return hn::LoadU(hn::ScalableTag<T>(), from);
}
template <class T, class V>
HWY_INLINE void put(V value, T* to) {
  hn::StoreU(value, hn::ScalableTag<T>(), to);
}
template <class T>
HWY_INLINE Vec<T> all(T value) {
  return hn::Set(hn::ScalableTag<T>(), value);
}
template <class T>
HWY_INLINE Vec<T> indices(T first) {
  return hn::Iota(hn::ScalableTag<T>(), first);
}

// clang-format off
template <class V> HWY_INLINE V plus(V a, V b) { return hn::Add(a, b); }
template <class V> HWY_INLINE V minus(V a, V b) { return hn::Sub(a, b); }
template <class V> HWY_INLINE V times(V a, V b) { return hn::Mul(a, b); }
template <class V> HWY_INLINE V over(V a, V b) { return hn::Div(a, b); }
template <class V> HWY_INLINE V madd(V a, V b, V c) { return hn::MulAdd(a, b, c); }
template <class V> HWY_INLINE V msub(V a, V b, V c) { return hn::MulSub(a, b, c); }
template <class V> HWY_INLINE V nmadd(V a, V b, V c) { return hn::NegMulAdd(a, b, c); }
template <class V> HWY_INLINE V root(V a) { return hn::Sqrt(a); }
template <class V> HWY_INLINE V absolute(V a) { return hn::Abs(a); }
template <class V> HWY_INLINE V negative(V a) { return hn::Neg(a); }
template <class V> HWY_INLINE V roundedDown(V a) { return hn::Floor(a); }
template <class V> HWY_INLINE V roundedUp(V a) { return hn::Ceil(a); }
template <class V> HWY_INLINE V roundedEven(V a) { return hn::Round(a); }
template <class V> HWY_INLINE auto lessThan(V a, V b) { return hn::Lt(a, b); }
template <class V> HWY_INLINE auto notGreater(V a, V b) { return hn::Le(a, b); }
template <class V> HWY_INLINE auto equalTo(V a, V b) { return hn::Eq(a, b); }
// Ne is false for NaN on some targets.
template <class V> HWY_INLINE auto differs(V a, V b) { return hn::Not(hn::Eq(a, b)); }
template <class M> HWY_INLINE M bothOf(M a, M b) { return hn::And(a, b); }
template <class M> HWY_INLINE M eitherOf(M a, M b) { return hn::Or(a, b); }
template <class T, class M> HWY_INLINE bool nowhere(M mask) { return hn::AllFalse(hn::ScalableTag<T>(), mask); }
template <class M, class V> HWY_INLINE V chosen(M mask, V a, V b) { return hn::IfThenElse(mask, a, b); }
// The processor's instructions return the second operand where one is NaN.
template <class V> HWY_INLINE V least(V a, V b) { return hn::IfThenElse(hn::Eq(a, a), hn::Min(a, b), a); }
template <class V> HWY_INLINE V most(V a, V b) { return hn::IfThenElse(hn::Eq(a, a), hn::Max(a, b), a); }
// clang-format on

#define SSCOPE_LANES HWY_ATTR
#include "core/cpu/filter/formula_functions-inl.h"

#include "core/cpu/filter/formula_block-inl.h"
#undef SSCOPE_LANES

}  // namespace

const FormulaKernels& formulaVectors() {
  static const FormulaKernels table{lanesOf<float>(), lanesOf<double>(), runFormula<float>, runFormula<double>};
  return table;
}

}  // namespace HWY_NAMESPACE
}  // namespace sscope::cpu
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
#include "core/cpu/run/of_level.h"

namespace sscope::cpu {

const FormulaKernels& formulaKernels(SimdLevel level) {
  return SSCOPE_OF_LEVEL(level, scalarFormulaKernels, formulaVectors)();
}

}  // namespace sscope::cpu
#endif
