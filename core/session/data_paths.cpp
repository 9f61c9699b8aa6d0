#include "core/session/data_paths.h"

#include <glob.h>

#include <filesystem>
#include <regex>

#include "core/base/error.h"
#include "core/volume/selection.h"

namespace sscope {

bool isThere(const std::string& name) {
  std::error_code code;
  if (std::filesystem::exists(name, code)) return true;
  std::string path = name;
  try {
    path = parseSelection(name).path;
  } catch (const Error&) {
    // Then the text is a name and not a selection.
  }
  if (std::filesystem::exists(path, code)) return true;
  // For NAME@t=3 and the like, NAME must exist.
  static const std::regex choice("@[a-z]+=[^@/]*$");
  if (std::smatch found; std::regex_search(path, found, choice)) return isThere(found.prefix());
  static const std::regex number("%0?[0-9]*[dui]");
  glob_t found{};
  const bool any = ::glob(std::regex_replace(path, number, "*").c_str(), GLOB_NOSORT, nullptr, &found) == 0;
  ::globfree(&found);
  return any;
}

Provenance::Data dataOf(const DataSource& source, const VolumeInfo& info) {
  if (!source.path.empty()) return dataNamed(source.path, info);
  Provenance::Data data;
  data.sample = source.sample;
  data.size = source.size;
  data.seed = source.seed;
  return data;
}

}  // namespace sscope
