// What tests take of large products: every pair, whatever the seed, and the same again.
#include "tests/support/sampling.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "tests/support/catch.h"

using namespace sscope::test;

namespace {

// Pairs of values of two dimensions that some allowed combination has and no given one.
std::size_t missingPairs(const std::vector<std::size_t>& sizes, const std::vector<Combination>& given,
                         const Allowed& allowed = {}) {
  using Pair = std::array<std::size_t, 4>;
  const auto pairsOf = [&](const std::vector<Combination>& all) {
    std::set<Pair> pairs;
    for (const Combination& one : all)
      for (std::size_t a = 0; a < sizes.size(); ++a)
        for (std::size_t b = a + 1; b < sizes.size(); ++b) pairs.insert({a, one[a], b, one[b]});
    return pairs;
  };
  const std::set<Pair> wanted = pairsOf(wholeProduct(sizes, allowed)), found = pairsOf(given);
  return static_cast<std::size_t>(
      std::ranges::count_if(wanted, [&](const Pair& pair) { return !found.contains(pair); }));
}

// Sets a variable as long as it lives.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    if (value != nullptr)
      ::setenv(name, value, 1);
    else
      ::unsetenv(name);
  }
  ~Environment() {
    if (before_)
      ::setenv(name_, before_->c_str(), 1);
    else
      ::unsetenv(name_);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace

TEST_CASE("a covering array has every pair, whatever the seed, and is far smaller than the product") {
  const std::vector<std::vector<std::size_t>> products{{3, 4}, {5, 5, 10, 8}, {2, 2, 2, 2, 2, 2, 2}, {9, 1, 6, 3}};
  for (const auto& sizes : products)
    for (const std::uint64_t seed : {0U, 1U, 2U, 77U, 4000000000U}) {
      INFO("seed " << seed);
      const auto array = coveringArray(sizes, {seed});
      CHECK(missingPairs(sizes, array) == 0);
      CHECK(array == coveringArray(sizes, {seed}));
      std::vector<std::size_t> sorted = sizes;
      std::ranges::sort(sorted, std::greater());
      CHECK(array.size() >= sorted[0] * sorted[1]);
      CHECK(array.size() <= 2 * sorted[0] * sorted[1] + 8);
    }
  CHECK(missingPairs({3, 3}, {{0, 0}, {1, 1}}) == 7);  // and it can be wrong
}

TEST_CASE("a covering array holds what is allowed alone, and every pair of it") {
  const std::vector<std::size_t> sizes{6, 5, 4, 3};
  const Allowed allowed = [](const Combination& one) {
    return !(one[0] == 2 && one[1] != 3) && (one[2] + one[3]) % 3 != 1 && !(one[0] == 5 && one[3] == 0);
  };
  for (const std::uint64_t seed : {0U, 5U, 123U}) {
    const auto array = coveringArray(sizes, {seed}, allowed);
    CHECK(std::ranges::all_of(array, allowed));
    CHECK(missingPairs(sizes, array, allowed) == 0);
    CHECK(array.size() < 60);
  }
  CHECK(coveringArray(sizes, {0}, [](const Combination&) { return false; }).empty());
}

TEST_CASE("seeds draw different arrays, which together reach the product") {
  const std::vector<std::size_t> sizes{4, 3, 3};
  std::set<Combination> reached;
  std::set<std::vector<Combination>> arrays;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const auto array = coveringArray(sizes, {seed});
    reached.insert(array.begin(), array.end());
    arrays.insert(array);
  }
  CHECK(arrays.size() > 25);
  CHECK(reached.size() == 36);
}

