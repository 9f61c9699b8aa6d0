#include "core/io/base/numbered_name.h"

#include <algorithm>
#include <cstdlib>

namespace sscope::io {

std::string numberedName(const std::string& pattern, std::int64_t number) {
  const std::size_t percent = pattern.find('%');
  if (percent == std::string::npos) return pattern;
  const std::size_t letter = pattern.find_first_not_of("0123456789", percent + 1);
  if (letter == std::string::npos || (pattern[letter] != 'd' && pattern[letter] != 'i' && pattern[letter] != 'u'))
    return pattern;
  const std::string width = pattern.substr(percent + 1, letter - percent - 1);
  const auto wanted = std::min<std::size_t>(32, std::strtoul(width.c_str(), nullptr, 10));
  std::string digits = std::to_string(number);
  if (digits.size() < wanted) digits.insert(0, wanted - digits.size(), width.front() == '0' ? '0' : ' ');
  return pattern.substr(0, percent) + digits + pattern.substr(letter + 1);
}

bool hasPlaceForNumber(const std::string& pattern) { return numberedName(pattern, 0) != pattern; }

}  // namespace sscope::io
