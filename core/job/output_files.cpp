#include "core/job/output_files.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/job/input_files.h"
#include "core/volume/file_sets.h"

namespace sscope {

namespace {

constexpr std::string_view kPlaceholder = "{}";

// A filter's name may come from a file: it must not lead to another folder.
std::string fileNamePart(std::string name) {
  for (char& c : name)
    if (c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20) c = '_';
  return name;
}

std::string filled(std::string pattern, const std::string& name) {
  const std::string part = fileNamePart(name);
  for (std::size_t at = pattern.find(kPlaceholder); at != std::string::npos;
       at = pattern.find(kPlaceholder, at + part.size()))
    pattern.replace(at, kPlaceholder.size(), part);
  return pattern;
}

void requireRoomForAll(const VolumeIo& io, const std::filesystem::path& file, VolumeShape each, ElementType type,
                       std::size_t filters) {
  each.components *= static_cast<int>(filters);
  try {
    io.checkWritable(file, each, type);
  } catch (const Error& error) {
    throw Error(ErrorKind::Usage, std::string(error.what()) + " (" + std::to_string(filters) + " filters in one file)",
                "put {} into the name to write one file for each filter");
  }
}

}  // namespace

std::vector<std::filesystem::path> outputFiles(const std::string& pattern, const std::vector<std::string>& names) {
  if (pattern.find(kPlaceholder) == std::string::npos) return {pattern};
  std::vector<std::filesystem::path> files;
  for (const std::string& name : names) files.emplace_back(filled(pattern, name));
  return files;
}

OutputPlan planOutputs(const VolumeIo& io, const std::string& pattern, const std::vector<std::string>& names,
                       const VolumeShape& each, ElementType type) {
  OutputPlan plan{outputFiles(pattern, names), false};
  plan.interleaved = plan.files.size() < names.size();
  std::vector<FileIdentity> seen;
  for (const std::filesystem::path& file : plan.files) {
    for (std::filesystem::path& written : filesWritten(io, file)) {
      const FileIdentity identity = FileIdentity::of(written);
      if (std::any_of(seen.begin(), seen.end(), [&](const FileIdentity& other) { return other.same(identity); }))
        throw Error(ErrorKind::Usage, "two filters would write the same file " + written.string(),
                    "give them other names");
      seen.push_back(identity);
      checkTarget(written);
    }
    if (!plan.interleaved) io.checkWritable(file, each, type);
  }
  if (plan.interleaved) requireRoomForAll(io, plan.files.front(), each, type, names.size());
  return plan;
}

}  // namespace sscope
