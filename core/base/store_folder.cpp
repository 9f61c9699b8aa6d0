#include "core/base/store_folder.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <system_error>

namespace sscope {

namespace fs = std::filesystem;

bool namesStoreFolder(const fs::path& name) {
  std::string file = name.has_filename() ? name.filename().string() : name.parent_path().filename().string();
  std::ranges::transform(file, file.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return file.size() > 5 && file.ends_with(".zarr");
}

bool isStoreFolder(const fs::path& folder) {
  std::error_code code;
  return std::ranges::any_of(std::initializer_list<const char*>{"zarr.json", ".zgroup", ".zarray", ".zattrs"},
                             [&](const char* name) { return fs::is_regular_file(folder / name, code); });
}

}  // namespace sscope
