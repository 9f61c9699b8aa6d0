#include "core/io/read_any.h"

#include <filesystem>

#include "core/io/file_error.h"
#include "core/io/native/nrrd.h"
#include "core/io/native/raw_json.h"
#include "core/io/slices.h"
#include "core/io/sniff.h"
#ifdef SSCOPE_IO_ITK
#include "core/io/itk/decode.h"
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
    if (readsNrrdNatively(header) || !kWithItk) return readNrrd(header, path, allocate, control);
  }
#ifdef SSCOPE_IO_ITK
  if (id == FormatId::nifti) return readNifti(path, allocate, control);
  if (id == FormatId::tiff) return readTiff(path, allocate, control);
  return decodeWithItk(id, path, allocate, control);
#else
  throw cannotRead(ErrorKind::Unsupported, path, "this build has no ITK", "convert it to nrrd or raw+json");
#endif
}

VolumeInfo readAny(const std::string& path, const AllocateVoxels& allocate, const Control& control) {
  if (path.empty()) throw cannotRead(ErrorKind::NotFound, "\"\"", "no file is named", "name a file");
  std::error_code code;
  if (fs::is_directory(path, code)) {
#ifdef SSCOPE_IO_ITK
    return readDicomFolder(path, allocate, control);
#else
    throw cannotRead(ErrorKind::Unsupported, path, "it is a folder and this build has no ITK to read DICOM",
                     "name an nrrd or raw+json file");
#endif
  }
  if (isSlicePattern(path)) return readSlices(path, readFile, allocate, control);
  return readFile(path, allocate, control);
}

}  // namespace sscope::io
