#pragma once
// Texts of the window in its tests.

#include <QString>
#include <cstddef>

namespace sscope::test {

// "text"_q, of UTF-8.
[[nodiscard]] inline QString operator""_q(const char* text, std::size_t size) {
  return QString::fromUtf8(text, static_cast<qsizetype>(size));
}

}  // namespace sscope::test
