// Converts keys to elements of the output; included after rank_keys.h.
//
// Defined before: OUT, OUT_INTEGER, of integer keys OUT_HOLDS_KEYS (1: every key is an element of the output) and else
// OUT_FIRST and OUT_LAST (its range), of other keys what filter_store.h needs.
#if !ORDERED_INTEGER
FUNCTION OUT element_of(ONE key, u32* lost) { return rounded_element((REAL)NUMBER_OF(mirrored(key)), lost); }
#elif OUT_INTEGER && !OUT_HOLDS_KEYS
FUNCTION OUT element_of(ONE key, u32* lost) {
  const i64 value = (i64)key, inside = value < OUT_FIRST ? OUT_FIRST : value > OUT_LAST ? OUT_LAST : value;
  *lost += value != inside ? 1 : 0;
  return (OUT)inside;
}
#else
FUNCTION OUT element_of(ONE key, u32* lost) { return (OUT)key; }
#endif