TEST_CASE("each value is taken once where pairs are too many") {
  const std::vector<std::size_t> sizes{6, 9, 2};
  const Allowed allowed = [](const Combination& one) { return one[0] != 3 || one[1] == 8; };
  for (const std::uint64_t seed : {0U, 5U, 123U})
    for (const Allowed& rule : {Allowed(), allowed}) {
      const auto few = eachValue(sizes, {seed}, rule);
      CHECK(few.size() >= 9);
      CHECK(few.size() <= 12);
      CHECK(few == eachValue(sizes, {seed}, rule));
      for (std::size_t d = 0; d < sizes.size(); ++d) {
        std::set<std::size_t> values;
        for (const Combination& one : few) values.insert(one[d]);
        CHECK(values.size() == sizes[d]);
      }
      if (rule) CHECK(std::ranges::all_of(few, rule));
    }
  CHECK(eachValue(sizes, {1}) != eachValue(sizes, {2}));
  CHECK(eachValue(sizes, {0, true}).size() == 108);
  CHECK(eachValue(sizes, {0}, [](const Combination&) { return false; }).empty());
}

TEST_CASE("the whole product is taken where all is wanted") {
  const std::vector<std::size_t> sizes{4, 3, 5};
  const auto product = coveringArray(sizes, {7, true});
  CHECK(product.size() == 60);
  CHECK(std::set(product.begin(), product.end()).size() == 60);
  CHECK(coveringArray({4}, {7}).size() == 4);
  CHECK(coveringArray({4, 0}, {7}).empty());
  CHECK(sampleOf(2, 9, {3, true}).size() == 9);
  for (std::size_t thing = 0; thing < 5; ++thing) CHECK(inShare(thing, 5, {3, true}));
}

TEST_CASE("samples are different things, and shares take everything in turn") {
  const auto sample = sampleOf(4, 9, {3});
  CHECK(std::set(sample.begin(), sample.end()).size() == 4);
  CHECK(*std::ranges::max_element(sample) < 9);
  CHECK(sample == sampleOf(4, 9, {3}));
  CHECK(sampleOf(9, 3, {3}).size() == 3);
  CHECK(sampleOf(2, std::vector<std::string>{"a", "b", "c"}, {3}).size() == 2);
  std::set<std::size_t> firsts;
  for (std::uint64_t seed = 0; seed < 60; ++seed) firsts.insert(sampleOf(1, 9, {seed}).front());
  CHECK(firsts.size() == 9);
  for (std::size_t thing = 0; thing < 12; ++thing) {
    int turns = 0;
    for (std::uint64_t seed = 40; seed < 45; ++seed) turns += inShare(thing, 5, {seed}) ? 1 : 0;
    CHECK(turns == 1);
  }
}

TEST_CASE("tests of different names draw different samples") {
  const Sampling run{17};
  CHECK(run.named("a").seed != run.named("b").seed);
  CHECK(run.named("a").seed == run.named("a").seed);
  CHECK(run.named("a").seed != Sampling{18}.named("a").seed);
  CHECK(Sampling{17, true}.named("a").all);
}

TEST_CASE("the seed of a run comes from the environment") {
  {
    const Environment seed("SSCOPE_TEST_SEED", nullptr), all("SSCOPE_TEST_ALL", nullptr);
    CHECK(Sampling::ofRun().seed == 0);
    CHECK_FALSE(Sampling::ofRun().all);
    CHECK(Sampling::howToRepeat() == "SSCOPE_TEST_SEED=0");
  }
  {
    const Environment seed("SSCOPE_TEST_SEED", "18446744073709551615"), all("SSCOPE_TEST_ALL", "0");
    CHECK(Sampling::ofRun().seed == 18446744073709551615U);
    CHECK_FALSE(Sampling::ofRun().all);
    CHECK(Sampling::howToRepeat() == "SSCOPE_TEST_SEED=18446744073709551615");
  }
  {
    const Environment all("SSCOPE_TEST_ALL", "1");
    CHECK(Sampling::ofRun().all);
    CHECK(Sampling::howToRepeat() == "SSCOPE_TEST_ALL=1");
  }
  for (const char* wrong : {"", "a12", "12a", "-1", "99999999999999999999999"}) {
    const Environment seed("SSCOPE_TEST_SEED", wrong);
    CHECK_THROWS_WITH(Sampling::ofRun(), ContainsSubstring("not a decimal number"));
  }
}
