// What kernels are written against, for OpenCL C. prelude_cuda.h gives the same names to CUDA C++.
//
// Defined before this file: GROUP_X, GROUP_Y (work-group shape), VEC (elements a vector holds: 1 2 4 8 16), REAL (f32
// or f64, the type of the arithmetic), REAL_BUILTIN (float or double), FP64 (1 where doubles exist), FUSED (1 where fma
// is a machine instruction).
#if FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
// Sums must not depend on which kernel or tile computes them: nothing is contracted behind our back.
#pragma OPENCL FP_CONTRACT OFF

#define KERNEL __kernel __attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, 1)))
#define FUNCTION static inline
#define GLOBAL __global
#define LOCAL __local
#define CONSTANT __constant
#define CONSTANT_TABLE __constant
#define RESTRICT restrict
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
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

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)

// FMA and VFMA (scalar times vector plus vector).
#if FUSED
#define FMA(a, b, c) fma(a, b, c)
#else
#define FMA(a, b, c) ((a) * (b) + (c))
#endif

// VEC neighbors in memory as one value: VLOAD converts to REAL, VSTORE keeps REAL, VSTORE_AS converts to `type`.
// VINSIDE counts the elements within low..high; VZERO_NAN turns NaN into 0.
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
#define SUM4_(v) SUM2_((v).lo + (v).hi)
#define SUM8_(v) SUM4_((v).lo + (v).hi)
#define SUM16_(v) SUM8_((v).lo + (v).hi)
FUNCTION i32 VINSIDE(VREAL value, REAL low, REAL high) {
  const VREAL inside = select((VREAL)((REAL)0), (VREAL)((REAL)1), (value >= (VREAL)low) & (value <= (VREAL)high));
  return (i32)PASTE(PASTE(SUM, VEC), _)(inside);
}
#define VZERO_NAN(value) select(VALL((REAL)0), value, (value) == (value))
#endif
#define VALL(scalar) ((VREAL)(scalar))
#define VFMA(scalar, vector, sum) FMA(VALL(scalar), vector, sum)
#define VADD(a, b) ((a) + (b))
#define VFLOOR(value) floor(value)
#define VCLAMP(value, low, high) fmin(fmax(value, VALL(low)), VALL(high))
