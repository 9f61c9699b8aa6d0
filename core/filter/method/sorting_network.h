#pragma once
// Sorting networks: fixed sequences of compare-exchange operations.

#include <array>
#include <cstddef>
#include <cstdint>

namespace sscope {

// Puts the smaller of two values at place `low`, the larger at `high`.
struct Exchange {
  std::uint8_t low = 0, high = 0;
};

// Places of values, from the smallest value to the largest.
struct SortedPlaces {
  std::array<std::uint8_t, 32> at{};
  std::size_t count = 0;

  constexpr void add(std::uint8_t place) { at[count++] = place; }
};

struct SortingNetwork {
  std::array<Exchange, 192> exchanges{};  // in order
  std::size_t count = 0;
  SortedPlaces result;
};

namespace networks {

// Every second place, from `first` on.
[[nodiscard]] constexpr SortedPlaces everySecond(const SortedPlaces& all, std::size_t first) {
  SortedPlaces some;
  for (std::size_t i = first; i < all.count; i += 2) some.add(all.at[i]);
  return some;
}

// Batcher's odd-even merge of any two lengths (Knuth, The Art of Computer Programming 3, 5.3.4).
[[nodiscard]] constexpr SortedPlaces merge(SortingNetwork& network, const SortedPlaces& a, const SortedPlaces& b) {
  if (a.count == 0) return b;
  if (b.count == 0) return a;
  if (a.count == 1 && b.count == 1) {
    network.exchanges[network.count++] = {a.at[0], b.at[0]};
    SortedPlaces both = a;
    both.add(b.at[0]);
    return both;
  }
  const SortedPlaces even = merge(network, everySecond(a, 0), everySecond(b, 0));
  const SortedPlaces odd = merge(network, everySecond(a, 1), everySecond(b, 1));
  SortedPlaces all;
  all.add(even.at[0]);
  for (std::size_t i = 0; i < odd.count || i + 1 < even.count; ++i) {
    if (i < odd.count && i + 1 < even.count) network.exchanges[network.count++] = {odd.at[i], even.at[i + 1]};
    if (i < odd.count) all.add(odd.at[i]);
    if (i + 1 < even.count) all.add(even.at[i + 1]);
  }
  return all;
}

[[nodiscard]] constexpr SortedPlaces sort(SortingNetwork& network, std::size_t first, std::size_t end) {
  SortedPlaces one;
  if (end - first == 1) {
    one.add(static_cast<std::uint8_t>(first));
    return one;
  }
  const std::size_t middle = first + (end - first) / 2;
  const SortedPlaces lower = sort(network, first, middle), upper = sort(network, middle, end);
  return merge(network, lower, upper);
}

}  // namespace networks

// The network for `count` values at places 0 .. count - 1, at most 16.
[[nodiscard]] constexpr SortingNetwork sortingNetwork(std::size_t count) {
  SortingNetwork network;
  network.result = networks::sort(network, 0, count);
  return network;
}

// The network for two consecutive sorted lists, together at most 32 values.
[[nodiscard]] constexpr SortingNetwork mergingNetwork(std::size_t first, std::size_t second) {
  SortingNetwork network;
  SortedPlaces a, b;
  for (std::size_t i = 0; i < first; ++i) a.add(static_cast<std::uint8_t>(i));
  for (std::size_t i = 0; i < second; ++i) b.add(static_cast<std::uint8_t>(first + i));
  network.result = networks::merge(network, a, b);
  return network;
}

}  // namespace sscope
