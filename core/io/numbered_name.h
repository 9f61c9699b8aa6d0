#pragma once
// Rows of files whose names hold a number: "slice%03d.raw".

#include <cstdint>
#include <string>

namespace sscope::io {

// `pattern` with its first "%d" (a width and a leading zero allowed) replaced by `number`; the pattern itself where it
// has none. Nothing but the number is taken from the pattern.
[[nodiscard]] std::string numberedName(const std::string& pattern, std::int64_t number);

}  // namespace sscope::io
