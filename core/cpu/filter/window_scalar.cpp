// cpu:scalar's order statistics and entropies: one output at a time, compiled with automatic vectorization off.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "core/cpu/filter/window_kernels.h"
#include "core/filter/entropy_window.h"
#include "core/filter/method/sorting_network.h"

namespace sscope::cpu {

namespace {

#define RANK_INLINE inline __attribute__((always_inline))

template <class Key>
struct Lanes {
  using V = Key;
  static constexpr std::int64_t count() { return 1; }
  static V load(const Key* from) { return *from; }
  static void store(V v, Key* to) { *to = v; }
  static V smaller(V a, V b) { return std::min(a, b); }
  static V larger(V a, V b) { return std::max(a, b); }
};

// Its own inverse: negative numbers count downward.
template <class Key>
Key mirrored(Key bits) {
  return static_cast<Key>(bits ^ (bits < 0 ? std::numeric_limits<Key>::max() : Key{0}));
}

template <class Key, class Change>
void changeAll(void* values, std::int64_t count, Change&& change) {
  auto* bytes = static_cast<char*>(values);
  for (std::int64_t i = 0; i < count; ++i, bytes += sizeof(Key)) {
    Key key;
    std::memcpy(&key, bytes, sizeof key);
    key = change(key);
    std::memcpy(bytes, &key, sizeof key);
  }
}

inline bool isUnsigned(ElementType as);

template <class Key>
Key asSigned(Key bits) {
  return static_cast<Key>(bits ^ std::numeric_limits<Key>::min());
}

template <class Key>
bool toKeys(ElementType as, bool reversed, void* values, std::int64_t count) {
  bool unordered = false;
  if (isInteger(as)) {
    const bool moved = isUnsigned(as);
    if (moved || reversed)
      changeAll<Key>(values, count, [&](Key key) {
        if (moved) key = asSigned(key);
        return reversed ? static_cast<Key>(~key) : key;
      });
  } else if constexpr (sizeof(Key) >= 4) {
    using Number = std::conditional_t<sizeof(Key) == 4, float, double>;
    const auto infinity = std::bit_cast<Key>(std::numeric_limits<Number>::infinity());
    const Key minus = mirrored(std::bit_cast<Key>(-std::numeric_limits<Number>::infinity()));
    changeAll<Key>(values, count, [&](Key key) {
      key = mirrored(key);
      const bool isNaN = key > infinity || key < minus;
      unordered = unordered || isNaN;
      return isNaN ? std::numeric_limits<Key>::max() : reversed ? static_cast<Key>(~key) : key;
    });
  }
  return unordered;
}

template <class Key>
void fromKeys(ElementType as, bool reversed, void* keys, std::int64_t count) {
  const bool moved = isUnsigned(as), number = !isInteger(as);
  if (!moved && !number && !reversed) return;
  changeAll<Key>(keys, count, [&](Key key) {
    if (reversed) key = static_cast<Key>(~key);
    if (moved) return asSigned(key);
    return number ? mirrored(key) : key;
  });
}

template <class Key>
void bisect(const RankJob<Key>& job) {
  for (std::int64_t x = 0; x < job.outputs; ++x) {
    const Key* in = job.in + x;
    std::int64_t low = std::numeric_limits<std::int64_t>::max(), high = std::numeric_limits<std::int64_t>::min();
    for (std::int64_t m = 0; m < job.count; ++m) {
      const std::int64_t key = in[job.offset[m]];
      low = std::min(low, key);
      high = std::max(high, key);
    }
    while (low < high) {
      const auto middle = static_cast<std::int64_t>(
          static_cast<std::uint64_t>(low) + (static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low)) / 2);
      std::int64_t below = 0;
      for (std::int64_t m = 0; m < job.count; ++m) below += in[job.offset[m]] <= middle ? 1 : 0;
      if (below > job.rank) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    job.out[x] = static_cast<Key>(low);
  }
}

#include "core/cpu/filter/window_loops-inl.h"

template <class Key>
void bins(const BinsJob<Key>& job) {
  for (std::int64_t i = 0; i < job.count; ++i)
    job.out[i] = static_cast<std::uint16_t>(std::upper_bound(job.thresholds, job.thresholds + job.bins, job.keys[i]) -
                                            job.thresholds);
}

}  // namespace

const RankKernelTable& scalarRankKernels() {
  static const RankKernelTable table{kernelsOf<std::int8_t>(), kernelsOf<std::int16_t>(), kernelsOf<std::int32_t>(),
                                     kernelsOf<std::int64_t>()};
  return table;
}

const EntropyKernels& scalarEntropyKernels() {
  static const EntropyKernels kernels{entropies, bins<std::int8_t>, bins<std::int16_t>, bins<std::int32_t>,
                                      bins<std::int64_t>};
  return kernels;
}

}  // namespace sscope::cpu
