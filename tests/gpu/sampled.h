#pragma once
// What a run takes of products that are too large for every run: by SSCOPE_TEST_SEED, so that days of runs cover all;
// SSCOPE_TEST_ALL=1 takes everything.

#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include "core/base/hash.h"

namespace sscope::test {

[[nodiscard]] inline bool takesAll() {
  const char* all = std::getenv("SSCOPE_TEST_ALL");
  return all != nullptr && std::string_view(all) == "1";
}

// A number that differs from seed to seed, and independently for what is named.
[[nodiscard]] inline std::uint64_t sampleSeed(const std::string& what = {}) {
  const char* seed = std::getenv("SSCOPE_TEST_SEED");
  const std::uint64_t hash = hashOf(std::string_view(std::string(seed == nullptr ? "0" : seed) + ":" + what));
  return hash ^ (hash >> 29);  // its low bits alone would follow the last characters
}

// For INFO in every test that samples: how to repeat it.
[[nodiscard]] inline std::string sampleNote() {
  const char* seed = std::getenv("SSCOPE_TEST_SEED");
  return takesAll() ? "SSCOPE_TEST_ALL=1" : std::string("SSCOPE_TEST_SEED=") + (seed == nullptr ? "0" : seed);
}

// Where a run begins to count, so that what follows from the turn in a loop is another one for each seed.
[[nodiscard]] inline std::size_t firstTurn() { return takesAll() ? 0 : (sampleSeed() >> 32) % 60; }

// `count` of these that follow each other, the last followed by the first; the seed and `turn` say which. Turns in a
// row take all of them as often as each other.
template <class All>
[[nodiscard]] auto sampled(const All& all, std::size_t turn, std::size_t count = 1) {
  using Item = std::decay_t<decltype(*std::begin(all))>;
  const std::vector<Item> items(std::begin(all), std::end(all));
  if (takesAll() || count >= items.size()) return items;
  std::vector<Item> some;
  // Lists of other things or of another length begin elsewhere: each item of one meets each of the other in time.
  const std::string list = std::string(typeid(Item).name()) + std::to_string(items.size());
  const std::size_t first = sampleSeed(list) % items.size() + turn * count;
  for (std::size_t i = 0; i < count; ++i) some.push_back(items[(first + i) % items.size()]);
  return some;
}

}  // namespace sscope::test
