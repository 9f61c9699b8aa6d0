#include "core/io/any/locate.h"

#include <algorithm>
#include <utility>

#include "core/base/paths.h"
#include "core/io/any/file_sets.h"
#include "core/io/any/slices.h"
#include "core/io/base/decoder.h"
#include "core/io/base/file_error.h"
#include "core/io/base/file_names.h"
#include "core/io/base/selection.h"
#include "core/io/base/sniff.h"
#include "core/io/native/bmp.h"
#include "core/io/native/meta.h"
#include "core/io/native/mrc.h"
#include "core/io/native/npy.h"
#include "core/io/native/nrrd.h"
#include "core/io/native/raw_json.h"
#include "core/io/native/vti.h"
#include "core/io/native/vtk.h"
#include "core/io/zarr/zarr_image.h"
#include "core/io/zarr/zarr_read.h"
#include "core/io/zarr/zarr_store.h"
#ifdef SSCOPE_IO_ITK
#include "core/io/itk/dicom_scan.h"
#include "core/io/itk/dicom_series.h"
#include "core/io/itk/hdf5_dataset.h"
#include "core/io/itk/itk_image.h"
#include "core/io/nifti/nifti.h"
#include "core/io/tiff/tiff.h"
#endif

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

fs::path folderOf(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

LocatedVolume locateFile(const Selection& selection, const InputPointer& input,
                         [[maybe_unused]] const Control& control) {
  const InputFile& file = *input;
  const FormatId id = sniffFormat(file);
  requireChoice(selection, id);
  switch (id) {
    case FormatId::rawJson: return locateRawJson(file.path());
    case FormatId::nrrd: return locateNrrd(file);
    case FormatId::npy: return locateNpy(selection, file);
    case FormatId::mrc: return locateMrc(file);
#ifdef SSCOPE_IO_ITK
    case FormatId::meta: return locateMeta(file);
    case FormatId::nifti: return locateNifti(file);
    case FormatId::vti: return locateVti(file);
    case FormatId::vtk: return locateVtk(file);
    case FormatId::tiff: return locateTiff(selection);
    case FormatId::bmp: return locateBmp(input);
    case FormatId::dicom: return locateDicomFile(file.path(), control);
    case FormatId::hdf5: return locateHdf5(file.path(), selection.dataset, control);
    case FormatId::png:
    case FormatId::jpeg: return locatePicture(id, input, control);
#endif
    default: break;
  }
  throw cannotRead(ErrorKind::Unsupported, file.path(), "this build has no ITK", "convert it to nrrd, npy or raw+json");
}

LocatedVolume locateFolder(const Selection& selection, const LocateFile& locateFile,
                           [[maybe_unused]] const Control& control) {
  const std::string& path = selection.path;
  if (isZarrStore(path)) {
    requireChoice(selection, FormatId::zarr);
    return locateZarr(selection);
  }
  if (namesStoreFolder(path))
    throw damaged(path, "its name is that of a Zarr store, and no zarr.json, .zgroup or .zarray is in it");
  std::error_code code;
  if (const fs::directory_iterator open(path, code); code) throw cannotReadErrno(path, code.value());
  const std::string pictures = picturesOf(path);
  if (selection.series == 0 && !pictures.empty()) return locateSlices(pictures, path, locateFile, control);
#ifdef SSCOPE_IO_ITK
  const DicomInput input = dicomInputOf(selection, control);
  if (!input.files.empty()) return locateDicom(input, control);
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

LocatedVolume locatePattern(const Selection& selection, const LocateFile& locateFile, const Control& control) {
#ifdef SSCOPE_IO_ITK
  // DICOM slices have positions and form a series.
  if (const DicomInput input = dicomInputOf(selection, control); !input.files.empty())
    return locateDicom(input, control);
#endif
  requireNoChoice(selection);
  return locateSlices(selection.path, selection.path, locateFile, control);
}

LocatedVolume locateInput(const Input& input, const LocateFile& locateFile, const Control& control) {
  const Selection& selection = input.selection;
  std::error_code code;
  if (selection.path.empty()) throw cannotRead(ErrorKind::NotFound, "\"\"", "no file is named", "name a file");
  if (fs::is_directory(selection.path, code)) return locateFolder(selection, locateFile, control);
  if (isSlicePattern(selection.path)) return locatePattern(selection, locateFile, control);
  if (const auto& raw = selection.correction.raw) {
    requireNoChoice(selection);
    return locateRawLayout(selection.path, *raw);
  }
  if (input.failure) std::rethrow_exception(input.failure);
  return locateFile(selection, input.file);
}

// Slices that follow each other within each frame and channel are frames of the file. Others are moved once all pages
// were read.
void arrangePages(LocatedVolume& located, const PageOrder& order) {
  const std::int64_t groups = order.frames * order.channels;
  StoredVoxels& voxels = located.voxels;
  const VolumeInfo file = located.info;
  located.info = arranged(std::move(located.info), order);
  if (groups == 1) return;
  const bool slicesLast = order.slices == 1 || order.order.ends_with('z');
  if (!slicesLast || voxels.packing == Packing::Planes || voxels.layout.frames > 1) {
    located.onlyWhole = "its slices lie between its channels or frames";
    located.pages = {order, file, {}};
    return;
  }
  const bool timeFastest = order.order.find('c') < order.order.find('t');
  voxels.layout = framesOf(located.info.shape, voxels.layout.components);
  voxels.layout.times = timeFastest ? order.frames : 1;
  voxels.chosen = allOf(located.info.shape);
}

}  // namespace

Input openInput(const std::string& name) {
  Input input{name, parseSelection(name), nullptr, nullptr};
  const std::string& path = input.selection.path;
  std::error_code code;
  if (path.empty() || input.selection.correction.raw || fs::is_directory(path, code) || isSlicePattern(path))
    return input;
  try {
    input.file = std::make_shared<const InputFile>(path);
  } catch (const Error&) {
    input.failure = std::current_exception();
  }
  return input;
}

std::vector<fs::path> neededFor(const Input& input) {
  const std::string& path = input.selection.path;
  std::error_code code;
  if (fs::is_directory(path, code)) return {path};
  if (isSlicePattern(path)) return {folderOf(path)};
  return {input.file != nullptr && mayHaveDataFiles(*input.file) ? folderOf(path) : fs::path(path)};
}

LocatedVolume locateWith(const Input& input, const LocateFile& locateFile, const Control& control) {
  LocatedVolume located = locateInput(input, locateFile, control);
  const Selection& selection = input.selection;
  const Correction& correction = selection.correction;
  if (!correction.axes.empty()) arrangePages(located, pageOrder(correction.axes, selection.path, located.info));
  VolumeInfo& info = located.info;
  info.fileFrames = std::max(info.fileFrames, info.metadata.frames);
  info = corrected(std::move(info), correction);
  // Of a store only the chosen part is read.
  const bool chosen = isZarrStore(selection.path) && zarrChooses(selection);
  if (!selection.some() || chosen) return located;
  const ChosenComponents components = chosenComponents(selection, info);
  info = chosenInfo(selection, std::move(info), components);
  (located.pages ? located.pages->chosen : located.voxels.chosen) = components;
  return located;
}

LocatedVolume locate(const Input& input, const Control& control) {
  return locateWith(
      input, [&](const Selection& selection, const InputPointer& file) { return locateFile(selection, file, control); },
      control);
}

std::vector<FilePart> partsOf(const Input& input, [[maybe_unused]] const Control& control) {
  constexpr std::size_t kMostParts = 500;
  const Selection& selection = input.selection;
  const std::string& path = selection.path;
  if (input.failure) std::rethrow_exception(input.failure);
  std::vector<FilePart> parts;
  if (isZarrStore(path)) {
    parts = partsOfZarr(ZarrStore(path), selection);
  } else if (input.file == nullptr) {
#ifdef SSCOPE_IO_ITK
    if (!selection.correction.raw) parts = partsOfDicom(dicomInputOf(selection, control), control);
#endif
  } else {
    switch (sniffFormat(*input.file)) {
      case FormatId::npy: parts = partsOfNpy(*input.file); break;
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
