#include "core/io/any/read_any.h"

#include <algorithm>
#include <filesystem>

#include "core/base/paths.h"
#include "core/io/base/file_error.h"
#include "core/io/base/selection.h"
#include "core/io/base/slices.h"
#include "core/io/base/sniff.h"
#include "core/io/native/bmp_read.h"
#include "core/io/native/meta_read.h"
#include "core/io/native/mrc.h"
#include "core/io/native/npy.h"
#include "core/io/native/nrrd.h"
#include "core/io/native/raw_json.h"
#include "core/io/native/raw_layout_read.h"
#include "core/io/native/vtk_read.h"
#include "core/io/zarr/zarr_image.h"
#include "core/io/zarr/zarr_read.h"
#include "core/io/zarr/zarr_store.h"
#ifdef SSCOPE_IO_ITK
#include "core/io/itk/decode.h"
#include "core/io/itk/dicom_scan.h"
#include "core/io/itk/dicom_series.h"
#include "core/io/itk/hdf5_dataset.h"
#include "core/io/nifti/nifti.h"
#include "core/io/tiff/tiff.h"
#endif

namespace sscope::io {

namespace fs = std::filesystem;

VolumeInfo readFile(const Selection& file, const AllocateVoxels& allocate, const Control& control) {
  const std::string& path = file.path;
  const FormatId id = sniffFormat(path);
  requireChoice(file, id);
  if (id == FormatId::rawJson) return readRawJson(path, allocate, control);
  if (id == FormatId::nrrd) return readNrrd(parseNrrdHeader(path), path, allocate, control);
  if (id == FormatId::npy) return readNpy(file, allocate, control);
  if (id == FormatId::mrc) return readMrc(path, allocate, control);
#ifdef SSCOPE_IO_ITK
  if (id == FormatId::bmp) return readBmp(path, allocate, control);
  if (id == FormatId::vtk) return readVtk(path, allocate, control);
  if (id == FormatId::meta) return readMeta(path, allocate, control);
  if (id == FormatId::nifti) return readNifti(path, allocate, control);
  if (id == FormatId::tiff) return readTiff(file, allocate, control);
  if (id == FormatId::dicom) return readDicomFile(path, allocate, control);
  if (id == FormatId::hdf5 && (!file.dataset.empty() || !isItkHdf5(path)))
    return readHdf5Dataset(path, file.dataset, allocate, control);
  return decodeWithItk(id, path, allocate, control);
#else
  throw cannotRead(ErrorKind::Unsupported, path, "this build has no ITK", "convert it to nrrd, npy or raw+json");
#endif
}

namespace {

VolumeInfo readNamed(const std::string& path, const AllocateVoxels& allocate, const Control& control) {
  Selection file;
  file.path = path;
  return readFile(file, allocate, control);
}

VolumeInfo readPattern(const Selection& selection, const AllocateVoxels& allocate, const Control& control) {
#ifdef SSCOPE_IO_ITK
  // A pattern of slices that know their places is a series.
  if (const DicomInput input = dicomInputOf(selection, control); !input.files.empty())
    return readDicom(input, allocate, control);
#endif
  requireNoChoice(selection);
  return readSlices(selection.path, readNamed, allocate, control);
}

VolumeInfo readFolder(const Selection& selection, const AllocateVoxels& allocate, const Control& control) {
  const std::string& path = selection.path;
  if (isZarrStore(path)) {
    requireChoice(selection, FormatId::zarr);
    return readZarr(selection, allocate, control);
  }
  if (namesStoreFolder(path))
    throw damaged(path, "its name is that of a Zarr store, and no zarr.json, .zgroup or .zarray is in it");
  std::error_code code;
  if (const fs::directory_iterator open(path, code); code) throw cannotReadErrno(path, code.value());
  const std::string pictures = picturesOf(path);
  if (selection.series == 0 && !pictures.empty()) return readSlices(pictures, readNamed, allocate, control);
#ifdef SSCOPE_IO_ITK
  const DicomInput input = dicomInputOf(selection, control);
  if (!input.files.empty()) return readDicom(input, allocate, control);
  if (input.cut)
    throw cannotRead(ErrorKind::NotFound, path,
                     "none of the first " + std::to_string(kMostEntries) + " files and folders in it is DICOM",
                     "name the folder of the slices itself");
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
  if (const auto& raw = selection.correction.raw) {
    requireNoChoice(selection);
    return readRawLayout(selection.path, *raw, allocate, control);
  }
  return readFile(selection, allocate, control);
}

}  // namespace

VolumeInfo readAny(const std::string& name, const AllocateVoxels& allocate, const Control& control) {
  if (name.empty()) throw cannotRead(ErrorKind::NotFound, "\"\"", "no file is named", "name a file");
  const Selection selection = parseSelection(name);
  const auto whole = [&](const std::string&, const AllocateVoxels& place, const Control& stop) {
    return readWhole(selection, place, stop);
  };
  // Of what a store has only the chosen part is read.
  Selection rest = selection;
  if (isZarrStore(selection.path) && zarrChooses(selection)) rest.frame = rest.channel = std::nullopt;
  return readSelected(rest, whole, allocate, control);
}

std::vector<FilePart> partsOf(const std::string& name, [[maybe_unused]] const Control& control) {
  constexpr std::size_t kMostParts = 500;
  if (!mayHaveParts(name)) return {};
  const Selection selection = parseSelection(name);
  const std::string& path = selection.path;
  std::vector<FilePart> parts;
  std::error_code code;
  if (isZarrStore(path)) {
    parts = partsOfZarr(ZarrStore(path), selection);
  } else if (fs::is_directory(path, code) || isSlicePattern(path)) {
#ifdef SSCOPE_IO_ITK
    parts = partsOfDicom(dicomInputOf(selection, control), control);
#endif
  } else {
    switch (sniffFormat(path)) {
      case FormatId::npy: parts = partsOfNpy(path); break;
#ifdef SSCOPE_IO_ITK
      case FormatId::tiff: parts = partsOfTiff(path); break;
      case FormatId::hdf5: parts = partsOfHdf5(path); break;
#endif
      default: break;
    }
  }
  if (parts.size() < 2) return {};
  parts.resize(std::min(parts.size(), kMostParts));
  return parts;
}

}  // namespace sscope::io
