#pragma once
// Functions that a file compiles once for each instruction set, found by level. For the part of such a file that is
// compiled once (HWY_ONCE), inside namespace sscope::cpu.

#include <hwy/highway.h>

#include <type_traits>

#include "core/cpu/run/simd_level.h"

// A function in the namespace of a level; null where the build does not have the level.
#if HWY_TARGETS & HWY_SSE4
#define SSCOPE_OF_SSE4(...) N_SSE4::__VA_ARGS__
#else
#define SSCOPE_OF_SSE4(...) nullptr
#endif
#if HWY_TARGETS & HWY_AVX2
#define SSCOPE_OF_AVX2(...) N_AVX2::__VA_ARGS__
#else
#define SSCOPE_OF_AVX2(...) nullptr
#endif
#if HWY_TARGETS & HWY_AVX3
#define SSCOPE_OF_AVX512(...) N_AVX3::__VA_ARGS__
#else
#define SSCOPE_OF_AVX512(...) nullptr
#endif

// The function of this name for a level: `scalar` for Scalar, and where the build does not have the level.
#define SSCOPE_OF_LEVEL(level, scalar, ...) \
  ofLevel(level, scalar, SSCOPE_OF_SSE4(__VA_ARGS__), SSCOPE_OF_AVX2(__VA_ARGS__), SSCOPE_OF_AVX512(__VA_ARGS__))

namespace sscope::cpu {

template <class Function>
[[nodiscard]] Function* ofLevel(SimdLevel level, Function* scalar, std::type_identity_t<Function>* sse4,
                                std::type_identity_t<Function>* avx2, std::type_identity_t<Function>* avx512) {
  Function* found = nullptr;
  switch (level) {
    case SimdLevel::Scalar: break;
    case SimdLevel::Sse4: found = sse4; break;
    case SimdLevel::Avx2: found = avx2; break;
    case SimdLevel::Avx512: found = avx512; break;
  }
  return found != nullptr ? found : scalar;
}

}  // namespace sscope::cpu
