#pragma once
// Columns of text for people.

#include <string>
#include <vector>

namespace sscope {

// Cells padded to the width of their column, two spaces between them, the first line first. A row with fewer
// cells than the header ends with its last cell, which may be any length. Columns of which every
// cell starts with a digit, a sign or a dash are flushed right, others left. Lengths are counted in UTF-8 characters.
[[nodiscard]] std::string textTable(const std::vector<std::vector<std::string>>& rows);

// Three significant digits: "0.0123", "3.21", "1240".
[[nodiscard]] std::string shortNumber(double value);

}  // namespace sscope
