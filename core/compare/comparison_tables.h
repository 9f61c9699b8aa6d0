#pragma once
// What the tables of agreement and contract have in common.

#include <string>

#include <nlohmann/json.hpp>

#include "core/compare/agreement.h"
#include "core/measure/table.h"

namespace sscope::compare {

// "(3, 4, 5): 1.5 for 1.25", with enough digits that numbers which differ look different; "-" for none.
[[nodiscard]] std::string placeText(ElementType type, const std::optional<ElementAt>& at);
// A number, or the texts "nan", "inf", "-inf".
[[nodiscard]] nlohmann::json finiteOrText(double value);
[[nodiscard]] nlohmann::json toJson(const ElementAt& at);

}  // namespace sscope::compare
