#pragma once
// Dense taps as text: what is copied to and pasted from spreadsheets.

#include <string>
#include <string_view>

#include "core/filter/stencil.h"

namespace sscope {

// Rows of numbers with tabulators between them, and an empty line between slices; every digit that is needed to read
// the same taps again.
[[nodiscard]] std::string tapsText(const DenseTaps& taps);

// Such text, and what else numbers come as: separated by tabulators, or by commas, semicolons, brackets and spaces; or
// arrays of arrays in one line. Empty lines separate slices. Between tabulators or semicolons a comma is a decimal
// comma where no point is used, and a cell without text is 0. Fractions ("1/16") and the minus sign of typesetters are
// numbers. The anchor is the middle (size / 2). Throws Error(BadData) with the row for what is no number, for rows or
// slices of different sizes, for no numbers at all, and for more than `longest` along an axis.
[[nodiscard]] DenseTaps tapsFromText(std::string_view text, std::int64_t longest);

// One number of the above. Throws Error(BadData) for what is none, or is not finite.
[[nodiscard]] double tapFromText(std::string_view text);

}  // namespace sscope
