// The language of the kernels, for CUDA C++ (NVRTC). prelude_opencl.h defines the same names for OpenCL C, documents
// them, and lists what must be defined before this file.
// LEAST_GROUPS (optional): the number of groups that must fit on a compute unit at once, which limits registers.
#ifdef LEAST_GROUPS
#define KERNEL extern "C" __global__ __launch_bounds__(GROUP_X* GROUP_Y* GROUP_Z, LEAST_GROUPS)
#else
#define KERNEL extern "C" __global__ __launch_bounds__(GROUP_X* GROUP_Y* GROUP_Z)
#endif
#define FUNCTION [[maybe_unused]] static __device__ __forceinline__
#define GLOBAL
#define LOCAL __shared__
// Pointer arguments: read-only global memory. Tables in the source: constant memory.
#define CONSTANT
#define CONSTANT_TABLE static __constant__ const
extern __shared__ uint4 dynamic_local_memory[];
#define LOCAL_POINTER(type) type*
#define DYNAMIC_LOCAL_PARAMETER
#define DYNAMIC_LOCAL(type) (reinterpret_cast<type*>(dynamic_local_memory))
#define RESTRICT __restrict__
// NVRTC ignores an attribute behind the structure.
#define ALIGNED_TO(bytes) alignas(bytes)
#define BARRIER __syncthreads()
#define COMPUTED_HERE(pointer) pointer = computed_here(pointer)
template <class T>
FUNCTION T* computed_here(T* pointer) {
  size_t address = __cvta_generic_to_global(pointer);
  asm("" : "+l"(address));
  return (T*)__cvta_global_to_generic(address);
}
#define AXIS_OF_(variable, axis) ((axis) == 0 ? variable.x : (axis) == 1 ? variable.y : variable.z)
#define GLOBAL_ID(axis) ((i32)(AXIS_OF_(blockIdx, axis) * AXIS_OF_(blockDim, axis) + AXIS_OF_(threadIdx, axis)))
#define LOCAL_ID(axis) ((i32)AXIS_OF_(threadIdx, axis))
#define GROUP_ID(axis) ((i32)AXIS_OF_(blockIdx, axis))
#define ATOMIC_ADD(pointer, value) atomicAdd(pointer, value)

typedef unsigned char u8;
typedef signed char i8;
typedef unsigned short u16;
typedef short i16;
typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
typedef float f32;
typedef double f64;

#define AS_I32(number) __float_as_int(number)
#define AS_F32(bits) __int_as_float(bits)
#define AS_I64(number) __double_as_longlong(number)
#define AS_F64(bits) __longlong_as_double(bits)

// Adds to a 64-bit counter made of two words, low word first, because few devices have 64-bit atomics.
FUNCTION void count_lost(GLOBAL u32* counter, u32 lost) {
  if (lost == 0) return;
  const u32 before = ATOMIC_ADD(counter, lost);
  if (before + lost < before) ATOMIC_ADD(counter + 1, (u32)1);
}

// The center of texel i is at i + 0.5.
#define IMAGE2D cudaTextureObject_t
#define IMAGE_U8(image, column, row) tex2D<u8>(image, (column) + 0.5f, (row) + 0.5f)
#define IMAGE_F32(image, column, row) tex2D<f32>(image, (column) + 0.5f, (row) + 0.5f)

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define TEXT_OF_(a) #a
#define TEXT_OF(a) TEXT_OF_(a)

FUNCTION i32 DOT4(u32 bytes, i32 weights, i32 sum) {
  i32 result;
  asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(bytes), "r"(weights), "r"(sum));
  return result;
}
FUNCTION u32 ROUND_U8(f32 value) {
  u32 result;
  asm("cvt.rni.sat.u8.f32 %0, %1;" : "=r"(result) : "f"(value));
  return result;
}
#define WORDS_LOAD(bytes) PASTE(words_load_, bytes)
#define WORDS_STORE(bytes) PASTE(words_store_, bytes)
FUNCTION void words_load_4(u32* words, const u8* from) { words[0] = *reinterpret_cast<const u32*>(from); }
FUNCTION void words_load_8(u32* words, const u8* from) {
  const uint2 v = *reinterpret_cast<const uint2*>(from);
  words[0] = v.x, words[1] = v.y;
}
FUNCTION void words_load_16(u32* words, const u8* from) {
  const uint4 v = *reinterpret_cast<const uint4*>(from);
  words[0] = v.x, words[1] = v.y, words[2] = v.z, words[3] = v.w;
}
FUNCTION void words_store_4(const u32* words, u8* to) { *reinterpret_cast<u32*>(to) = words[0]; }
FUNCTION void words_store_8(const u32* words, u8* to) {
  *reinterpret_cast<uint2*>(to) = make_uint2(words[0], words[1]);
}
FUNCTION void words_store_16(const u32* words, u8* to) {
  *reinterpret_cast<uint4*>(to) = make_uint4(words[0], words[1], words[2], words[3]);
}

#define BYTES_UNDER(top, word, from, count) \
  __byte_perm(word, top, (count) == 1 ? 0x7440 | (from) : 0x7400 | ((from) + 1) << 4 | (from))

#define FMA(a, b, c) fma(a, b, c)

FUNCTION f32 EXP2(f32 x) {
  f32 result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}
FUNCTION f64 EXP2(f64 x) { return exp2(x); }

// Consecutive launches may overlap: code before AFTER_PREVIOUS may run while the previous launch is still running and
// must not touch memory that it reads or writes. NEXT_MAY_START allows the next launch to begin as soon as there is
// room.
#if __CUDA_ARCH__ >= 900
#define AFTER_PREVIOUS asm volatile("griddepcontrol.wait;" ::: "memory")
#define NEXT_MAY_START asm volatile("griddepcontrol.launch_dependents;" ::: "memory")
#else
#define AFTER_PREVIOUS
#define NEXT_MAY_START
#endif

