#pragma once
// Text tables.

#include <string>
#include <vector>

namespace sscope {

// Pads cells to the width of their column, with two spaces between columns; the first row is the header. The last cell
// of a row with fewer cells than the header may have any length. Columns in which every cell starts with a digit, sign
// or dash are right-aligned. Widths are in UTF-8 characters.
[[nodiscard]] std::string textTable(const std::vector<std::vector<std::string>>& rows);

// Three significant digits: "0.0123", "3.21", "1240".
[[nodiscard]] std::string shortNumber(double value);

}  // namespace sscope
