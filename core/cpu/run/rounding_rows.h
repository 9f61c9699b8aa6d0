#pragma once
// Rows of sums in single precision that become integers, and single sums made again in double precision.

#include <array>
#include <cstddef>
#include <cstdint>

namespace sscope::cpu {

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

}  // namespace sscope::cpu
