#pragma once
// Text and numbers for display.

#include <QString>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace sscope {

// UTF-8 from core to Qt and back.
[[nodiscard]] QString toQt(std::string_view text);
[[nodiscard]] std::string fromQt(const QString& text);
// An error with a translated message: what failed, and what to do.
[[nodiscard]] Error makeError(ErrorKind kind, const QString& what, const QString& remedy);

// The shortest text with at most `digits` significant digits: "812", "640.2", "2e-07".
[[nodiscard]] QString numberText(double value, int digits = 4);
// "12.4 ms", "3.2 s", "850 us".
[[nodiscard]] QString secondsText(double seconds);
// "16.2 MiB".
[[nodiscard]] QString bytesText(std::int64_t bytes);

}  // namespace sscope
