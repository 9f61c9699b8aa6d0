#pragma once
// Numbers of things in words.

#include <cstdint>
#include <string>
#include <string_view>

namespace sscope {

// "1 rank", "2 ranks".
[[nodiscard]] inline std::string counted(std::int64_t count, std::string_view one) {
  return std::to_string(count) + " " + std::string(one) + (count == 1 ? "" : "s");
}

}  // namespace sscope