#if ASYNC
#define ASYNC_COPY(elements, to, from) async_copy<(elements) * sizeof(REAL)>(to, from)
#define ASYNC_COMMIT asm volatile("cp.async.commit_group;" ::: "memory")
#define ASYNC_WAIT(commits) asm volatile("cp.async.wait_group " TEXT_OF(commits) ";" ::: "memory")
template <int bytes>
FUNCTION void async_copy(REAL* to, const REAL* from) {
  const u32 place = (u32)__cvta_generic_to_shared(to);
  if (bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place), "l"(from) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(place), "l"(from), "n"(bytes) : "memory");
}
#else
#define ASYNC_COPY(elements, to, from) \
  for (i32 copied = 0; copied < (elements); ++copied) (to)[copied] = (from)[copied]
#define ASYNC_COMMIT
#define ASYNC_WAIT(commits)
#endif

#if VEC == 1
typedef REAL VREAL;
#define VLOAD(pointer) ((REAL) * (pointer))
#define VSTORE(value, pointer) (*(pointer) = (value))
#define VSTORE_AS(type, value, pointer) (*(pointer) = (type)(value))
#define VINSIDE(value, low, high) ((value) >= (low) && (value) <= (high) ? 1 : 0)
#define VZERO_NAN(value) ((value) == (value) ? (value) : (REAL)0)
#define VFLOOR(value) floor(value)
#define VCLAMP(value, low, high) fmin(fmax(value, (REAL)(low)), (REAL)(high))
#define VALL(scalar) ((REAL)(scalar))
#define VFMA(scalar, vector, sum) FMA((REAL)(scalar), vector, sum)
#define VVFMA(a, b, sum) FMA(a, b, sum)
#define VADD(a, b) ((a) + (b))
#define VLOAD_ALIGNED(pointer) VLOAD(pointer)
#define VSTORE_ALIGNED(value, pointer) VSTORE(value, pointer)
#define VSTORE_STREAM(value, pointer) VSTORE(value, pointer)
#else
// Vectors of three are aligned like one element, since three is not a power of two.
struct alignas(VEC == 3 ? sizeof(REAL) : VEC * sizeof(REAL) < 16 ? VEC * sizeof(REAL) : 16) VREAL {
  REAL lane[VEC];
};
FUNCTION VREAL VALL(REAL scalar) {
  VREAL v;
#pragma unroll
  for (i32 i = 0; i < VEC; ++i) v.lane[i] = scalar;
  return v;
}
template <class T>
FUNCTION VREAL VLOAD(const T* pointer) {
  VREAL v;
#pragma unroll
  for (i32 i = 0; i < VEC; ++i) v.lane[i] = (REAL)pointer[i];
  return v;
}
FUNCTION void VSTORE(const VREAL& value, REAL* pointer) {
#pragma unroll
  for (i32 i = 0; i < VEC; ++i) pointer[i] = value.lane[i];
}
FUNCTION VREAL VLOAD_ALIGNED(const REAL* pointer) { return *reinterpret_cast<const VREAL*>(pointer); }
// Bypasses the caches, for results that are not read again.
FUNCTION void VSTORE_STREAM(const VREAL& value, REAL* pointer) {
  if (sizeof(VREAL) == 16)
    __stcs(reinterpret_cast<float4*>(pointer), *reinterpret_cast<const float4*>(&value));
  else
    *reinterpret_cast<VREAL*>(pointer) = value;
}
FUNCTION void VSTORE_ALIGNED(const VREAL& value, REAL* pointer) { *reinterpret_cast<VREAL*>(pointer) = value; }
FUNCTION VREAL VFMA(REAL scalar, const VREAL& vector, VREAL sum) {
#pragma unroll
  for (i32 i = 0; i < VEC; ++i) sum.lane[i] = FMA(scalar, vector.lane[i], sum.lane[i]);
  return sum;
}
FUNCTION VREAL VVFMA(const VREAL& a, const VREAL& b, VREAL sum) {
#pragma unroll
  for (i32 i = 0; i < VEC; ++i) sum.lane[i] = FMA(a.lane[i], b.lane[i], sum.lane[i]);
  return sum;
}
FUNCTION VREAL VADD(const VREAL& a, VREAL b) {
#pragma unroll
  for (i32 i = 0; i < VEC; ++i) b.lane[i] += a.lane[i];
  return b;
}
FUNCTION VREAL VFLOOR(VREAL v) {
#pragma unroll
  for (i32 i = 0; i < VEC; ++i) v.lane[i] = floor(v.lane[i]);
  return v;
}
FUNCTION VREAL VCLAMP(VREAL v, REAL low, REAL high) {
#pragma unroll
  for (i32 i = 0; i < VEC; ++i) v.lane[i] = fmin(fmax(v.lane[i], low), high);
  return v;
}
FUNCTION VREAL VZERO_NAN(VREAL v) {
#pragma unroll
  for (i32 i = 0; i < VEC; ++i) v.lane[i] = v.lane[i] == v.lane[i] ? v.lane[i] : (REAL)0;
  return v;
}
FUNCTION i32 VINSIDE(const VREAL& v, REAL low, REAL high) {
  i32 count = 0;
#pragma unroll
  for (i32 i = 0; i < VEC; ++i) count += v.lane[i] >= low && v.lane[i] <= high ? 1 : 0;
  return count;
}
template <class T>
FUNCTION void store_as(const VREAL& value, T* pointer) {
#pragma unroll
  for (i32 i = 0; i < VEC; ++i) pointer[i] = (T)value.lane[i];
}
#define VSTORE_AS(type, value, pointer) store_as<type>(value, pointer)
#endif
