#pragma once
// What a test takes of a product that is too large for every run. A sample follows from a seed alone: each commit draws
// another one, so that the runs of many commits reach the whole product, and a failure can be repeated.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <vector>

namespace sscope::test {

// SSCOPE_TEST_ALL=1: the whole product. Else SSCOPE_TEST_SEED, a decimal number (./test takes it from the commit); 0
// where neither is set. Throws where it is no number.
struct Sampling {
  std::uint64_t seed = 0;
  bool all = false;
  // The sampling of this run.
  [[nodiscard]] static Sampling ofRun();
  // Another one for each name, so that tests with the same sizes do not draw the same samples.
  [[nodiscard]] Sampling named(const std::string& test) const;
  // For what a test draws by itself.
  [[nodiscard]] std::mt19937 random() const { return std::mt19937(static_cast<std::uint32_t>(seed ^ (seed >> 32))); }
  // How to repeat this run, for INFO.
  [[nodiscard]] static std::string howToRepeat();
};

// One index for each dimension.
using Combination = std::vector<std::size_t>;
using Allowed = std::function<bool(const Combination&)>;

// A covering array: few combinations that hold each value of each dimension, and each pair of values of two dimensions,
// at least once, except pairs that no allowed combination holds. The whole product if everything is wanted.
[[nodiscard]] std::vector<Combination> coveringArray(const std::vector<std::size_t>& sizes, const Sampling& sampling,
                                                     const Allowed& allowed = {});

// As coveringArray, with each value of each dimension at least once, but not each pair: as few as the largest dimension
// has values. For what takes long.
[[nodiscard]] std::vector<Combination> eachValue(const std::vector<std::size_t>& sizes, const Sampling& sampling,
                                                 const Allowed& allowed = {});

// All allowed combinations.
[[nodiscard]] std::vector<Combination> wholeProduct(const std::vector<std::size_t>& sizes, const Allowed& allowed = {});

// The indices 0 to `of` - 1 in an order that follows from the seed; the first `count` of them, or all if everything is
// wanted.
[[nodiscard]] std::vector<std::size_t> sampleOf(std::size_t count, std::size_t of, const Sampling& sampling);

// As sampleOf, the elements.
template <class T>
[[nodiscard]] std::vector<T> sampleOf(std::size_t count, const std::vector<T>& from, const Sampling& sampling) {
  std::vector<T> sample;
  for (const std::size_t i : sampleOf(count, from.size(), sampling)) sample.push_back(from[i]);
  return sample;
}

// Whether a thing is in this run's share, where a run takes every thing of number n * `shares` + what the seed says.
[[nodiscard]] bool inShare(std::size_t thing, std::size_t shares, const Sampling& sampling);

// Turns: what a loop takes when it comes by for the n-th time, of lists that are gone through one after the other.

[[nodiscard]] inline bool takesAll() { return Sampling::ofRun().all; }

// Whether this run takes the n-th value of the last of several dimensions, which has `of` values, where `others` is the
// sum of the indices in the other dimensions: one for each combination of those, another one for each neighbor, so that
// every value of a dimension meets every value of each other one.
[[nodiscard]] bool takes(std::size_t n, std::size_t of, std::size_t others);

// Where a run begins to count, so that what follows from the turn in a loop is another one for each seed.
[[nodiscard]] std::size_t firstTurn();

// `count` of these that follow each other, the last followed by the first; the seed and `turn` say which. Turns in a
// row take all of them as often as each other.
template <class All>
[[nodiscard]] auto sampled(const All& all, std::size_t turn, std::size_t count = 1) {
  using Item = std::decay_t<decltype(*std::begin(all))>;
  const std::vector<Item> items(std::begin(all), std::end(all));
  const Sampling run = Sampling::ofRun();
  if (run.all || count >= items.size()) return items;
  std::vector<Item> some;
  // Lists of other things or of another length begin elsewhere: each item of one meets each of the other in time.
  const std::string list = std::string(typeid(Item).name()) + std::to_string(items.size());
  const std::size_t first = run.named(list).seed % items.size() + turn * count;
  for (std::size_t i = 0; i < count; ++i) some.push_back(items[(first + i) % items.size()]);
  return some;
}

}  // namespace sscope::test
