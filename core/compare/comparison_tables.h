#pragma once
// What the tables of agreement and contract have in common.

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/compare/agreement.h"

namespace sscope::compare {

using TextRows = std::vector<std::vector<std::string>>;  // the first row is the header

// A table of a page.
[[nodiscard]] std::string htmlTable(const TextRows& rows);
// "(3, 4, 5): 1.5 for 1.25", with enough digits that numbers which differ look different; "-" for none.
[[nodiscard]] std::string placeText(ElementType type, const std::optional<ElementAt>& at);
// A number, or the texts "nan", "inf", "-inf".
[[nodiscard]] nlohmann::json finiteOrText(double value);
[[nodiscard]] nlohmann::json toJson(const ElementAt& at);

// A cell of a CSV file, quoted where it must be; numbers in full precision.
[[nodiscard]] std::string csvCell(std::string_view text);
[[nodiscard]] std::string csvCell(double value);

}  // namespace sscope::compare
