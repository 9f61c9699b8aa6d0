// cpu:scalar's formulas: one value at a time, compiled with automatic vectorization off.

#include <cmath>
#include <cstdint>
#include <limits>

#include "core/cpu/filter/formula_kernels.h"

#define HWY_INLINE inline
#define HWY_NOINLINE
#define SSCOPE_LANES

namespace sscope::cpu {

namespace {

template <class T>
using Vec = T;
template <class T>
using Mask = bool;
template <class T>
constexpr std::int64_t lanesOf() {
  return 1;
}

// clang-format off
template <class T> T load(const T* from) { return *from; }
template <class T> void put(T value, T* to) { *to = value; }
template <class T> T all(T value) { return value; }
template <class T> T indices(T first) { return first; }
template <class T> T plus(T a, T b) { return a + b; }
template <class T> T minus(T a, T b) { return a - b; }
template <class T> T times(T a, T b) { return a * b; }
template <class T> T over(T a, T b) { return a / b; }
template <class T> T madd(T a, T b, T c) { return a * b + c; }
template <class T> T msub(T a, T b, T c) { return a * b - c; }
template <class T> T nmadd(T a, T b, T c) { return c - a * b; }
template <class T> T root(T a) { return std::sqrt(a); }
template <class T> T absolute(T a) { return std::abs(a); }
template <class T> T negative(T a) { return -a; }
template <class T> T roundedDown(T a) { return std::floor(a); }
template <class T> T roundedUp(T a) { return std::ceil(a); }
template <class T> T roundedEven(T a) { return std::nearbyint(a); }
template <class T> bool lessThan(T a, T b) { return a < b; }
template <class T> bool notGreater(T a, T b) { return a <= b; }
template <class T> bool equalTo(T a, T b) { return a == b; }
template <class T> bool differs(T a, T b) { return a != b; }
inline bool bothOf(bool a, bool b) { return a && b; }
inline bool eitherOf(bool a, bool b) { return a || b; }
template <class T> bool nowhere(bool mask) { return !mask; }
template <class T> T chosen(bool mask, T a, T b) { return mask ? a : b; }
template <class T> T least(T a, T b) { return a != a || a < b ? a : b; }
template <class T> T most(T a, T b) { return a != a || b < a ? a : b; }
template <class T> T expOf(T a) { return std::exp(a); }
template <class T> T logOf(T a) { return std::log(a); }
template <class T> T log2Of(T a) { return std::log2(a); }
template <class T> T log10Of(T a) { return std::log10(a); }
template <class T> T sinOf(T a) { return std::sin(a); }
template <class T> T cosOf(T a) { return std::cos(a); }
template <class T> T asinOf(T a) { return std::asin(a); }
template <class T> T acosOf(T a) { return std::acos(a); }
template <class T> T atanOf(T a) { return std::atan(a); }
template <class T> T atan2Of(T a, T b) { return std::atan2(a, b); }
template <class T> T sinhOf(T a) { return std::sinh(a); }
template <class T> T coshOf(T a) { return std::cosh(a); }
template <class T> T tanhOf(T a) { return std::tanh(a); }
template <class F, class T> T oneByOne(F f, T a) { return f(a); }
template <class F, class T> T oneByOne(F f, T a, T b) { return f(a, b); }
// clang-format on

#include "core/cpu/filter/formula_block-inl.h"

}  // namespace

const FormulaKernels& scalarFormulaKernels() {
  static const FormulaKernels table{1, 1, runFormula<float>, runFormula<double>};
  return table;
}

}  // namespace sscope::cpu
