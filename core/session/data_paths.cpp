#include "core/session/data_paths.h"

#include <glob.h>

#include <filesystem>
#include <regex>

namespace sscope {

bool isThere(const std::string& path) {
  std::error_code code;
  if (std::filesystem::exists(path, code)) return true;
  static const std::regex number("%0?[0-9]*[dui]");
  glob_t found{};
  const bool any = ::glob(std::regex_replace(path, number, "*").c_str(), GLOB_NOSORT, nullptr, &found) == 0;
  ::globfree(&found);
  return any;
}

}  // namespace sscope
