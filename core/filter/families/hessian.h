#pragma once
// Families of the second derivatives: eigenvalues of the hessian, and the vessels that they tell of.

#include <array>
#include <string>
#include <vector>

#include "core/filter/families/family.h"

namespace sscope {

// The entries of a symmetric matrix of derivatives, as eigenvalueText() names them.
struct SecondDerivative {
  const char* name;
  std::size_t first, second;  // axes
};
inline constexpr std::array<SecondDerivative, 6> kSecondDerivatives{
    {{"xx", 0, 0}, {"yy", 1, 1}, {"zz", 2, 2}, {"xy", 0, 1}, {"xz", 0, 2}, {"yz", 1, 2}}};

// A formula for the eigenvalue number 1 (the smallest) to `dimensions` of the matrix xx, yy, zz, xy, xz, yz. Throws
// Error(Usage) for one that images do not have. `absolute`: ordered by magnitude.
[[nodiscard]] std::string eigenvalueText(int number, int dimensions, bool absolute = false);

[[nodiscard]] std::vector<FilterFamily> hessianFamilies();

}  // namespace sscope
