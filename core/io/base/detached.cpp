#include "core/io/base/detached.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <vector>

#include "core/io/base/file_error.h"
#include "core/io/base/formats.h"
#include "core/io/base/header_lines.h"
#include "core/io/base/trimmed.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

// Longer ones are voxels already.
constexpr std::size_t kMaximumLines = 65536;

bool startsWithKey(const std::string& line, const std::string& key) {
  return line.size() >= key.size() && std::equal(key.begin(), key.end(), line.begin(), [](char a, char b) {
           return a == std::tolower(static_cast<unsigned char>(b));
         });
}

}  // namespace

std::vector<std::string> detachedNames(const std::string& headerPath) {
  HeaderLines lines(headerPath);
  std::vector<std::string> names;
  std::string line;
  bool list = false;
  for (std::size_t n = 0; n < kMaximumLines && lines.next(line); ++n) {
    line = trimmed(line);
    if (list) {
      if (!line.empty()) names.push_back(line);
      continue;
    }
    std::string value;
    const bool nrrd = startsWithKey(line, "data file:") || startsWithKey(line, "datafile:");
    if (nrrd) value = trimmed(line.substr(line.find(':') + 1));
    if (startsWithKey(line, "elementdatafile") && line.find('=') != std::string::npos)
      value = trimmed(line.substr(line.find('=') + 1));
    if (value.empty()) {
      if (line.empty() && n > 0) break;  // the end of an NRRD header
      continue;
    }
    if (value == "LOCAL" || value == "Local" || value == "local") break;
    list = value.starts_with("LIST") || value.starts_with("List");
    if (!list) names.push_back(nrrd || value.find('%') == std::string::npos ? value : value.substr(0, value.find(' ')));
    if (!list && !nrrd) break;
  }
  return names;
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
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension == ".nhdr" || extension == ".mhd" ? std::filesystem::path(path).replace_extension(".raw")
                                                     : std::filesystem::path();
}

}  // namespace sscope::io
