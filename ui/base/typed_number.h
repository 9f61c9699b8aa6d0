#pragma once

#include <QString>
#include <optional>

namespace sscope {

// Parses a typed number with a decimal point or comma, whatever the locale; none for anything else, including
// infinities and text with both.
[[nodiscard]] std::optional<double> typedNumber(const QString& text);

// The number that the shortest decimal text within 12 digits of it stands for: what is computed in decimal steps,
// without the tail of the computation (0.00001, not 0.000009999999999999999).
[[nodiscard]] double withoutTail(double value);

}  // namespace sscope
