// What filter_fused.kernel reads of fetched planes in local memory to filter along x: a Window of LANES adjacent
// elements, STORED as in the source (RAW, see there) or as REAL; included after a prelude.
#define ELEMENT(vector, index) (((REAL*)&(vector))[index])
#if RAW
#define STORED IN
#define LANES (8 / BYTES_IN)
typedef struct ALIGNED_TO(8) {
  u32 word[2];
} Window;
#define WINDOW_AT(pointer) (*(LOCAL_POINTER(const Window))(pointer))
// Conversions are slow: small integers in the low bits of a power of two are added to it, and a subtraction of the
// power gives their value.
#define BITS_IN (8 * BYTES_IN)
#define SIGN_IN ((IN)-1 < (IN)0 ? (u32)1 << (BITS_IN - 1) : (u32)0)  // inverted, signed numbers are in order
FUNCTION REAL window_lane(Window window, i32 lane) {
  const i32 from = lane * BYTES_IN % 4;
  const u32 word = window.word[lane * BYTES_IN / 4] ^ (SIGN_IN << 8 * from);
#if WIDE
  return AS_F64(((i64)0x43300000 << 32) | (i64)BYTES_UNDER((u32)0, word, from, BYTES_IN)) -
         (4503599627370496.0 + (f64)SIGN_IN);
#else
  return AS_F32((i32)BYTES_UNDER((u32)0x4b000000, word, from, BYTES_IN)) - (8388608.0f + (f32)SIGN_IN);
#endif
}
#else
#define STORED REAL
#define LANES VEC
#define Window VREAL
#define WINDOW_AT(pointer) (*(LOCAL_POINTER(const VREAL))(pointer))
#define window_lane(window, lane) ELEMENT(window, lane)
#endif
