#pragma once

#include <QString>
#include <optional>

namespace sscope {

// Parses a typed number with a decimal point or comma, whatever the locale; none for anything else, including
// infinities and text with both.
[[nodiscard]] std::optional<double> typedNumber(const QString& text);

}  // namespace sscope
