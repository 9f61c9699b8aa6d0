#pragma once
// The inner loops of the CPU engines, compiled once per instruction set, as a table of functions.

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/cpu/run/simd_level.h"
#include "core/volume/element_type.h"

namespace sscope::cpu {

// Rows of sums in single precision that become integers, and single sums made again in double precision.

// Values of one row, kMostInRow at most at a time.
struct RoundingRow {
  const float* from = nullptr;
  std::int64_t fromStride = 1;  // in elements, as toStride
  std::byte* to = nullptr;
  std::int64_t toStride = 1;
  std::int64_t count = 0;
  // A sum s lies within relative * s + absolute of the true one. Where sums may be negative, `relative` is zero.
  float relative = 0, absolute = 0;
  std::int32_t* doubtful = nullptr;  // of count elements: positions whose integer the error may change
};
inline constexpr std::int64_t kMostInRow = 512;

struct RoundedRow {
  std::int64_t saturated = 0, doubtful = 0;  // the doubtful ones are not counted as saturated
};

// Sum of taps times the elements around one output.
struct PointSum {
  const std::byte* source = nullptr;  // element (0, 0, 0) of the component
  std::array<std::int64_t, 3> sourceStride{};
  std::array<const std::int64_t*, 3> sourceIndex{};  // of the first tap on; -1 outside
  std::array<std::int64_t, 3> size{1, 1, 1};
  bool insideAlongX = false;     // the indices along x are consecutive
  double constant = 0;           // the value outside
  const double* taps = nullptr;  // x fastest, then y, then z
};

// Sums over rows and planes of taps times elements, for neighboring elements of a row: two passes around one output.
struct ColumnSums {
  const std::byte* source = nullptr;                 // the first element of row and plane 0
  std::array<std::int64_t, 2> sourceStride{};        // of rows and planes, in elements
  std::array<const std::int64_t*, 2> sourceIndex{};  // of the first tap on; rows and planes at -1 are left out
  std::array<std::int64_t, 2> size{1, 1};            // taps
  std::array<const double*, 2> taps{};
  std::int64_t count = 0;
  double* sums = nullptr;  // of count elements
};

// out[row][x] (+)= sum over k, j, i of taps(k, j, i) * in[k * inPlane + (row + j) * inRow + x + i * tapDistance]: a
// block of dense correlation, and with two of the tap counts 1 a pass along one axis. Strides count elements.
template <class T>
struct Correlation {
  const T* in = nullptr;
  std::int64_t inRow = 0, inPlane = 0;
  T* out = nullptr;
  std::int64_t outRow = 0;
  std::int64_t rows = 0, vectors = 0;  // whole vectors: rows of `out` and `in` must be padded accordingly
  const T* taps = nullptr;             // j fastest, then i, then k
  std::int64_t kx = 1, ky = 1, kz = 1;
  std::int64_t tapDistance = 1;  // between neighboring taps along x: as many as there are interleaved components
  bool accumulate = false;       // add to `out` instead of replacing it
  // Memory that will be read soon, prefetched block by block during the computation: to element (row, x) of `out`
  // belong the addresses prefetch + (row * prefetchRows + i) * prefetchRow + x * prefetchElement (bytes), i <
  // prefetchRows. Null for none.
  const std::byte* prefetch = nullptr;
  std::int64_t prefetchRow = 0, prefetchElement = 0, prefetchRows = 1;
};

// Prefetches the memory of a block of rows at (row, x), counted in those of `prefetch`, into the second-level cache.
template <class Job>
inline void prefetchBlock(const Job& job, std::int64_t row, std::int64_t x, std::int64_t rows, std::int64_t elements) {
  const std::byte* at = job.prefetch + row * job.prefetchRow + x * job.prefetchElement;
  for (std::int64_t r = 0; r < rows; ++r, at += job.prefetchRow)
    for (std::int64_t b = 0; b < elements * job.prefetchElement; b += 64) __builtin_prefetch(at + b, 0, 2);
}

// out[row][x] = sum over j of tap * in[(row + j) * inRow + x]: a pass along y or z whose taps are equal. Strides count
// elements.
template <class T>
struct EqualSum {
  const T* in = nullptr;
  std::int64_t inRow = 0;
  T* out = nullptr;
  std::int64_t outRow = 0;
  std::int64_t rows = 0, vectors = 0;  // whole vectors, as in Correlation
  std::int64_t taps = 1;
  T tap = 0;
  // Rows are summed in blocks of `taps` that lie where they do in the volume, or else the last bits of sums would
  // depend on where a tile begins: row 0 of `in` is row `phase` of its block.
  std::int64_t phase = 0;
  T* buffer = nullptr;  // of min(rows, taps) * kEqualSumBytes bytes, aligned to vectors
  // As Correlation's, but (row, x) of `in`.
  const std::byte* prefetch = nullptr;
  std::int64_t prefetchRow = 0, prefetchElement = 0;
};
inline constexpr std::int64_t kEqualSumBytes = 256;

// out[row][x] (+)= sum over i < taps of tap * in[row * inRow + x + i * tapDistance]: a pass along x whose taps are
// equal, as sums of `first` neighbors and sums of those.
template <class T>
struct EqualColumnSum {
  const T* in = nullptr;
  std::int64_t inRow = 0;
  T* out = nullptr;
  std::int64_t outRow = 0;
  std::int64_t rows = 0, vectors = 0;               // whole vectors, as in Correlation; up to one more is read
  std::int64_t first = 1, firsts = 1, singles = 0;  // taps = first * firsts + singles
  std::int64_t tapDistance = 1;
  T tap = 0;
  bool accumulate = false;
  T* buffer = nullptr;  // of vectors and first * (firsts - 1) * tapDistance elements in whole vectors, aligned to them
};

// EqualSum plane by plane, for planes that come one after the other: whole vectors of each.
template <class T>
struct EqualPlanes {
  T* planes = nullptr;  // of one block, `stride` elements apart
  std::int64_t stride = 0, vectors = 0;
  T tap = 0;
  T* prefix = nullptr;  // sum of the block's planes so far
  T* out = nullptr;
};

// out[row][x] = sum over k, j, i of taps(k, j, i) * in[k * inPlane + (row + j) * inRow + x + i * tapDistance], where
// taps are mirror-symmetric along x, y or both: values that meet the same tap are added first (x), and sums with the
// same taps are made once for two outputs (y).
template <class T>
struct FoldedSum {
  const T* in = nullptr;
  std::int64_t inRow = 0, inPlane = 0, planes = 1;
  T* out = nullptr;
  std::int64_t outRow = 0;
  std::int64_t rows = 0, vectors = 0;  // whole vectors, as in Correlation
  std::int64_t kx = 1, ky = 1, tapDistance = 1;
  bool mirroredX = false;
  std::int64_t distinct = 1;  // rows of taps: ky, or the upper half of them and the middle one
  std::int64_t group = 1;     // rows of taps whose sums are held at once, at most PrecisionKernels::foldedRows
  const T* taps = nullptr;    // rows of a group fastest, then the taps of the left half and the middle, planes, groups
  T* sums = nullptr;          // ky * kFoldedBytes bytes
  // As Correlation's, a row for each of `out`.
  const std::byte* prefetch = nullptr;
  std::int64_t prefetchRow = 0, prefetchElement = 0;
};
inline constexpr std::int64_t kFoldedBytes = 256;
// Values are folded at a quarter of their size, so that no sum of four overflows; taps are four times as large.
inline constexpr double kFoldedScale = 0.25;

// Copies a box of the input to a tile in the arithmetic type, applying the boundary rule.
struct PackJob {
  const std::byte* source = nullptr;                 // element (0, 0, 0) of the component
  std::array<std::int64_t, 3> sourceStride{};        // in elements, per axis of the tile
  std::array<const std::int64_t*, 3> sourceIndex{};  // per axis and position: source index, or -1 outside
  std::array<std::int64_t, 3> extent{};              // of the tile
  std::int64_t interiorBegin = 0, interiorEnd = 0;   // x positions with consecutive source indices
  double constant = 0;                               // the value outside
  // Of tiles whose rows hold all components of a voxel side by side, where memory does not: then source indices along x
  // count the values of a row, and the components lie componentStride apart.
  std::int64_t components = 1, componentStride = 0;
  void* tile = nullptr;
  std::int64_t tileRow = 0, tilePlane = 0;  // strides; a row is padded with zeros up to tileRow
};

// Converts a tile to the output type, rounding and saturating integers.
struct StoreJob {
  const void* tile = nullptr;
  std::int64_t tileRow = 0, tilePlane = 0;
  std::byte* target = nullptr;
  std::array<std::int64_t, 3> targetStride{};
  std::array<std::int64_t, 3> extent{};
  // As PackJob's; then `target` is the first value of a row, and the job begins with value firstValue.
  std::int64_t components = 1, componentStride = 0, firstValue = 0;
  bool streaming = false;  // use non-temporal stores where possible
};

// A row of outputs, computed one by one directly from the input.
inline constexpr std::int64_t kMostNaiveFilters = 256;
template <class T>
struct NaiveJob {
  PackJob from;                               // indices begin at the first output's first tap; tile and extent unused
  std::array<std::int64_t, 3> size{1, 1, 1};  // taps along each axis
  std::int64_t filters = 1;                   // at most kMostNaiveFilters
  const T* taps = nullptr;                    // filters fastest, then x, y, z
  std::int64_t count = 0;                     // outputs
  T* out = nullptr;                           // a row per filter, outFilter elements apart
  std::int64_t outFilter = 0;
};

template <class T>
struct PrecisionKernels {
  SimdLevel level = SimdLevel::Scalar;
  std::int64_t lanes = 1;
  void (*correlate)(const Correlation<T>&) = nullptr;
  void (*sumEqual)(const EqualSum<T>&) = nullptr;
  void (*sumEqualColumns)(const EqualColumnSum<T>&) = nullptr;
  // prefix += tap * planes[at]; out = prefix + planes[at + 1] unless `out` is null.
  void (*addEqualPlane)(const EqualPlanes<T>&, std::int64_t at) = nullptr;
  // planes[at] = sum over k in at .. last of tap * planes[k], for at = last .. first.
  void (*sumEqualBlock)(const EqualPlanes<T>&, std::int64_t first, std::int64_t last) = nullptr;
  std::int64_t foldedRows = 1;
  void (*sumFolded)(const FoldedSum<T>&) = nullptr;
  // out = kFoldedScale * (first + second), or without `second` where that is null.
  void (*foldPlanes)(const T* first, const T* second, T* out, std::int64_t vectors) = nullptr;
  // Indexed by the input's element type.
  std::array<void (*)(const PackJob&), 8> pack{};
  // Indexed by the output's element type; give the number of saturated elements.
  std::array<std::int64_t (*)(const StoreJob&), 8> store{};
  // Indexed by the input's element type.
  std::array<void (*)(const NaiveJob<T>&), 8> naive{};
  // Register-only multiply-adds: `rounds` times a block, for the measured ceiling. Returns the number of operations and
  // writes a value that depends on all of them.
  double (*multiplyAdd)(std::int64_t rounds, T* sink) = nullptr;
};

struct KernelTable {
  PrecisionKernels<float> f32;
  PrecisionKernels<double> f64;
  // 8-bit images with integer taps: exact sums and their rounding (SoupWorkload).
  void (*naiveSoup)(const NaiveJob<std::int32_t>&) = nullptr;
  void (*roundSums)(const std::int32_t* sums, std::int64_t count, float scale, std::uint8_t* out,
                    std::int64_t stride) = nullptr;
  // Sums of 8-bit elements that become integers of 8 or 16 bits, by the output's and by the input's element type.
  std::array<RoundedRow (*)(const RoundingRow&), 4> roundRow{};
  std::array<double (*)(const PointSum&), 2> sumPoint{};
  std::array<void (*)(const ColumnSums&), 2> sumColumns{};  // by the input's
  void (*sumFloatColumns)(const ColumnSums&) = nullptr;
  // Makes streamed stores visible to other threads.
  void (*finishStreaming)() = nullptr;
  // Copies 4-byte elements with non-temporal stores; both pointers aligned to 64 bytes, count a multiple of 64.
  void (*copy)(const float* from, float* to, std::int64_t count) = nullptr;
  // As multiplyAdd, of integers: 16 bits wide, two products to a sum of 32 bits, where there are vectors.
  double (*multiplyAddIntegers)(std::int64_t rounds, std::int32_t* sink) = nullptr;

  template <class T>
  [[nodiscard]] const PrecisionKernels<T>& of() const {
    if constexpr (sizeof(T) == 4) {
      return f32;
    } else {
      return f64;
    }
  }
};

// The table of a level for which absentReason() is empty.
[[nodiscard]] const KernelTable& kernelTable(SimdLevel level);
// The kernels of cpu:scalar, in plain C++ with vectorization disabled.
[[nodiscard]] const KernelTable& scalarKernels();

}  // namespace sscope::cpu
