// Keys of order statistics, which are compared as integers; included after a prelude.
//
// Defined before: ORDERED_INTEGER (1: keys are the integers themselves; 0: numbers as integers in the same order, and
// NUMBER is their type, f32 or f64), STORED (type of a key in memory), WORD (in registers), UNSIGNED (as wide as WORD),
// SMALLEST (1: NaN is the smallest key, for minima; 0: the largest), PAIRED (1: WORD is u32 and holds the keys
// of two outputs as halves, u16 or, where PAIRED_SIGNED, i16; in CUDA alone, where one instruction compares both).
#if PAIRED
#define ONE i32
#else
#define ONE WORD  // a key by itself
#endif
#if !ORDERED_INTEGER
#if NUMBER_BYTES == 8
#define BITS_OF(number) AS_I64(number)
#define NUMBER_OF(bits) AS_F64(bits)
#define MOST_KEY 0x7fffffffffffffffL
#else
#define BITS_OF(number) AS_I32(number)
#define NUMBER_OF(bits) AS_F32(bits)
#define MOST_KEY 0x7fffffff
#endif
#if SMALLEST
#define NAN_KEY (-MOST_KEY - 1)
#else
#define NAN_KEY MOST_KEY
#endif
// Turns bits into a key and back: reverses the order of negative numbers. Unlike small floating-point numbers, integers
// are never flushed to zero.
FUNCTION WORD mirrored(WORD bits) { return bits ^ (bits >> (NUMBER_BYTES * 8 - 1) & MOST_KEY); }
#endif

#if PAIRED && PAIRED_SIGNED
FUNCTION WORD smaller(WORD a, WORD b) { return __vmins2(a, b); }
FUNCTION WORD larger(WORD a, WORD b) { return __vmaxs2(a, b); }
#elif PAIRED
FUNCTION WORD smaller(WORD a, WORD b) { return __vminu2(a, b); }
FUNCTION WORD larger(WORD a, WORD b) { return __vmaxu2(a, b); }
#else
FUNCTION WORD smaller(WORD a, WORD b) { return a < b ? a : b; }
FUNCTION WORD larger(WORD a, WORD b) { return a < b ? b : a; }
#endif
#define SORT(low, high)                    \
  {                                        \
    const WORD lower = smaller(low, high); \
    high = larger(low, high);              \
    low = lower;                           \
  }
