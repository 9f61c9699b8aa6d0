#include "tests/support/sampling.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <optional>
#include <random>
#include <stdexcept>
#include <utility>

namespace sscope::test {

namespace {

constexpr std::size_t kOpen = static_cast<std::size_t>(-1);  // no value chosen yet
constexpr int kCandidates = 12;                              // of which the one with most new pairs is taken

using Random = std::mt19937_64;  // the same numbers with every library, which its shuffles are not

std::vector<std::size_t> shuffled(std::size_t count, Random& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

// Which pairs of values were seen.
class Pairs {
 public:
  explicit Pairs(const std::vector<std::size_t>& sizes) : sizes_(sizes) {
    for (std::size_t a = 0; a < sizes.size(); ++a)
      for (std::size_t b = a + 1; b < sizes.size(); ++b) {
        start_.push_back(seen_.size());
        seen_.resize(seen_.size() + sizes[a] * sizes[b]);
      }
  }
  struct Pair {
    std::size_t a, x, b, y;
  };
  [[nodiscard]] std::vector<Pair> every() const {
    std::vector<Pair> pairs;
    for (std::size_t a = 0; a < sizes_.size(); ++a)
      for (std::size_t b = a + 1; b < sizes_.size(); ++b)
        for (std::size_t x = 0; x < sizes_[a]; ++x)
          for (std::size_t y = 0; y < sizes_[b]; ++y) pairs.push_back({a, x, b, y});
    return pairs;
  }
  [[nodiscard]] bool seen(const Pair& pair) const { return seen_[place(pair)]; }
  void see(const Combination& one) {
    for (std::size_t a = 0; a < one.size(); ++a)
      for (std::size_t b = a + 1; b < one.size(); ++b) seen_[place({a, one[a], b, one[b]})] = true;
  }
  // How many pairs would be new with this value, among the values that are chosen.
  [[nodiscard]] std::size_t newWith(const Combination& one, std::size_t dimension, std::size_t value) const {
    std::size_t count = 0;
    for (std::size_t d = 0; d < one.size(); ++d) {
      if (d == dimension || one[d] == kOpen) continue;
      const Pair pair = d < dimension ? Pair{d, one[d], dimension, value} : Pair{dimension, value, d, one[d]};
      count += seen(pair) ? 0 : 1;
    }
    return count;
  }

 private:
  [[nodiscard]] std::size_t place(const Pair& pair) const {
    const std::size_t n = sizes_.size();
    const std::size_t before = pair.a * n - pair.a * (pair.a + 1) / 2;  // pairs of dimensions with a smaller first one
    return start_[before + pair.b - pair.a - 1] + pair.x * sizes_[pair.b] + pair.y;
  }
  std::vector<std::size_t> sizes_, start_;
  std::vector<bool> seen_;
};

// The open dimensions filled so that most pairs are new; in another order each time, so that the first does not have
// the choice always.
Combination filled(Combination one, const std::vector<std::size_t>& sizes, const Pairs& pairs, Random& random) {
  for (const std::size_t d : shuffled(sizes.size(), random)) {
    if (one[d] != kOpen) continue;
    std::size_t best = 0, most = 0;
    const std::vector<std::size_t> values = shuffled(sizes[d], random);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (const std::size_t count = pairs.newWith(one, d, values[i]); i == 0 || count > most) {
        best = values[i];
        most = count;
      }
    one[d] = best;
  }
  return one;
}

// Any allowed combination with these values, where the greedy ones are not; none: there is no such combination.
std::optional<Combination> anyAllowed(Combination one, const std::vector<std::size_t>& sizes, const Allowed& allowed,
                                      Random& random) {
  const auto open = std::find(one.begin(), one.end(), kOpen);
  if (open == one.end()) return allowed(one) ? std::optional(one) : std::nullopt;
  for (const std::size_t value : shuffled(sizes[static_cast<std::size_t>(open - one.begin())], random)) {
    *open = value;
    if (auto found = anyAllowed(one, sizes, allowed, random)) return found;
  }
  return std::nullopt;
}

}  // namespace

Sampling Sampling::ofRun() {
  Sampling sampling;
  if (const char* all = std::getenv("SSCOPE_TEST_ALL")) sampling.all = std::strcmp(all, "1") == 0;
  if (const char* seed = std::getenv("SSCOPE_TEST_SEED")) {
    const char* end = seed + std::strlen(seed);
    const auto [stop, code] = std::from_chars(seed, end, sampling.seed);
    if (code != std::errc() || stop != end)
      throw std::runtime_error("SSCOPE_TEST_SEED is not a decimal number: " + std::string(seed));
  }
  return sampling;
}

Sampling Sampling::named(const std::string& test) const {
  Sampling other = *this;
  std::uint64_t hash = 0xcbf29ce484222325 ^ seed;  // FNV-1a
  for (const char letter : test) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  other.seed = hash ^ (hash >> 29);  // its low bits alone would follow the last characters
  return other;
}

std::string Sampling::howToRepeat() {
  const Sampling run = ofRun();
  return run.all ? "SSCOPE_TEST_ALL=1" : "SSCOPE_TEST_SEED=" + std::to_string(run.seed);
}

std::vector<Combination> wholeProduct(const std::vector<std::size_t>& sizes, const Allowed& allowed) {
  std::vector<Combination> product;
  Combination one(sizes.size(), 0);
  for (const std::size_t size : sizes)
    if (size == 0) return product;
  for (;;) {
    if (!allowed || allowed(one)) product.push_back(one);
    std::size_t d = sizes.size();
    while (d > 0 && ++one[d - 1] == sizes[d - 1]) one[--d] = 0;
    if (d == 0) return product;
  }
}

std::vector<Combination> coveringArray(const std::vector<std::size_t>& sizes, const Sampling& sampling,
                                       const Allowed& allowed) {
  if (sampling.all || sizes.size() < 2) return wholeProduct(sizes, allowed);
  std::vector<Combination> chosen;
  Random random(sampling.seed);
  Pairs pairs(sizes);
  const std::vector<Pairs::Pair> every = pairs.every();
  for (const std::size_t at : shuffled(every.size(), random)) {
    const Pairs::Pair& pair = every[at];
    if (pairs.seen(pair)) continue;
    Combination start(sizes.size(), kOpen);
    start[pair.a] = pair.x;
    start[pair.b] = pair.y;
    std::optional<Combination> best;
    std::size_t most = 0;
    for (int i = 0; i < kCandidates; ++i) {
      const Combination one = filled(start, sizes, pairs, random);
      if (allowed && !allowed(one)) continue;
      std::size_t count = 0;
      for (std::size_t d = 0; d < one.size(); ++d) count += pairs.newWith(one, d, one[d]);
      if (best && count <= most) continue;
      best = one;
      most = count;
    }
    if (!best && allowed) best = anyAllowed(start, sizes, allowed, random);
    if (!best) continue;  // no allowed combination has this pair
    pairs.see(*best);
    chosen.push_back(*best);
  }
  return chosen;
}

std::vector<Combination> eachValue(const std::vector<std::size_t>& sizes, const Sampling& sampling,
                                   const Allowed& given) {
  if (sampling.all) return wholeProduct(sizes, given);
  const Allowed allowed = given ? given : [](const Combination&) { return true; };
  std::vector<Combination> chosen;
  Random random(sampling.seed);
  std::vector<std::vector<bool>> seen;
  for (const std::size_t size : sizes) seen.emplace_back(size, false);
  // The largest dimension first, and with each of its values one that is new of each other one.
  std::vector<std::size_t> dimensions(sizes.size());
  std::iota(dimensions.begin(), dimensions.end(), 0);
  std::ranges::stable_sort(dimensions, [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  for (const std::size_t d : dimensions)
    for (const std::size_t value : shuffled(sizes[d], random)) {
      if (seen[d][value]) continue;
      std::optional<Combination> best;
      std::size_t most = 0;
      for (int i = 0; i < kCandidates; ++i) {
        Combination one(sizes.size());
        std::size_t count = 0;
        for (std::size_t other = 0; other < sizes.size(); ++other) {
          one[other] = value;
          if (other == d) continue;
          const std::vector<std::size_t> order = shuffled(sizes[other], random);
          const auto isNew = std::ranges::find_if(order, [&](std::size_t v) { return !seen[other][v]; });
          one[other] = isNew != order.end() ? *isNew : order.front();
          count += isNew != order.end() ? 1 : 0;
        }
        if (!allowed(one) || (best && count <= most)) continue;
        best = one;
        most = count;
      }
      if (!best) {
        Combination start(sizes.size(), kOpen);
        start[d] = value;
        best = anyAllowed(start, sizes, allowed, random);
      }
      if (!best) continue;  // no allowed combination has this value
      for (std::size_t other = 0; other < sizes.size(); ++other) seen[other][(*best)[other]] = true;
      chosen.push_back(*best);
    }
  return chosen;
}

std::vector<std::size_t> sampleOf(std::size_t count, std::size_t of, const Sampling& sampling) {
  Random random(sampling.seed);
  std::vector<std::size_t> order = shuffled(of, random);
  if (!sampling.all && count < of) order.resize(count);
  return order;
}

bool inShare(std::size_t thing, std::size_t shares, const Sampling& sampling) {
  return sampling.all || shares < 2 || (thing + sampling.seed) % shares == 0;
}

bool takes(std::size_t n, std::size_t of, std::size_t others) {
  const Sampling run = Sampling::ofRun();
  return run.all || n == (others + run.seed % of) % of;
}

std::size_t firstTurn() { return takesAll() ? 0 : Sampling::ofRun().named("turn").seed % 60; }

}  // namespace sscope::test
