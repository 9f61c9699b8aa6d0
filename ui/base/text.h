#pragma once
// Text and numbers for display.

#include <QCoreApplication>
#include <QString>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace sscope {

// tr() for functions outside of classes.
struct Words {
  Q_DECLARE_TR_FUNCTIONS(Words)
};

// UTF-8 from core to Qt and back.
[[nodiscard]] QString toQt(std::string_view text);
[[nodiscard]] std::string fromQt(const QString& text);
// An error with a translated message: what failed, and what to do.
[[nodiscard]] Error makeError(ErrorKind kind, const QString& what, const QString& remedy);

// The shortest text with at most `digits` significant digits: "812", "640.2", "2e-07".
[[nodiscard]] QString numberText(double value, int digits = 4);
// "12.4 ms", "3.20 s", "850 µs".
[[nodiscard]] QString secondsText(double seconds);
// "16.2 MiB".
[[nodiscard]] QString bytesText(std::int64_t bytes);

// `text` with line-break opportunities inside file names, for labels that wrap.
[[nodiscard]] QString breakable(const QString& text);
// "um" as "µm"; other units as they are.
[[nodiscard]] QString unitText(std::string_view unit);

// Parses a typed number with a decimal point or comma, whatever the locale; none for anything else, including
// infinities and text with both.
[[nodiscard]] std::optional<double> typedNumber(const QString& text);

// The value rounded to 12 significant digits. Removes what computing in decimal steps adds (0.00001, not
// 0.000009999999999999999).
[[nodiscard]] double withoutTail(double value);

}  // namespace sscope
