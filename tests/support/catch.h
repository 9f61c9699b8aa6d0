#pragma once
// Catch2, for every test.

#include <catch2/catch.hpp>
#include <string>

namespace Catch::Matchers {
// As version 3 calls it.
inline auto ContainsSubstring(const std::string& part) { return Contains(part); }
}  // namespace Catch::Matchers
