#include "core/io/read_any.h"

#include <filesystem>

#include "core/io/file_error.h"
#include "core/io/native/meta_read.h"
#include "core/io/native/nrrd.h"
#include "core/io/native/raw_json.h"
#include "core/io/native/raw_layout_read.h"
#include "core/io/selection.h"
#include "core/io/slices.h"
#include "core/io/sniff.h"
#ifdef SSCOPE_IO_ITK
#include "core/io/itk/decode.h"
#include "core/io/itk/dicom_series.h"
#include "core/io/itk/hdf5_dataset.h"
#include "core/io/nifti/nifti.h"
#include "core/io/tiff/tiff.h"
#endif

namespace sscope::io {

namespace fs = std::filesystem;

VolumeInfo readFile(const std::string& path, const AllocateVoxels& allocate, const Control& control) {
  const FormatId id = sniffFormat(path);
  if (id == FormatId::rawJson) return readRawJson(path, allocate, control);
  if (id == FormatId::nrrd) return readNrrd(parseNrrdHeader(path), path, allocate, control);
#ifdef SSCOPE_IO_ITK
  if (id == FormatId::meta) return readMeta(path, allocate, control);
  if (id == FormatId::nifti) return readNifti(path, allocate, control);
  if (id == FormatId::tiff) return readTiff(path, allocate, control);
  if (id == FormatId::dicom) return readDicomFile(path, allocate, control);
  if (id == FormatId::hdf5 && !isItkHdf5(path)) return readHdf5Dataset(path, {}, allocate, control);
  return decodeWithItk(id, path, allocate, control);
#else
  throw cannotRead(ErrorKind::Unsupported, path, "this build has no ITK", "convert it to nrrd or raw+json");
#endif
}

namespace {

[[noreturn]] void noSeries(const Selection& selection) {
  throw Error(ErrorKind::Usage, selection.path + " has no series to choose from",
              "leave @series out: only folders and patterns of DICOM files have them");
}

VolumeInfo readPattern(const Selection& selection, const AllocateVoxels& allocate, const Control& control) {
#ifdef SSCOPE_IO_ITK
  // A pattern of slices that know their places is a series.
  if (const DicomInput input = dicomInputOf(selection); !input.files.empty())
    return readDicom(input, allocate, control);
#endif
  if (selection.series != 0) noSeries(selection);
  return readSlices(selection.path, readFile, allocate, control);
}

VolumeInfo readFolder(const Selection& selection, const AllocateVoxels& allocate, const Control& control) {
  const std::string& path = selection.path;
  std::error_code code;
  if (const fs::directory_iterator open(path, code); code) throw cannotReadErrno(path, code.value());
  const std::string pictures = picturesOf(path);
  if (selection.series == 0 && !pictures.empty()) return readSlices(pictures, readFile, allocate, control);
#ifdef SSCOPE_IO_ITK
  if (const DicomInput input = dicomInputOf(selection); !input.files.empty())
    return readDicom(input, allocate, control);
  const std::string wanted = "no DICOM files, nor mostly pictures of one format";
#else
  const std::string wanted = "nothing that this build, which has no ITK, reads from folders";
#endif
  throw cannotRead(ErrorKind::NotFound, path, "the folder holds " + filesText(path) + ", and " + wanted,
                   "name a file, or a pattern of slices such as slice_*.png");
}

VolumeInfo readWhole(const Selection& selection, const AllocateVoxels& allocate, const Control& control) {
  std::error_code code;
  if (fs::is_directory(selection.path, code)) return readFolder(selection, allocate, control);
  if (isSlicePattern(selection.path)) return readPattern(selection, allocate, control);
  if (selection.series != 0) noSeries(selection);
  if (const auto& raw = selection.correction.raw) return readRawLayout(selection.path, *raw, allocate, control);
#ifdef SSCOPE_IO_ITK
  if (!selection.dataset.empty()) return readHdf5Dataset(selection.path, selection.dataset, allocate, control);
#endif
  return readFile(selection.path, allocate, control);
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
