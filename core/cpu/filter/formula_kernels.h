#pragma once
// The steps of a formula over a block of some hundred values, compiled once per instruction set.

#include <array>
#include <cstdint>
#include <span>

#include "core/cpu/run/simd_level.h"
#include "core/filter/formula/formula_program.h"

namespace sscope::cpu {

// A link of a chain of steps: each reads the value of the link before, `v`, which stays in registers.
enum class ChainOp : std::uint8_t {
  Load,  // a
  Add,   // v + a
  Subtract,
  From,  // a - v
  Multiply,
  Square,
  DivideBy,
  DivideInto,  // a / v
  Min,
  Max,
  ProductAdd,   // a b + v
  ProductLess,  // a b - v
  LessProduct,  // v - a b
  ScaleAdd,     // v a + b
  ScaleLess,    // v a - b
  LessScaled,   // b - v a
  SquareAdd,    // v v + a
  Negate,
  Abs,
  Sqrt,
};
struct ChainLink {
  ChainOp op = ChainOp::Load;
  std::uint8_t uniform = 0;    // bit 0: a is one number for all values; bit 1: b
  std::uint16_t a = 0, b = 0;  // slots
};

struct FormulaInstruction {
  StepOp op = StepOp::Copy;                          // Position fills in voxel indices along x
  std::uint8_t uniform = 0;                          // bit i: operand i is one number for all values
  std::array<std::uint16_t, 6> from{};               // slots
  std::array<std::uint16_t, kMostStepResults> to{};  // resultsOf() of them
  std::uint32_t firstLink = 0, links = 0;            // a chain instead of `op`, if there are any
};

// Slots point to rows of input, to single numbers and to registers. All may be read to the end of the last vector that
// holds one of `count` values, and registers be written to there.
template <class T>
struct FormulaBlock {
  std::span<const FormulaInstruction> code;
  std::span<const ChainLink> links;
  const T* const* slots = nullptr;
  std::int64_t count = 0;
  std::int64_t firstValue = 0, components = 1;  // of the row; a voxel has as many values as components
  std::int64_t firstVoxel = 0;                  // the row's first along x, in the volume
};

struct FormulaKernels {
  std::int64_t lanes32 = 1, lanes64 = 1;
  void (*run32)(const FormulaBlock<float>&) = nullptr;
  void (*run64)(const FormulaBlock<double>&) = nullptr;

  template <class T>
  [[nodiscard]] std::int64_t lanes() const {
    return sizeof(T) == 4 ? lanes32 : lanes64;
  }
  template <class T>
  void run(const FormulaBlock<T>& block) const {
    if constexpr (sizeof(T) == 4) {
      run32(block);
    } else {
      run64(block);
    }
  }
};

// The kernels of an available level (absentReason() empty).
[[nodiscard]] const FormulaKernels& formulaKernels(SimdLevel level);
[[nodiscard]] const FormulaKernels& scalarFormulaKernels();

}  // namespace sscope::cpu
