#include "core/io/base/convert.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace sscope::io {

namespace {

// IEEE 754 binary16.
struct Half {
  std::uint16_t bits;
  explicit operator double() const {
    const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
    const int exponent = (bits >> 10) & 0x1f, fraction = bits & 0x3ff;
    if (exponent == 31)
      return fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
    if (exponent == 0) return sign * std::ldexp(fraction, -24);
    return sign * std::ldexp(1024 + fraction, exponent - 25);
  }
};

template <class F>
void dispatchStored(Stored type, F&& f) {
  switch (type) {
    case Stored::i64: return f(std::int64_t{});
    case Stored::u64: return f(std::uint64_t{});
    case Stored::f16: return f(Half{});
    default: return dispatch(*sameElementType(type), f);
  }
}

template <class Out, class In>
Out plain(In value) {
  if constexpr (std::is_same_v<In, Half>) {
    return static_cast<Out>(static_cast<double>(value));
  } else {
    return static_cast<Out>(value);
  }
}

template <class T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

}  // namespace

std::size_t bytesOf(Stored type) {
  std::size_t bytes = 0;
  dispatchStored(type, [&](auto tag) { bytes = sizeof tag; });
  return bytes;
}

std::string_view toString(Stored type) {
  if (const auto same = sameElementType(type)) return sscope::toString(*same);
  return type == Stored::f16 ? "f16" : type == Stored::i64 ? "i64" : "u64";
}

Stored storedAs(ElementType type) { return static_cast<Stored>(type); }

std::optional<ElementType> sameElementType(Stored type) {
  if (type > Stored::f64) return std::nullopt;
  return static_cast<ElementType>(type);
}

void convert(Stored from, std::span<const std::byte> in, ElementType to, std::byte* out, const Scale& scale) {
  if (sameElementType(from) == to && scale.trivial()) {
    std::memcpy(out, in.data(), in.size());
    return;
  }
  dispatchStored(from, [&](auto source) {
    dispatch(to, [&](auto target) {
      using In = decltype(source);
      using Out = decltype(target);
      const std::size_t count = in.size() / sizeof(In);
      auto* values = reinterpret_cast<Out*>(out);
      if (scale.trivial()) {
        for (std::size_t i = 0; i < count; ++i) values[i] = plain<Out>(load<In>(in.data() + i * sizeof(In)));
      } else {
        for (std::size_t i = 0; i < count; ++i)
          values[i] = static_cast<Out>(scale.slope * static_cast<double>(load<In>(in.data() + i * sizeof(In))) +
                                       scale.intercept);
      }
    });
  });
}

void WideRange::add(Stored type, std::span<const std::byte> in) {
  for (std::size_t at = 0; at + 8 <= in.size(); at += 8) {
    const auto bits = load<std::uint64_t>(in.data() + at);
    const auto value = static_cast<std::int64_t>(bits);
    if (type == Stored::i64 && value < 0) {
      negative = true;
      lowest = std::min(lowest, value);
    } else {
      largest = std::max(largest, bits);
    }
  }
}

ElementType WideRange::narrowest() const {
  if (largest <= std::numeric_limits<std::int32_t>::max() && lowest >= std::numeric_limits<std::int32_t>::min())
    return ElementType::i32;
  if (!negative && largest <= std::numeric_limits<std::uint32_t>::max()) return ElementType::u32;
  return ElementType::f64;
}

}  // namespace sscope::io
