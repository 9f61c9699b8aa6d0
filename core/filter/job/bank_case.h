#pragma once
// Filter banks as something to compare engines at (core/compare/case_recipe.h).

#include <vector>

#include "core/compare/case_recipe.h"

namespace sscope {

inline constexpr const char* kBankCase = "filters";

// Parameters are a bank's document (core/filter/recipe.h).
[[nodiscard]] std::vector<compare::CaseKind> filterCases();

}  // namespace sscope
