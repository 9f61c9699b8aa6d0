#pragma once
// Copying past the caches.

#include <cstddef>

namespace sscope {

// As std::memcpy, but what is written does not stay in the caches, and the lines of `to` are not read first. For
// results that nobody reads soon; libraries do this for much larger pieces only. When it returns, other devices see the
// bytes.
void copyPastCaches(std::byte* to, const std::byte* from, std::size_t bytes);

}  // namespace sscope
