#include "core/io/base/slices.h"

#include <fnmatch.h>

#include <algorithm>
#include <map>
#include <regex>

#include "core/base/words.h"
#include "core/io/base/file_error.h"
#include "core/io/base/formats.h"
#include "core/io/base/natural_order.h"
#include "core/volume/geometry.h"

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
  if (!std::regex_search(pattern, found, printfNumber()))
    return ::fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD) == 0;
  const std::string before = found.prefix(), after = found.suffix();
  if (name.size() <= before.size() + after.size() || !name.starts_with(before) || !name.ends_with(after)) return false;
  const std::string number = name.substr(before.size(), name.size() - before.size() - after.size());
  return std::all_of(number.begin(), number.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

// How many files a folder has of each extension, as it is written; hidden ones aside.
std::map<std::string, std::size_t> extensionsIn(const std::string& folder) {
  std::map<std::string, std::size_t> counts;
  std::error_code code;
  for (auto entry = fs::directory_iterator(folder, code); !code && entry != fs::directory_iterator();
       entry.increment(code)) {
    std::error_code unreadable;
    if (!entry->path().filename().string().starts_with('.') && entry->is_regular_file(unreadable))
      ++counts[entry->path().extension().string()];
  }
  return counts;
}

bool isPicture(const std::string& extension) {
  const FormatRow* row = formatOf("x" + extension);
  if (row == nullptr) return false;
  switch (row->id) {
    case FormatId::png:
    case FormatId::tiff:
    case FormatId::jpeg:
    case FormatId::bmp: return true;
    default: return false;
  }
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
  auto entry = fs::directory_iterator(folder.empty() ? fs::path(".") : folder, code);
  if (code) throw cannotReadErrno(pattern, code.value());
  for (; !code && entry != fs::directory_iterator(); entry.increment(code)) {
    std::error_code unreadable;
    if (matches(name, entry->path().filename().string()) && entry->is_regular_file(unreadable))
      files.push_back(entry->path());
  }
  if (files.empty())
    throw cannotRead(ErrorKind::NotFound, pattern, "no file matches this pattern", "check the folder and the pattern");
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
    return naturallyBefore(a.filename().string(), b.filename().string());
  });
  return files;
}

std::string picturesOf(const std::string& folder) {
  std::size_t all = 0, most = 0;
  std::string chosen;
  for (const auto& [extension, count] : extensionsIn(folder)) {
    all += count;
    if (count <= most || !isPicture(extension)) continue;
    most = count;
    chosen = extension;
  }
  return 2 * most > all ? (fs::path(folder) / ("*" + chosen)).string() : std::string();
}

std::string filesText(const std::string& folder) {
  const auto counts = extensionsIn(folder);
  std::vector<std::pair<std::size_t, std::string>> kinds;
  for (const auto& [extension, count] : counts) kinds.emplace_back(count, extension);
  std::stable_sort(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  constexpr std::size_t kMost = 4;
  std::size_t others = 0;
  for (; kinds.size() > kMost; kinds.pop_back()) others += kinds.back().first;
  std::vector<std::string> parts;
  for (const auto& [count, extension] : kinds)
    parts.push_back(std::to_string(count) + (extension.empty() ? "" : " " + printable(extension)) +
                    (count == 1 ? " file" : " files") + (extension.empty() ? " without an extension" : ""));
  if (others > 0) parts.push_back(std::to_string(others) + (others == 1 ? " other" : " others"));
  return parts.empty() ? "no files" : listed(parts);
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
  info.plain.reset();  // of one slice, as
  info.metadata.provenance.clear();
  info.format = std::string(first.format) + " slices (" + std::to_string(files.size()) + ")";
  if (files.size() > 1) {
    info.geometry.steps[2] = StepSource::Assumed;
    info.geometry.spacing[2] = 1;
    const std::string assumed = assumedNotice(info.geometry, {info.shape.nx, info.shape.ny, info.shape.nz});
    info.notices.push_back(assumed.empty() ? "the gap between the slices is not known; 1 is used" : assumed);
  }
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
