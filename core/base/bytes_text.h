#pragma once
// Sizes of memory in words.

#include <cstdint>
#include <string>

namespace sscope {

// "512 bytes", "1.5 MiB".
[[nodiscard]] std::string bytesText(double bytes);
// Rounded up: "3 MiB".
[[nodiscard]] std::string mebibytes(std::int64_t bytes);

}  // namespace sscope
