#pragma once
// Tables as text, as HTML and as CSV, and the texts of their cells.

#include <string>
#include <string_view>
#include <vector>

#include "core/base/statistics.h"

namespace sscope {

// The first row is the header. The last cell of a row with fewer cells than the header spans the remaining columns.
using TextRows = std::vector<std::vector<std::string>>;

// Pads cells to the width of their column, with two spaces between columns; cells that span columns may have any
// length. Columns in which every cell starts with a digit, sign or dash are right-aligned. Widths are in UTF-8
// characters.
[[nodiscard]] std::string textTable(const TextRows& rows);
// A table of a page (core/report/page_sections.h); texts are escaped.
[[nodiscard]] std::string htmlTable(const TextRows& rows);
// RFC 4180; missing cells at the end of a row are empty.
[[nodiscard]] std::string csvTable(const TextRows& rows);

// A cell of CSV: in quotes if it holds a comma, a quote or a line end.
[[nodiscard]] std::string csvCell(std::string_view text);
// A number with the digits that are needed to read the same number again.
[[nodiscard]] std::string csvNumber(double value);

// Three significant digits: "0.0123", "3.21", "1240"; "-" for NaN and infinities.
[[nodiscard]] std::string shortNumber(double value);
// Seconds as milliseconds, without the unit: "3.21".
[[nodiscard]] std::string inMilliseconds(double seconds);
// Both quartiles as milliseconds: "3.21..3.5".
[[nodiscard]] std::string quartilesText(const Spread& seconds, std::string_view between = "..");
// 0.456 as "45.6 %".
[[nodiscard]] std::string inPercent(double share);

}  // namespace sscope
