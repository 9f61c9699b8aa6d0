// cpu:scalar's order statistics: one output at a time, compiled with automatic vectorization off.

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "core/cpu/filter/rank_kernels.h"

namespace sscope::cpu {

namespace {

// Its own inverse: negative numbers count downward.
template <class Key>
Key mirrored(Key bits) {
  return bits ^ (bits < 0 ? std::numeric_limits<Key>::max() : Key{0});
}

template <class T>
void toKeys(void* values, std::int64_t count) {
  auto* bytes = static_cast<char*>(values);
  for (std::int64_t i = 0; i < count; ++i, bytes += sizeof(T)) {
    RankKey<T> bits;
    std::memcpy(&bits, bytes, sizeof bits);
    bits = mirrored(bits);
    std::memcpy(bytes, &bits, sizeof bits);
  }
}

template <class T>
struct Span {
  RankKey<T> lowest = std::numeric_limits<RankKey<T>>::max(), highest = std::numeric_limits<RankKey<T>>::min();

  void add(RankKey<T> key) {
    lowest = std::min(lowest, key);
    highest = std::max(highest, key);
  }
  // The number behind a key of the window, or NaN where one of its keys is.
  [[nodiscard]] T value(RankKey<T> key) const {
    const auto infinity = std::bit_cast<RankKey<T>>(std::numeric_limits<T>::infinity());
    const auto minus = mirrored(std::bit_cast<RankKey<T>>(-std::numeric_limits<T>::infinity()));
    if (lowest < minus || highest > infinity) return std::numeric_limits<T>::quiet_NaN();
    return std::bit_cast<T>(mirrored(key));
  }
};

template <class Key>
void sortPair(Key& low, Key& high) {
  if (high < low) std::swap(low, high);
}

template <class T>
void select(const RankJob<T>& job) {
  using Key = RankKey<T>;
  std::array<Key, kMostSelected / 2 + 2> held;
  for (std::int64_t x = 0; x < job.outputs; ++x) {
    Span<T> span;
    std::int64_t next = 0;
    const auto read = [&] {
      const Key key = job.in[x + job.offset[next++]];
      span.add(key);
      return key;
    };
    auto last = static_cast<std::size_t>(job.count / 2 + 1);
    for (std::size_t i = 0; i <= last; ++i) held[i] = read();
    for (;; --last) {
      for (std::size_t i = 0; i < (last + 1) / 2; ++i) sortPair(held[i], held[last - i]);
      for (std::size_t i = 1; i <= last / 2; ++i) sortPair(held[0], held[i]);
      for (std::size_t i = (last + 1) / 2; i < last; ++i) sortPair(held[i], held[last]);
      if (next == job.count) break;
      held[0] = read();
    }
    job.out[x] = span.value(held[1]);
  }
}

template <class T>
void bisect(const RankJob<T>& job) {
  using Key = RankKey<T>;
  using Wide = std::make_unsigned_t<Key>;
  for (std::int64_t x = 0; x < job.outputs; ++x) {
    const Key* in = job.in + x;
    Span<T> span;
    for (std::int64_t m = 0; m < job.count; ++m) span.add(in[job.offset[m]]);
    Key low = span.lowest, high = span.highest;
    while (low < high) {
      const auto middle =
          static_cast<Key>(static_cast<Wide>(low) + (static_cast<Wide>(high) - static_cast<Wide>(low)) / 2);
      std::int64_t below = 0;
      for (std::int64_t m = 0; m < job.count; ++m) below += in[job.offset[m]] <= middle ? 1 : 0;
      if (below > job.rank) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    job.out[x] = span.value(low);
  }
}

template <class T>
constexpr RankKernels<T> kernelsOf() {
  return {1, toKeys<T>, select<T>, bisect<T>};
}

}  // namespace

const RankKernelTable& scalarRankKernels() {
  static const RankKernelTable table{kernelsOf<float>(), kernelsOf<double>()};
  return table;
}

}  // namespace sscope::cpu
