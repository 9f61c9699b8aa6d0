#pragma once
// Tables as text, as HTML and as CSV, and the texts of their cells.

#include <string>
#include <string_view>
#include <vector>

#include "core/base/statistics.h"

namespace sscope {

// The first row is the header. The last cell of a row with fewer cells than the header spans the remaining columns.
using TextRows = std::vector<std::vector<std::string>>;

// Pads cells to the width of their column, with two spaces between columns; a cell that spans columns may have any
// length. Columns in which every cell starts with a digit, sign or dash are right-aligned. Widths are in UTF-8
// characters.
[[nodiscard]] std::string textTable(const TextRows& rows);
// A table of a page (core/report/page_sections.h); texts are escaped.
[[nodiscard]] std::string htmlTable(const TextRows& rows);
// RFC 4180; missing cells at the end of a row are empty.
[[nodiscard]] std::string csvTable(const TextRows& rows);

// A cell of CSV: in quotes where it holds a comma, a quote or a line end.
[[nodiscard]] std::string csvCell(std::string_view text);
// A number with as many digits as it takes to read the same number back.
[[nodiscard]] std::string csvNumber(double value);

// Three significant digits: "0.0123", "3.21", "1240"; "-" for NaN and infinities.
[[nodiscard]] std::string shortNumber(double value);
// Milliseconds of some seconds, without the unit: "3.21".
[[nodiscard]] std::string inMilliseconds(double seconds);
// The same of both quartiles: "3.21..3.5".
[[nodiscard]] std::string quartilesText(const Spread& seconds, std::string_view between = "..");
// "45.6 %" of 0.456.
[[nodiscard]] std::string inPercent(double share);

}  // namespace sscope
