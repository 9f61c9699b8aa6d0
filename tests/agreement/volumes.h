#pragma once
// Volumes against each other.

#include <cstddef>
#include <cstring>

#include "core/volume/volume.h"

namespace sscope::test {

[[nodiscard]] inline bool sameBits(const Volume& a, const Volume& b) {
  return a.bytes() == b.bytes() && std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.bytes())) == 0;
}

}  // namespace sscope::test
