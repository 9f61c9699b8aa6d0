#include "core/io/read_any.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "core/io/file_error.h"
#include "core/io/native/meta_read.h"
#include "core/io/native/nrrd.h"
#include "core/io/native/raw_json.h"
#include "core/io/selection.h"
#include "core/io/slices.h"
#include "core/io/sniff.h"
#ifdef SSCOPE_IO_ITK
#include "core/io/itk/decode.h"
#include "core/io/itk/dicom_scan.h"
#include "core/io/itk/dicom_series.h"
#include "core/io/nifti/nifti.h"
#include "core/io/tiff/tiff.h"
#endif

namespace sscope::io {

namespace fs = std::filesystem;

namespace {
#ifdef SSCOPE_IO_ITK
constexpr bool kWithItk = true;
#else
constexpr bool kWithItk = false;
#endif
}  // namespace

VolumeInfo readFile(const std::string& path, const AllocateVoxels& allocate, const Control& control) {
  const FormatId id = sniffFormat(path);
  if (id == FormatId::rawJson) return readRawJson(path, allocate, control);
  if (id == FormatId::nrrd) {
    const NrrdHeader header = parseNrrdHeader(path);
    // Debian's ITK is built without it.
    if (header.field("encoding").starts_with("bz"))
      throw cannotRead(ErrorKind::Unsupported, path, "its voxels are compressed with bzip2, which is not read",
                       "save it with encoding gzip or raw");
    if (readsNrrdNatively(header) || !kWithItk) return readNrrd(header, path, allocate, control);
  }
#ifdef SSCOPE_IO_ITK
  if (id == FormatId::meta) return readMeta(path, allocate, control);
  if (id == FormatId::nifti) return readNifti(path, allocate, control);
  if (id == FormatId::tiff) return readTiff(path, allocate, control);
  if (id == FormatId::dicom) return readDicomFile(path, allocate, control);
  return decodeWithItk(id, path, allocate, control);
#else
  throw cannotRead(ErrorKind::Unsupported, path, "this build has no ITK", "convert it to nrrd or raw+json");
#endif
}

namespace {

#ifdef SSCOPE_IO_ITK
// The files of a folder or a pattern, when they are DICOM: a pattern of slices that know their places is a series.
std::optional<DicomInput> dicomInput(const Selection& selection, bool folder) {
  DicomInput input;
  input.shown = selection.path;
  input.series = selection.series;
  if (folder) {
    input.what = "the folder holds";
    input.files = dicomFilesOf(selection.path);
    return input;
  }
  input.what = "the pattern matches";
  for (const fs::path& file : filesOfPattern(selection.path)) input.files.push_back(file.string());
  if (!std::all_of(input.files.begin(), input.files.end(), isDicomFile)) return std::nullopt;
  return input;
}
#endif

[[noreturn]] void noSeries(const Selection& selection) {
  throw Error(ErrorKind::Usage, selection.path + " has no series to choose from",
              "leave @series away: only folders and patterns of DICOM files have them");
}

VolumeInfo readWhole(const Selection& selection, const AllocateVoxels& allocate, const Control& control) {
  const std::string& path = selection.path;
  std::error_code code;
  const bool folder = fs::is_directory(path, code), pattern = !folder && isSlicePattern(path);
#ifdef SSCOPE_IO_ITK
  if (folder || pattern)
    if (const auto dicom = dicomInput(selection, folder)) return readDicom(*dicom, allocate, control);
#else
  if (folder)
    throw cannotRead(ErrorKind::Unsupported, path, "it is a folder and this build has no ITK to read DICOM",
                     "name an nrrd or raw+json file");
#endif
  if (selection.series != 0) noSeries(selection);
  return pattern ? readSlices(path, readFile, allocate, control) : readFile(path, allocate, control);
}

}  // namespace

VolumeInfo readAny(const std::string& name, const AllocateVoxels& allocate, const Control& control) {
  if (name.empty()) throw cannotRead(ErrorKind::NotFound, "\"\"", "no file is named", "name a file");
  const Selection selection = parseSelection(name);
  const auto whole = [&](const std::string&, const AllocateVoxels& place, const Control& stop) {
    return readWhole(selection, place, stop);
  };
  return readSelected(selection, whole, allocate, control);
}

}  // namespace sscope::io
