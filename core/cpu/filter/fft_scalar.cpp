// cpu:scalar's Fourier transforms: one number at a time, compiled with automatic vectorization off.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/cpu/filter/fft_kernels.h"

#define SSCOPE_INLINE inline

namespace sscope::cpu {

namespace fft_scalar {
namespace {

template <class T>
using Lanes = T;
template <class T>
constexpr std::int64_t kLanes = 1;

template <class T>
inline T load(const T* from) {
  return *from;
}
template <class T>
inline void store(T value, T* to) {
  *to = value;
}
template <class T>
inline T splat(T value) {
  return value;
}
template <class T>
inline T add(T a, T b) {
  return a + b;
}
template <class T>
inline T sub(T a, T b) {
  return a - b;
}
template <class T>
inline T mul(T a, T b) {
  return a * b;
}
template <class T>
inline T mulAdd(T a, T b, T c) {
  return a * b + c;
}
template <class T>
inline T mulSub(T a, T b, T c) {
  return a * b - c;
}
template <class T>
inline T magnitude(T a) {
  return std::abs(a);
}
template <class T>
inline T smaller(T a, T b) {
  return std::min(a, b);
}
template <class T>
inline T larger(T a, T b) {
  return std::max(a, b);
}
template <class T>
inline T total(T a) {
  return a;
}
template <class T>
inline T greatest(T a) {
  return a;
}
template <class T>
inline void transpose(const T* from, std::int64_t /*fromRow*/, T* to, std::int64_t /*toRow*/) {
  *to = *from;
}

#include "core/cpu/filter/fft-inl.h"

}  // namespace
}  // namespace fft_scalar

const FftKernelTable& scalarFftKernels() {
  static const FftKernelTable table{fft_scalar::fftKernelsOf<float>(), fft_scalar::fftKernelsOf<double>()};
  return table;
}

}  // namespace sscope::cpu
