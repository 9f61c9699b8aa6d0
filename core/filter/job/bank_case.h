#pragma once
// Filter banks as cases (core/compare/case.h).

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/control.h"
#include "core/compare/case.h"
#include "core/filter/recipe.h"
#include "core/volume/volume.h"

namespace sscope {

inline constexpr const char* kBankCase = "filters";

// Parameters are a bank's document (core/filter/recipe.h), and `unit`, the unit of values that it computes in, where it
// is not 1.
[[nodiscard]] std::vector<compare::CaseKind> filterCases();
// The parameters of a bank on these data, in the unit that filters use elsewhere (core/filter/program/data_unit.h).
// Throws what making its program throws, and Canceled.
[[nodiscard]] nlohmann::json bankParameters(FilterBank bank, const Volume& input, const Control& control);

}  // namespace sscope
