#include "core/io/base/file_names.h"

#include <fnmatch.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <regex>
#include <utility>

#include "core/base/words.h"
#include "core/io/base/file_error.h"
#include "core/io/base/formats.h"
#include "core/io/base/header_text.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// The run of digits that starts at `at`, without leading zeros.
std::string digitsAt(const std::string& text, std::size_t& at) {
  std::string run;
  for (; at < text.size() && digit(text[at]); ++at)
    if (!run.empty() || text[at] != '0') run += text[at];
  return run;
}

}  // namespace

bool naturallyBefore(const std::string& a, const std::string& b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      const std::string x = digitsAt(a, i), y = digitsAt(b, j);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b;
}

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

namespace {

bool staysInside(const fs::path& folder, const fs::path& name) {
  const fs::path base = fs::absolute(folder).lexically_normal();
  const fs::path target = (name.is_absolute() ? name : base / name).lexically_normal();
  const auto mismatch = std::mismatch(base.begin(), base.end(), target.begin(), target.end());
  // A trailing slash makes an empty last element.
  return mismatch.first == base.end() || (std::next(mismatch.first) == base.end() && mismatch.first->empty());
}

}  // namespace

void requireDataInside(const std::string& headerPath, const std::string& name) {
  const fs::path parent = fs::path(headerPath).parent_path();
  const fs::path folder = parent.empty() ? fs::path(".") : parent;
  if (!staysInside(folder, name))
    throw cannotRead(ErrorKind::Unsupported, headerPath, "its header places its voxels outside its folder, in " + name,
                     "put the data file next to the header and name it there");
  if (name.find('%') != std::string::npos) return;  // one file a slice: missing ones are reported by the decoder
  std::error_code code;
  const fs::path data = fs::path(name).is_absolute() ? fs::path(name) : folder / name;
  if (!fs::exists(data, code))
    throw cannotRead(ErrorKind::NotFound, headerPath, "its data file " + name + " is missing",
                     "put it next to the header");
  if (fs::equivalent(data, headerPath, code))
    throw damaged(headerPath, "its header names the file itself as the one that holds its voxels");
  if (!fs::is_regular_file(data, code))
    throw cannotRead(ErrorKind::BadData, headerPath, "its data file " + name + " is not a regular file",
                     "check the header");
}

std::filesystem::path dataBesideHeader(const std::filesystem::path& path) {
  const std::string extension = lowerCased(path.extension().string());
  return extension == ".nhdr" || extension == ".mhd" ? std::filesystem::path(path).replace_extension(".raw")
                                                     : std::filesystem::path();
}

namespace {

constexpr std::size_t kPairExtension = 4;  // characters of ".hdr" and ".img"

std::string withoutGz(const std::string& path) {
  return lowerCased(path).ends_with(".gz") ? path.substr(0, path.size() - 3) : path;
}

}  // namespace

bool isPairHeader(const std::string& path) { return lowerCased(withoutGz(path)).ends_with(".hdr"); }

std::string partnerOfPair(const std::string& path) {
  std::string name = withoutGz(path);
  const bool header = isPairHeader(path);
  if (!header && !lowerCased(name).ends_with(".img")) return {};
  const std::string_view other = header ? ".img" : ".hdr";
  for (std::size_t i = 0; i < kPairExtension; ++i) {
    char& c = name[name.size() - kPairExtension + i];
    c = std::isupper(static_cast<unsigned char>(c)) != 0
            ? static_cast<char>(std::toupper(static_cast<unsigned char>(other[i])))
            : other[i];
  }
  return name;
}

}  // namespace sscope::io
