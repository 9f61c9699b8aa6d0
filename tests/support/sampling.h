#pragma once
// What a test takes of a product that is too large for every run. A sample follows from a seed alone: each commit draws
// another one, so that the runs of many commits reach the whole product, and a failure can be repeated.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
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

}  // namespace sscope::test
