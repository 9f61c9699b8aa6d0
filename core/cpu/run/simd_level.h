#pragma once
// The instruction sets that the CPU engines are compiled for.

#include <array>
#include <cstdint>
#include <string_view>

namespace sscope::cpu {

enum class SimdLevel : std::uint8_t { Scalar, Sse4, Avx2, Avx512 };

// From narrow to wide.
inline constexpr std::array kSimdLevels{SimdLevel::Scalar, SimdLevel::Sse4, SimdLevel::Avx2, SimdLevel::Avx512};

// Vectors that its registers hold.
[[nodiscard]] constexpr int vectorRegisters(SimdLevel level) { return level == SimdLevel::Avx512 ? 32 : 16; }
// "scalar", "sse4", "avx2", "avx512": the part of the engine's id after "cpu:".
[[nodiscard]] std::string_view toString(SimdLevel level);
// "AVX-512".
[[nodiscard]] std::string_view label(SimdLevel level);
// Empty when this build and this processor have the level; else why not: "this processor has no AVX-512".
[[nodiscard]] std::string_view absentReason(SimdLevel level);

}  // namespace sscope::cpu
