#pragma once
// Numbers of things in words.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sscope {

// "1 rank", "2 ranks".
[[nodiscard]] inline std::string counted(std::int64_t count, std::string_view one) {
  return std::to_string(count) + " " + std::string(one) + (count == 1 ? "" : "s");
}

// How far work came that was stopped: "stopped after 1 of 10 rows", or "stopped after 3 rows" of who knows how many.
[[nodiscard]] inline std::string stoppedAfter(std::int64_t done, std::string_view one, std::int64_t all = 0) {
  return "stopped after " + (all > 0 ? std::to_string(done) + " of " + counted(all, one) : counted(done, one));
}

// "x, y and z".
[[nodiscard]] inline std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

}  // namespace sscope
