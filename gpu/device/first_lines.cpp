#include "gpu/device/first_lines.h"

#include <sstream>

namespace sscope {

std::string firstLines(const std::string& text, int count) {
  std::istringstream in(text);
  std::string line, result;
  while (count > 0 && std::getline(in, line)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    result += (result.empty() ? "" : " | ") + line;
    --count;
  }
  return result.empty() ? "the log is empty" : result;
}

}  // namespace sscope
