#pragma once
// Rearranging what a library delivers into our dense, component-innermost order.

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/volume/element_type.h"

namespace sscope::io {

// frames x voxels x components -> voxels x (frames x components), elements of `bytes` bytes.
void framesToComponents(const std::byte* frames, std::byte* out, std::int64_t voxels, std::int64_t frameCount,
                        std::int64_t components, std::size_t bytes);

// The narrowest of i32, u32, f64 that holds every value.
[[nodiscard]] ElementType narrowestFor(std::span<const std::int64_t> values);
[[nodiscard]] ElementType narrowestFor(std::span<const std::uint64_t> values);

// Converts in place towards the front of the same memory; `type` is i32, u32 or f64.
void narrowInPlace(std::span<std::int64_t> values, ElementType type);
void narrowInPlace(std::span<std::uint64_t> values, ElementType type);

}  // namespace sscope::io
