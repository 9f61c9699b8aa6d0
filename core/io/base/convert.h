#pragma once
// Conversion of the numbers in a file to our element types.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/volume/element_type.h"

namespace sscope::io {

// Number types found in files; i64, u64 and f16 are no element types of ours.
enum class Stored : std::uint8_t { u8, i8, u16, i16, u32, i32, f32, f64, i64, u64, f16 };

[[nodiscard]] std::size_t bytesOf(Stored type);
// 64-bit integers, whose values decide what they become.
[[nodiscard]] inline bool isWide(Stored type) { return type == Stored::i64 || type == Stored::u64; }
// "u16", "f16".
[[nodiscard]] std::string_view toString(Stored type);
[[nodiscard]] Stored storedAs(ElementType type);
// Empty for the types that need a conversion: i64, u64, f16.
[[nodiscard]] std::optional<ElementType> sameElementType(Stored type);

// out[i] = slope * in[i] + intercept, computed in double where slope and intercept are given; else plain conversion.
struct Scale {
  double slope = 1, intercept = 0;
  [[nodiscard]] bool trivial() const { return slope == 1 && intercept == 0; }
};
void convert(Stored from, std::span<const std::byte> in, ElementType to, std::byte* out, const Scale& scale = {});

// The range of 64-bit integers seen so far and the narrowest element type that holds it: i32, u32 or f64.
struct WideRange {
  bool negative = false;      // any value below zero
  std::uint64_t largest = 0;  // the largest value above zero
  std::int64_t lowest = 0;
  void add(Stored type, std::span<const std::byte> in);
  [[nodiscard]] ElementType narrowest() const;
};

}  // namespace sscope::io
