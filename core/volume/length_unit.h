#pragma once
// Units of length, and of time. The only place that knows their words.

#include <optional>
#include <string>
#include <string_view>

namespace sscope {

// Our word for a unit that a file or a person names: "um" for "micron", "\u00b5m" and "micrometers", "angstrom" for
// "\u00c5". Empty for what means no length ("pixel", "none", "???"). Other words are returned as they are, trimmed.
[[nodiscard]] std::string lengthUnit(std::string_view word);

// How many millimeters one of these units is, in any spelling that lengthUnit() knows: pm, angstrom, nm, um, mm, cm,
// dm, m, km, inch. Empty for every other word.
[[nodiscard]] std::optional<double> millimetersIn(std::string_view unit);

// `value` in another unit, the number nearest to the exact one where the units differ by powers of ten. Throws
// std::bad_optional_access unless both are units of length.
[[nodiscard]] double convertLength(double value, std::string_view from, std::string_view to);

// The seconds in a number of a unit of time: "s" where the word is empty; 0 for words that are none.
[[nodiscard]] double secondsOf(double number, std::string_view unit);

// Of an option or a correction: "0.1um" as 0.1 and "um", "3" as 3 and "". Empty for what begins with no number.
struct NumberWithUnit {
  double value = 0;
  std::string unit;  // as it is given
};
[[nodiscard]] std::optional<NumberWithUnit> parseNumberWithUnit(std::string_view text);

}  // namespace sscope
