#pragma once

#include <QString>
#include <optional>

namespace sscope {

// What somebody typed as a number, with a decimal point or a decimal comma whatever the locale; none for anything else,
// for infinities and for what has both.
[[nodiscard]] std::optional<double> typedNumber(const QString& text);

}  // namespace sscope
