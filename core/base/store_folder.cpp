#include "core/base/store_folder.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
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

namespace {

// Version 2 has a file for arrays; the description of version 3, a small file, contains the word.
bool isArrayFolder(const fs::path& folder) {
  std::error_code code;
  if (fs::is_regular_file(folder / ".zarray", code)) return true;
  std::ifstream stream(folder / "zarr.json", std::ios::binary);
  constexpr std::size_t kMost = 1 << 16;
  std::string text(kMost, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text.find("\"array\"") != std::string::npos;
}

}  // namespace

std::string besideImage(const fs::path& folder) {
  constexpr std::string_view kDescriptions[] = {"zarr.json", ".zgroup", ".zarray", ".zattrs", ".zmetadata"};
  const bool array = isArrayFolder(folder);
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code)) {
    const std::string name = entry.path().filename().string();
    if (std::ranges::find(kDescriptions, name) != std::end(kDescriptions)) continue;
    // Chunks are "0", "0.1.2" or "c"; levels are arrays.
    const bool chunk = array && (name == "c" || name.find_first_not_of("0123456789.") == std::string::npos);
    const bool level = !array && entry.is_directory(code) && isArrayFolder(entry.path());
    if (!chunk && !level) return name;
  }
  return {};
}

}  // namespace sscope
