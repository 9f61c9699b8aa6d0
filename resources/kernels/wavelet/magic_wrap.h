// Shared by the kernels of the magic filter. Defined before: TAPS (their number), BAKED_TAPS (their values), FIRST (the
// first input element of output 0, usually negative), MODULO (1: an axis is so short that positions may wrap around it
// more than once).
CONSTANT_TABLE REAL taps[TAPS] = {BAKED_TAPS};

// Wraps a position to 0 .. extent - 1.
FUNCTION i32 wrapped(i32 at, i32 extent) {
#if MODULO
  at %= extent;
  return at < 0 ? at + extent : at;
#else
  return at < 0 ? at + extent : at >= extent ? at - extent : at;
#endif
}
