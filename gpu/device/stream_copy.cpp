#include "gpu/device/stream_copy.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace sscope {

void copyPastCaches(std::byte* to, const std::byte* from, std::size_t bytes) {
#if defined(__SSE2__)
  constexpr std::size_t kLine = 64, kVector = sizeof(__m128i);
  const std::size_t ahead = std::min(bytes, (kLine - reinterpret_cast<std::uintptr_t>(to) % kLine) % kLine);
  std::memcpy(to, from, ahead);
  std::size_t at = ahead;
  for (; at + kLine <= bytes; at += kLine) {
    __m128i line[kLine / kVector];
    std::memcpy(line, from + at, kLine);
    for (std::size_t i = 0; i < kLine / kVector; ++i)
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + at + i * kVector), line[i]);
  }
  std::memcpy(to + at, from + at, bytes - at);
  _mm_sfence();
#else
  std::memcpy(to, from, bytes);
#endif
}

}  // namespace sscope
