#include "core/io/stream/locate.h"

#include <filesystem>

#include "core/io/file_error.h"
#include "core/io/formats.h"
#include "core/io/native/nrrd.h"
#include "core/io/native/raw_json.h"
#include "core/io/slices.h"
#include "core/io/sniff.h"
#ifdef SSCOPE_IO_ITK
#include "core/io/native/meta_read.h"
#include "core/io/native/vti_header.h"
#include "core/io/nifti/nifti.h"
#include "core/io/tiff/tiff.h"
#endif

namespace sscope::io {

namespace {

LocatedVolume locateFile(const std::string& path, [[maybe_unused]] const Control& control) {
  const FormatId id = sniffFormat(path);
  switch (id) {
    case FormatId::rawJson: return locateRawJson(path);
    case FormatId::nrrd: return locateNrrd(parseNrrdHeader(path), path);
#ifdef SSCOPE_IO_ITK
    case FormatId::meta: return locateMeta(path);
    case FormatId::nifti: return locateNifti(path, control);
    case FormatId::vti: return locateVti(path);
    case FormatId::tiff: return locateTiff(path);
#endif
    default: throw notBySlabs(path, std::string(formatRow(id).name) + " files are read as a whole");
  }
}

}  // namespace

LocatedVolume locateVoxels(const std::string& name, const Control& control) {
  if (name.empty()) throw cannotRead(ErrorKind::NotFound, "\"\"", "no file is named", "name a file");
  const Selection selection = parseSelection(name);
  std::error_code code;
  if (std::filesystem::is_directory(selection.path, code) || isSlicePattern(selection.path) || selection.series != 0)
    throw notBySlabs(selection.path, "its slices lie in files of their own");
  LocatedVolume located = locateFile(selection.path, control);
  located.info.plain.reset();
  located.info.fileFrames = located.info.metadata.frames;
  if (!selection.some()) return located;
  located.voxels.chosen = chosenComponents(selection, located.info);
  located.info = chosenInfo(selection, std::move(located.info), located.voxels.chosen);
  return located;
}

}  // namespace sscope::io
