#pragma once
// Units of length.

#include <optional>
#include <string_view>

namespace sscope {

// How many millimeters one "nm", "um" ("µm"), "mm", "cm" or "m" is; empty for every other word.
[[nodiscard]] std::optional<double> millimetersIn(std::string_view unit);

}  // namespace sscope
