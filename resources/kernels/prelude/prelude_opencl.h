// The language of the kernels, for OpenCL C. prelude_cuda.h defines the same names for CUDA C++.
//
// Must be defined before this file: GROUP_X, GROUP_Y, GROUP_Z (shape of a work-group), VEC (elements of a vector: 1, 2,
// 3, 4, 8 or 16), REAL (f32 or f64, the type of the arithmetic), REAL_BUILTIN (float or double), FP64 (1 if the device
// has doubles), FUSED (1 if fma is a machine instruction).
// MOST_REGISTERS (optional): NVIDIA's compiler uses at most this many registers per work item, so that several groups
// fit on a compute unit.
#if FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
// Sums must not depend on the kernel or tile that computes them, so the compiler must not contract a * b + c.
#pragma OPENCL FP_CONTRACT OFF

#define KERNEL __kernel __attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, GROUP_Z)))
#define FUNCTION static inline
#define GLOBAL __global
#define LOCAL __local
#define CONSTANT __constant
#define CONSTANT_TABLE __constant
// LOCAL_POINTER(type) is a pointer into local memory. For local memory whose size is set at launch,
// DYNAMIC_LOCAL_PARAMETER follows the kernel's last parameter, without a comma, and DYNAMIC_LOCAL(type) is a pointer to
// it.
#define LOCAL_POINTER(type) __local type*
#define DYNAMIC_LOCAL_PARAMETER , __local uchar16* dynamic_local
#define DYNAMIC_LOCAL(type) ((__local type*)dynamic_local)
#define RESTRICT restrict
// Used between struct and its braces; `bytes` is a power of two.
#define ALIGNED_TO(bytes) __attribute__((aligned(bytes)))
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
// Keeps a compiler from computing a pointer anew for each of its uses.
#define COMPUTED_HERE(pointer)
#define GLOBAL_ID(axis) ((i32)get_global_id(axis))
#define LOCAL_ID(axis) ((i32)get_local_id(axis))
#define GROUP_ID(axis) ((i32)get_group_id(axis))
#define ATOMIC_ADD(pointer, value) atomic_add(pointer, value)

typedef uchar u8;
typedef char i8;
typedef ushort u16;
typedef short i16;
typedef uint u32;
typedef int i32;
typedef ulong u64;
typedef long i64;
typedef float f32;
#if FP64
typedef double f64;
#endif

// Reinterpret bits as another type.
#define AS_I32(number) as_int(number)
#define AS_F32(bits) as_float(bits)
#define AS_I64(number) as_long(number)
#define AS_F64(bits) as_double(bits)

// Adds to a 64-bit counter made of two words, low word first, because few devices have 64-bit atomics.
FUNCTION void count_lost(GLOBAL u32* counter, u32 lost) {
  if (lost == 0) return;
  const u32 before = ATOMIC_ADD(counter, lost);
  if (before + lost < before) ATOMIC_ADD(counter + 1, (u32)1);
}

// Images (DeviceImage) and their elements at integer coordinates; outside, the nearest element of the image.
#ifdef __IMAGE_SUPPORT__
__constant sampler_t nearest_element = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
#define IMAGE2D __read_only image2d_t
#define IMAGE_U8(image, column, row) ((u8)read_imageui(image, nearest_element, (int2)(column, row)).x)
#define IMAGE_F32(image, column, row) (read_imagef(image, nearest_element, (int2)(column, row)).x)
#endif

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define TEXT_OF_(a) #a
#define TEXT_OF(a) TEXT_OF_(a)

// DOT4: sum plus the dot product of four unsigned and four signed bytes. ROUND_U8: rounds to nearest, ties to even, and
// clamps to 0..255. WORDS_LOAD(n) and WORDS_STORE(n) move n = 4, 8 or 16 bytes at addresses that are multiples of n.
#ifdef __NV_CL_C_VERSION
FUNCTION i32 DOT4(u32 bytes, i32 weights, i32 sum) {
  i32 result;
  asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(bytes), "r"(weights), "r"(sum));
  return result;
}
#else
FUNCTION i32 DOT4(u32 bytes, i32 weights, i32 sum) {
  return sum + (i32)(bytes & 255) * (weights << 24 >> 24) + (i32)(bytes >> 8 & 255) * (weights << 16 >> 24) +
         (i32)(bytes >> 16 & 255) * (weights << 8 >> 24) + (i32)(bytes >> 24) * (weights >> 24);
}
#endif
#define ROUND_U8(value) ((u32)convert_uchar_sat_rte(value))
#define WORDS_LOAD(bytes) PASTE(words_load_, bytes)
#define WORDS_STORE(bytes) PASTE(words_store_, bytes)
FUNCTION void words_load_4(u32* words, __global const u8* from) { words[0] = *(__global const u32*)from; }
FUNCTION void words_load_8(u32* words, __global const u8* from) {
  const uint2 v = *(__global const uint2*)from;
  words[0] = v.x, words[1] = v.y;
}
FUNCTION void words_load_16(u32* words, __global const u8* from) {
  const uint4 v = *(__global const uint4*)from;
  words[0] = v.x, words[1] = v.y, words[2] = v.z, words[3] = v.w;
}
FUNCTION void words_store_4(const u32* words, __global u8* to) { *(__global u32*)to = words[0]; }
FUNCTION void words_store_8(const u32* words, __global u8* to) { *(__global uint2*)to = (uint2)(words[0], words[1]); }
FUNCTION void words_store_16(const u32* words, __global u8* to) {
  *(__global uint4*)to = (uint4)(words[0], words[1], words[2], words[3]);
}

