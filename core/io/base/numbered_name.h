#pragma once
// Numbered file names: "slice%03d.raw".

#include <cstdint>
#include <string>

namespace sscope::io {

// `pattern` with its first "%d" (a width and a leading zero allowed) replaced by `number`; the pattern itself when it
// has none. No other printf conversion is interpreted.
[[nodiscard]] std::string numberedName(const std::string& pattern, std::int64_t number);
[[nodiscard]] bool hasPlaceForNumber(const std::string& pattern);

}  // namespace sscope::io
