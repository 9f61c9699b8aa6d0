#include "core/io/any/needed_files.h"

#include "core/base/error.h"
#include "core/io/base/detached.h"
#include "core/io/base/selection.h"
#include "core/io/base/slices.h"
#include "core/io/base/sniff.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

fs::path folderOf(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

// Whether the voxels may be in another file. What cannot be told yet is refused by the decoder.
bool isOneFile(const std::string& path) {
  try {
    switch (sniffFormat(path)) {
      case FormatId::nrrd:
      case FormatId::meta: return detachedNames(path).empty();
      case FormatId::nifti:
      case FormatId::rawJson: return false;
      default: return true;
    }
  } catch (const Error&) {
    return true;
  }
}

}  // namespace

std::vector<fs::path> neededFor(const Request& request) {
  if (!request.ofVolume()) return {request.path};
  const std::string path = parseSelection(request.path).path;
  std::error_code code;
  if (fs::is_directory(path, code)) return {path};
  if (isSlicePattern(path)) return {folderOf(path)};
  if (isOneFile(path)) return {path};
  return {folderOf(path)};
}

}  // namespace sscope::io