// `top`, whose last three bytes are 0, over the `count` (1 or 2) bytes of a word from byte `from` on.
#define BYTES_UNDER(top, word, from, count) ((top) | (((word) >> 8 * (from)) & (((u32)1 << 8 * (count)) - 1)))

// Multiply-adds: FMA of scalars, VFMA of a scalar and vectors (scalar * vector + vector), VVFMA of vectors.
#if FUSED
#define FMA(a, b, c) fma(a, b, c)
#else
#define FMA(a, b, c) ((a) * (b) + (c))
#endif

// EXP2(x) is 2^x for x <= 0; of f32 with a relative error of at most 2^-22 on graphics processors.
#ifdef __NV_CL_C_VERSION
FUNCTION f32 exp2_of(f32 x) {
  f32 result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}
#define EXP2(x) (sizeof(REAL) == 4 ? (REAL)exp2_of((f32)(x)) : (REAL)exp2((REAL)(x)))
#else
#define EXP2(x) exp2(x)
#endif

// Launches of OpenCL do not overlap.
#define AFTER_PREVIOUS
#define NEXT_MAY_START

// ASYNC_COPY(elements, to, from) copies adjacent elements of type REAL, aligned to their total size, from global to
// local memory. A work item may read its own copies after ASYNC_COMMIT and ASYNC_WAIT, and those of others after a
// BARRIER, too. If ASYNC is 1 (NVIDIA devices of capability 8 and later; 4, 8 or 16 bytes), copies do not block before
// ASYNC_WAIT.
#if ASYNC
#define ASYNC_COPY(elements, to, from) PASTE(async_copy_, elements)((u32)(size_t)(to), (u64)(size_t)(from))
#define ASYNC_COMMIT asm volatile("cp.async.commit_group;" ::: "memory")
#define ASYNC_WAIT(commits) asm volatile("cp.async.wait_group " TEXT_OF(commits) ";" ::: "memory")
FUNCTION void async_copy_1(u32 to, u64 from) {
  if (sizeof(REAL) == 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to), "l"(from) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from) : "memory");
}
FUNCTION void async_copy_2(u32 to, u64 from) {
  if (sizeof(REAL) == 8)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to), "l"(from) : "memory");
}
FUNCTION void async_copy_4(u32 to, u64 from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}
#else
#define ASYNC_COPY(elements, to, from) \
  for (i32 copied = 0; copied < (elements); ++copied) (to)[copied] = (from)[copied]
#define ASYNC_COMMIT
#define ASYNC_WAIT(commits)
#endif

// VEC adjacent elements as one value: VLOAD converts to REAL, VSTORE stores REAL, VSTORE_AS converts to `type`.
// VLOAD_ALIGNED and VSTORE_ALIGNED take REAL at addresses aligned to a whole vector and use the widest accesses.
// VINSIDE counts the elements in low..high, both included; VZERO_NAN replaces NaN by 0.
#if VEC == 1
typedef REAL VREAL;
#define VLOAD(pointer) ((REAL) * (pointer))
#define VSTORE(value, pointer) (*(pointer) = (value))
#define VSTORE_AS(type, value, pointer) (*(pointer) = (type)(value))
#define VINSIDE(value, low, high) ((value) >= (low) && (value) <= (high) ? 1 : 0)
#define VZERO_NAN(value) ((value) == (value) ? (value) : (REAL)0)
#else
typedef PASTE(REAL_BUILTIN, VEC) VREAL;
#define VLOAD(pointer) PASTE(convert_, PASTE(REAL_BUILTIN, VEC))(PASTE(vload, VEC)(0, pointer))
#define VSTORE(value, pointer) PASTE(vstore, VEC)(value, 0, pointer)
#define VSTORE_AS(type, value, pointer) \
  PASTE(vstore, VEC)(PASTE(convert_, PASTE(PASTE(BUILTIN_, type), VEC))(value), 0, pointer)
#define BUILTIN_u8 uchar
#define BUILTIN_i8 char
#define BUILTIN_u16 ushort
#define BUILTIN_i16 short
#define BUILTIN_u32 uint
#define BUILTIN_i32 int
#define BUILTIN_f32 float
#define BUILTIN_f64 double
#define SUM2_(v) ((v).lo + (v).hi)
#define SUM3_(v) ((v).s0 + (v).s1 + (v).s2)
#define SUM4_(v) SUM2_((v).lo + (v).hi)
#define SUM8_(v) SUM4_((v).lo + (v).hi)
#define SUM16_(v) SUM8_((v).lo + (v).hi)
FUNCTION i32 VINSIDE(VREAL value, REAL low, REAL high) {
  const VREAL inside = select((VREAL)((REAL)0), (VREAL)((REAL)1), (value >= (VREAL)low) & (value <= (VREAL)high));
  return (i32)PASTE(PASTE(SUM, VEC), _)(inside);
}
#define VZERO_NAN(value) select(VALL((REAL)0), value, (value) == (value))
#endif
#define VLOAD_ALIGNED(pointer) (*(GLOBAL const VREAL*)(pointer))
#define VSTORE_ALIGNED(value, pointer) (*(GLOBAL VREAL*)(pointer) = (value))
// VSTORE_ALIGNED that bypasses the caches, if the language has such stores.
#define VSTORE_STREAM(value, pointer) VSTORE_ALIGNED(value, pointer)
#define VALL(scalar) ((VREAL)(scalar))
#define VFMA(scalar, vector, sum) FMA(VALL(scalar), vector, sum)
#define VVFMA(a, b, sum) FMA(a, b, sum)
#define VADD(a, b) ((a) + (b))
#define VFLOOR(value) floor(value)
#define VCLAMP(value, low, high) fmin(fmax(value, VALL(low)), VALL(high))
