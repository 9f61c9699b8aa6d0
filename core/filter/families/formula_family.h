#pragma once
// The filter family "formula".

#include "core/filter/families/family.h"

namespace sscope {

inline constexpr const char* kFormulaFamily = "formula";
inline constexpr const char* kFormulaText = "e";  // the option that holds the expression

// Its constants are options of their own.
[[nodiscard]] FilterFamily formulaFamily();

}  // namespace sscope
