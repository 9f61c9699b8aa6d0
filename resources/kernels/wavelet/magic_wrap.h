// What the kernels of the magic filter share. Defined before: TAPS, BAKED_TAPS, FIRST (of the input elements of output 0,
// counted from it), MODULO (1: an axis is so short that a position may lie more than once around it).
CONSTANT_TABLE REAL taps[TAPS] = {BAKED_TAPS};

// Periodic positions.
FUNCTION i32 wrapped(i32 at, i32 extent) {
#if MODULO
  at %= extent;
  return at < 0 ? at + extent : at;
#else
  return at < 0 ? at + extent : at >= extent ? at - extent : at;
#endif
}
