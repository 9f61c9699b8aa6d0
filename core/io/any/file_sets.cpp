#include "core/io/any/file_sets.h"

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/io/base/file_names.h"
#include "core/io/base/formats.h"
#include "core/io/base/sniff.h"
#include "core/io/native/meta.h"
#include "core/io/native/nrrd.h"
#include "core/io/native/raw_json.h"
#include "core/volume/selection.h"
#ifdef SSCOPE_IO_ITK
#include "core/io/itk/dicom_scan.h"
#endif

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

// The data files that a header names: one file, a list, or a numbered row ("slice%03d.raw 1 20 1"), of which every
// number counts.
std::vector<std::string> dataNamesOf(const InputFile& file, FormatId id) {
#ifdef SSCOPE_IO_ITK
  if (id == FormatId::meta) return metaDataNames(file);
#endif
  return id == FormatId::nrrd ? nrrdDataNames(file) : std::vector<std::string>();
}

void addDataFiles(const InputFile& file, FormatId id, std::vector<fs::path>& files) {
  const fs::path folder = fs::path(file.path()).parent_path();
  for (const std::string& name : dataNamesOf(file, id)) {
    if (name.find('%') == std::string::npos) {
      files.push_back(folder / name);
      continue;
    }
    const fs::path row = folder / name.substr(0, name.find(' '));
    if (!isSlicePattern(row.string())) continue;
    for (fs::path& each : filesOfPattern(row.string())) files.push_back(std::move(each));
  }
}

// The other half of an Analyze or NIfTI pair, packed or not.
void addPartner(const fs::path& path, std::vector<fs::path>& files) {
  const std::string partner = partnerOfPair(path.string());
  if (partner.empty()) return;
  files.emplace_back(partner);
  files.emplace_back(partner + ".gz");
}

void addBelongings(const fs::path& path, std::vector<fs::path>& files) {
  const InputFile file(path.string());
  switch (const FormatId id = sniffFormat(file)) {
    case FormatId::nrrd:
    case FormatId::meta: addDataFiles(file, id, files); break;
    case FormatId::nifti: addPartner(path, files); break;
    case FormatId::rawJson:
      for (fs::path& each : rawJsonFiles(path)) files.push_back(std::move(each));
      break;
    default: break;
  }
}

// All files: which of them are slices of the series is known only after all were opened.
std::vector<fs::path> filesOfFolder(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code code;
  for (auto entry = fs::directory_iterator(folder, code); !code && entry != fs::directory_iterator();
       entry.increment(code)) {
    std::error_code unreadable;
    if (entry->is_regular_file(unreadable)) files.push_back(entry->path());
  }
#ifdef SSCOPE_IO_ITK
  if (files.empty())
    for (const std::string& file : filesBeneath(folder.string(), {}).files) files.emplace_back(file);
#endif
  return files;
}

}  // namespace

std::vector<fs::path> filesRead(const std::string& name) {
  std::error_code code;
  std::string path = name;
  // Files of no known format, damaged or missing ones: the result is what is known so far.
  const auto tryTo = [](const auto& find) {
    try {
      find();
    } catch (const Error&) {
    }
  };
  tryTo([&] { path = parseSelection(name).path; });
  if (fs::is_directory(path, code)) {
    // A store has as many files as chunks. An output that replaces it, or a store around it, names the folder.
    if (isStoreFolder(path)) {
      std::vector<fs::path> folders;
      for (fs::path folder = fs::absolute(path, code).lexically_normal();
           isStoreFolder(folder) && folder != folder.root_path(); folder = folder.parent_path()) {
        if (!folder.has_filename()) folder = folder.parent_path();
        folders.push_back(folder);
      }
      return folders;
    }
    const std::string pictures = picturesOf(path);
    if (pictures.empty()) return filesOfFolder(path);
    path = pictures;
  }
  std::vector<fs::path> files{path};
  if (isSlicePattern(path)) tryTo([&] { files = filesOfPattern(path); });
  for (const std::vector<fs::path> named = files; const fs::path& file : named)
    if (fs::is_regular_file(file, code)) tryTo([&] { addBelongings(file, files); });
  return files;
}

bool mayHaveDataFiles(const InputFile& file) {
  try {
    const FormatId id = sniffFormat(file);
    if (id == FormatId::nifti || id == FormatId::rawJson) return true;
    return !dataNamesOf(file, id).empty();
  } catch (const Error&) {
    return false;  // its decoder says what is wrong
  }
}

std::vector<fs::path> filesWritten(const fs::path& path) {
  const FormatRow* row = formatOf(path);
  if (row != nullptr && row->id == FormatId::rawJson) {
    const RawPair pair = rawPairOf(path);
    return {pair.header, pair.data};
  }
  if (const fs::path data = dataBesideHeader(path); !data.empty()) return {path, data};
  return {path};
}

}  // namespace sscope::io
