#include "core/io/slices.h"

#include <fnmatch.h>

#include <algorithm>
#include <regex>

#include "core/io/file_error.h"
#include "core/io/natural_order.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

const std::regex& printfNumber() {
  static const std::regex number("%0?[0-9]*[dui]");
  return number;
}

// The pattern as a glob: a printf number becomes digits, checked afterwards.
bool matches(const std::string& pattern, const std::string& name) {
  std::smatch found;
  if (!std::regex_search(pattern, found, printfNumber())) return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
  const std::string before = found.prefix(), after = found.suffix();
  if (name.size() <= before.size() + after.size() || !name.starts_with(before) || !name.ends_with(after)) return false;
  const std::string number = name.substr(before.size(), name.size() - before.size() - after.size());
  return std::all_of(number.begin(), number.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::string sizeText(const VolumeInfo& info) { return info.shape.text() + " " + std::string(toString(info.type)); }

}  // namespace

bool isSlicePattern(const std::string& path) {
  std::error_code code;
  if (fs::exists(path, code)) return false;
  const std::string name = fs::path(path).filename().string();
  return name.find_first_of("*?[") != std::string::npos || std::regex_search(name, printfNumber());
}

std::vector<fs::path> filesOfPattern(const std::string& pattern) {
  const fs::path folder = fs::path(pattern).parent_path();
  const std::string name = fs::path(pattern).filename().string();
  std::vector<fs::path> files;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder.empty() ? fs::path(".") : folder, code))
    if (matches(name, entry.path().filename().string()) && entry.is_regular_file(code)) files.push_back(entry.path());
  if (files.empty())
    throw cannotRead(ErrorKind::NotFound, pattern, "no file matches this pattern", "check the folder and the pattern");
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
    return naturallyBefore(a.filename().string(), b.filename().string());
  });
  return files;
}

VolumeInfo readSlices(const std::string& pattern, const Decode& decodeSlice, const AllocateVoxels& allocate,
                      const Control& control) {
  const std::vector<fs::path> files = filesOfPattern(pattern);
  const auto header = [](const VolumeInfo&) -> std::byte* { return nullptr; };
  const VolumeInfo first = decodeSlice(files.front().string(), header, control);
  if (first.shape.nz != 1)
    throw cannotRead(ErrorKind::Unsupported, pattern, files.front().filename().string() + " is a volume, not a slice",
                     "open it by its own name");
  VolumeInfo info = first;
  info.shape.nz = static_cast<std::int64_t>(files.size());
  info.format = std::string(first.format) + " slices (" + std::to_string(files.size()) + ")";
  if (files.size() > 1) info.notices.emplace_back("the gap between the slices is not known; 1 is used");
  std::byte* out = allocate(info);
  if (out == nullptr) return info;
  const auto sliceBytes = static_cast<std::size_t>(claimedBytes(first));
  for (std::size_t z = 0; z < files.size(); ++z) {
    control.check();
    const auto place = [&](const VolumeInfo& slice) -> std::byte* {
      if (slice.shape != first.shape || slice.type != first.type)
        throw cannotRead(
            ErrorKind::BadData, pattern,
            files[z].filename().string() + " is " + sizeText(slice) + " and the first slice is " + sizeText(first),
            "give a pattern whose files agree");
      return out + z * sliceBytes;
    };
    static_cast<void>(decodeSlice(files[z].string(), place, {}));
    control.report(static_cast<double>(z + 1) / static_cast<double>(files.size()), "reading");
  }
  return info;
}

}  // namespace sscope::io
