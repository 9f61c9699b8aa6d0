#include "core/io/itk/repack.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace sscope::io {

namespace {

template <class T>
ElementType narrowest(std::span<const T> values) {
  if (values.empty()) return ElementType::i32;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (std::in_range<std::int32_t>(*low) && std::in_range<std::int32_t>(*high)) return ElementType::i32;
  if (std::in_range<std::uint32_t>(*low) && std::in_range<std::uint32_t>(*high)) return ElementType::u32;
  return ElementType::f64;
}

template <class T>
void narrow(std::span<T> values, ElementType type) {
  dispatch(type, [&](auto tag) {
    using Out = decltype(tag);
    if constexpr (sizeof(Out) <= sizeof(T)) {
      auto* out = reinterpret_cast<std::byte*>(values.data());
      for (std::size_t i = 0; i < values.size(); ++i) {
        const Out value = static_cast<Out>(values[i]);
        std::memcpy(out + i * sizeof(Out), &value, sizeof(Out));
      }
    }
  });
}

}  // namespace

void framesToComponents(const std::byte* frames, std::byte* out, std::int64_t voxels, std::int64_t frameCount,
                        std::int64_t components, std::size_t bytes) {
  const std::size_t group = static_cast<std::size_t>(components) * bytes;
  // Blocks of voxels keep the strided writes of all frames in the cache.
  constexpr std::int64_t kBlock = 1024;
  for (std::int64_t start = 0; start < voxels; start += kBlock)
    for (std::int64_t f = 0; f < frameCount; ++f)
      for (std::int64_t v = start; v < std::min(voxels, start + kBlock); ++v)
        std::memcpy(out + static_cast<std::size_t>(v * frameCount + f) * group,
                    frames + static_cast<std::size_t>(f * voxels + v) * group, group);
}

ElementType narrowestFor(std::span<const std::int64_t> values) { return narrowest(values); }
ElementType narrowestFor(std::span<const std::uint64_t> values) { return narrowest(values); }
void narrowInPlace(std::span<std::int64_t> values, ElementType type) { narrow(values, type); }
void narrowInPlace(std::span<std::uint64_t> values, ElementType type) { narrow(values, type); }

}  // namespace sscope::io
