#pragma once
// A formula's steps as instructions on slots: rows of input, single numbers, and registers, which are reused as soon as
// their value is no longer needed. A step that alone reads the value of the step before it is chained to it.

#include <cstdint>
#include <vector>

#include "core/cpu/filter/formula_kernels.h"
#include "core/filter/formula/formula_program.h"

namespace sscope::cpu {

struct FormulaCode {
  std::vector<FormulaInstruction> instructions;
  std::vector<ChainLink> links;
  // Slots are, in this order: the formula's reads, the program's uniforms, the voxel's y and z, registers.
  std::size_t reads = 0, uniforms = 0, registers = 0;
  std::uint16_t result = 0;  // the slot of the formula's value, a register

  [[nodiscard]] std::size_t firstUniform() const { return reads; }
  [[nodiscard]] std::size_t firstPosition() const { return reads + uniforms; }
  [[nodiscard]] std::size_t firstRegister() const { return reads + uniforms + 2; }
  [[nodiscard]] std::size_t slots() const { return firstRegister() + registers; }
};

[[nodiscard]] FormulaCode formulaCode(const FormulaProgram& program, std::size_t reads);

}  // namespace sscope::cpu
