#pragma once
// What a run takes of a product that is too large for every run follows from a seed (./test takes it from the commit),
// so that the runs of many commits reach all of it and a failure can be repeated.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace sscope::test {

// SSCOPE_TEST_ALL=1: the whole product.
[[nodiscard]] inline bool takesAll() {
  const char* all = std::getenv("SSCOPE_TEST_ALL");
  return all != nullptr && std::strcmp(all, "1") == 0;
}

// SSCOPE_TEST_SEED, a decimal number; 0 where it is not set. Small enough to be added to.
[[nodiscard]] inline std::uint32_t runSeed() {
  const char* seed = std::getenv("SSCOPE_TEST_SEED");
  return seed == nullptr ? 0 : static_cast<std::uint32_t>(std::strtoull(seed, nullptr, 10) % 1'000'000'007);
}

// Whether this run takes the n-th value of the last of several dimensions, which has `of` values, where `others` is the
// sum of the indices in the other dimensions: one for each combination of those, another one for each neighbor, so that
// every value of a dimension meets every value of each other one.
[[nodiscard]] inline bool takes(std::size_t n, std::size_t of, std::size_t others) {
  return takesAll() || n == (others + runSeed()) % of;
}

}  // namespace sscope::test
