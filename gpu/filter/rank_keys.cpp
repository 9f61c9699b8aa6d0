#include "gpu/filter/rank_keys.h"

#include <bit>
#include <cmath>
#include <limits>

#include "gpu/filter/context.h"

namespace sscope {

namespace {

// Negative numbers count downward.
template <class Key>
Key mirrored(Key bits) {
  return bits ^ (bits < 0 ? std::numeric_limits<Key>::max() : Key{0});
}

template <class Key, class Number>
std::int64_t numberKey(Number value, bool smallest) {
  if (std::isnan(value)) return smallest ? std::numeric_limits<Key>::min() : std::numeric_limits<Key>::max();
  return mirrored(std::bit_cast<Key>(value));
}

}  // namespace

std::string RankKeys::stored() const {
  if (isInteger(ordered)) return std::string(toString(ordered));
  return ordered == ElementType::f32 ? "i32" : "i64";
}

std::int64_t RankKeys::keyOf(double value) const {
  if (isInteger(ordered)) return static_cast<std::int64_t>(value);
  return ordered == ElementType::f32 ? numberKey<std::int32_t>(static_cast<float>(value), smallest)
                                     : numberKey<std::int64_t>(value, smallest);
}

void defineKeys(KernelSource& source, const RankKeys& keys, bool paired) {
  source.extra.emplace_back("rank_keys.h");
  const bool integer = isInteger(keys.ordered), wide = keys.bytes() == 8;
  source.define("ORDERED_INTEGER", integer ? 1 : 0);
  source.define("STORED", keys.stored());
  source.define("WORD", wide ? "i64" : paired || keys.ordered == ElementType::u32 ? "u32" : "i32");
  source.define("PAIRED", paired ? 1 : 0);
  source.define("PAIRED_SIGNED", keys.ordered == ElementType::i16 ? 1 : 0);
  source.define("UNSIGNED", wide ? "u64" : "u32");
  source.define("SMALLEST", keys.smallest ? 1 : 0);
  if (integer) return;
  source.define("NUMBER", std::string(toString(keys.ordered)));
  source.define("NUMBER_BYTES", keys.bytes());
}

void defineRankStore(KernelSource& source, const RankKeys& keys, ElementType output) {
  if (isInteger(keys.ordered)) {
    source.define("OUT", std::string(toString(output)));
    source.define("OUT_INTEGER", isInteger(output) ? 1 : 0);
    source.define("OUT_HOLDS_KEYS", output == keys.ordered ? 1 : 0);
    if (isInteger(output)) {
      source.define("OUT_FIRST", "(" + std::to_string(static_cast<std::int64_t>(lowestOf(output))) + "L)");
      source.define("OUT_LAST", std::to_string(static_cast<std::int64_t>(highestOf(output))) + "L");
    }
  } else {
    defineStore(source, output, false, false);
  }
  source.extra.emplace_back("rank_store.h");
}

Precision storePrecision(const FilterWorkload& workload) {
  return isInteger(workload.orderedAs()) ? Precision::f32 : workload.precision();
}

}  // namespace sscope
