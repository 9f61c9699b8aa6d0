#include "core/job/output_files.h"

#include <algorithm>
#include <cctype>

#include "core/base/counted.h"
#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/job/input_files.h"
#include "core/volume/meaning.h"
#include "core/volume/selection.h"

namespace sscope {

namespace {

constexpr std::string_view kPlaceholder = "{}";

// A filter's name may come from a file: it must not lead to another folder.
std::string fileNamePart(std::string name) {
  for (char& c : name)
    if (c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20) c = '_';
  return name;
}

// "gaussian 2" goes into the file "gaussian-2": names of files with spaces are a nuisance.
std::string filled(std::string pattern, const std::string& name) {
  std::string part = fileNamePart(name);
  std::ranges::replace(part, ' ', '-');
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
                "put {} in the name to write one file for each filter");
  }
}

}  // namespace

std::vector<std::filesystem::path> outputFiles(const std::string& pattern, const std::vector<std::string>& names) {
  if (pattern.find(kPlaceholder) == std::string::npos) return {pattern};
  std::vector<std::filesystem::path> files;
  for (const std::string& name : names) files.emplace_back(filled(pattern, name));
  return files;
}

std::string inputStem(const VolumeIo& io, const std::string& input) {
  Selection selection = parseSelection(input);
  selection.correction = {};  // which says nothing of which data they are
  std::string name = selection.path, choice = selection.name().substr(name.size());
  while (name.size() > 1 && name.ends_with('/')) name.pop_back();
  std::erase(choice, '=');
  for (char& c : choice)
    if (std::string_view("@,:/%").find(c) != std::string_view::npos) c = '-';
  name = std::filesystem::path(name).filename().string();
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  std::size_t longest = 0;
  for (const FileFormat& format : io.formats())
    for (const std::string& extension : format.extensions)
      if (lower.size() > extension.size() && lower.ends_with(extension)) longest = std::max(longest, extension.size());
  if (lower.ends_with(".ome.tif") || lower.ends_with(".ome.tiff")) longest = lower.size() - lower.rfind(".ome");
  if (longest == 0) {
    std::error_code code;
    if (!std::filesystem::is_directory(input, code))
      if (const std::size_t dot = name.rfind('.'); dot != std::string::npos && dot > 0) longest = name.size() - dot;
  }
  name.resize(name.size() - longest);
  for (char& c : name)
    if (std::string_view("*?[]%").find(c) != std::string_view::npos) c = '_';
  for (std::size_t at = name.find(kPlaceholder); at != std::string::npos; at = name.find(kPlaceholder))
    name.replace(at, kPlaceholder.size(), "__");
  return fileNamePart(name + choice);
}

std::string withStem(std::string pattern, const std::string& stem) {
  constexpr std::string_view kStem = "{stem}";
  for (std::size_t at = pattern.find(kStem); at != std::string::npos; at = pattern.find(kStem, at + stem.size()))
    pattern.replace(at, kStem.size(), stem);
  return pattern;
}

OutputPlan planOutputs(const VolumeIo& io, const std::string& pattern, const std::vector<std::string>& names,
                       const VolumeShape& each, ElementType type, bool asked) {
  OutputPlan plan{outputFiles(pattern, names), false};
  plan.interleaved = plan.files.size() < names.size();
  FileIndex seen;
  for (const std::filesystem::path& file : plan.files) {
    requireOwnData(io, file, asked);
    for (const std::filesystem::path& written : io.filesWritten(file)) {
      if (!seen.add(FileIdentity::of(written), 0))
        throw Error(ErrorKind::Usage, "two filters would write the same file " + written.string(),
                    "give them different names");
      checkTarget(written);
    }
    if (!plan.interleaved) io.checkWritable(file, each, type);
  }
  if (plan.interleaved) requireRoomForAll(io, plan.files.front(), each, type, names.size());
  return plan;
}

void requireKept(const VolumeIo& io, const OutputPlan& plan, const VolumeOutline& each, const Metadata& ofInput,
                 bool compress) {
  const Metadata metadata = writeOptionsFor(plan, ofInput, {}).metadata;
  for (const std::filesystem::path& file : plan.files) {
    io.checkGeometry(file, each.geometry);
    io.checkMeaning(file, each.shape, metadata);
    if (compress) io.checkCompressible(file);
  }
}

std::vector<std::string> droppedNotes(const VolumeIo& io, const OutputPlan& plan, const Geometry& geometry,
                                      const Metadata& ofInput) {
  std::vector<std::string> notes;
  if (plan.files.empty()) return notes;
  // Of all files alike, whose format is the same.
  std::string dropped =
      io.dropped(plan.files.front(), geometry, writeOptionsFor(plan, ofInput, WriteOptions{}).metadata);
  if (!dropped.empty()) notes.push_back(std::move(dropped));
  SaidByFormat values;  // which the results have not
  values.valueUnit = values.labels = values.space = true;
  if (const std::vector<std::string> words = meaningWords(ofInput, values); plan.interleaved && !words.empty())
    notes.push_back("the results of several filters in one file do not keep " + listed(words) +
                    "; put {} in its name to write one file for each filter");
  return notes;
}

std::string notWrittenBySlabs(const VolumeIo& io, const std::vector<std::filesystem::path>& files, bool compress) {
  for (const std::filesystem::path& file : files) {
    if (compress && !io.packsSlabs(file))
      return "compressed files are not written by slabs, but stores of OME-Zarr; leave --compress out";
    if (!io.writesSlabs(file))
      return file.string() + " cannot be written by slabs; choose .nrrd, .mha, .nii, .vti, .tif, .h5, .zarr or .raw";
  }
  return {};
}

WriteOptions writeOptionsFor(const OutputPlan& plan, const Metadata& ofInput, WriteOptions how) {
  how.metadata = withoutValues(plan.interleaved ? withoutComponents(ofInput) : ofInput);
  return how;
}

}  // namespace sscope
