#include "core/io/any/locate.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/io/base/file_error.h"
#include "core/io/base/formats.h"
#include "core/io/base/selection.h"
#include "core/io/base/slices.h"
#include "core/io/base/sniff.h"
#include "core/io/native/mrc.h"
#include "core/io/native/npy.h"
#include "core/io/native/nrrd.h"
#include "core/io/native/raw_json.h"
#include "core/io/native/raw_layout_read.h"
#include "core/io/planes/decoded_planes.h"
#include "core/io/zarr/zarr_read.h"
#include "core/io/zarr/zarr_store.h"
#ifdef SSCOPE_IO_ITK
#include "core/io/itk/decode.h"
#include "core/io/itk/dicom_series.h"
#include "core/io/itk/hdf5_dataset.h"
#include "core/io/native/meta_read.h"
#include "core/io/native/vti_header.h"
#include "core/io/nifti/nifti.h"
#include "core/io/tiff/tiff.h"
#endif

namespace sscope::io {

namespace {

DecodedPlanes openFile(const Selection& file, [[maybe_unused]] const Control& control) {
  const std::string& path = file.path;
  const FormatId id = sniffFormat(path);
#ifdef SSCOPE_IO_ITK
  if (id == FormatId::tiff) return openTiffPlanes(file);
  if (id == FormatId::hdf5)
    return file.dataset.empty() && isItkHdf5(path) ? openPlanesWithItk(id, path, control)
                                                   : openHdf5Planes(path, file.dataset, control);
#endif
  throw notBySlabs(path, std::string(formatRow(id).name) + " files are read as a whole");
}

}  // namespace

DecodedPlanes openDecodedPlanes(const std::string& name, const Control& control) {
  const Selection selection = parseSelection(name);
  std::error_code code;
  if (isZarrStore(selection.path)) {
    requireChoice(selection, FormatId::zarr);
    return openZarrPlanes(selection);
  }
  if (!std::filesystem::is_directory(selection.path, code) && !isSlicePattern(selection.path))
    return openFile(selection, control);
#ifdef SSCOPE_IO_ITK
  if (const DicomInput input = dicomInputOf(selection, control); !input.files.empty())
    return openDicomPlanes(input, control);
#endif
  throw notBySlabs(selection.path, "its slices lie in files of their own");
}

namespace {

LocatedVolume locateFile(const Selection& file, [[maybe_unused]] const Control& control) {
  const std::string& path = file.path;
  const FormatId id = sniffFormat(path);
  requireChoice(file, id);
  switch (id) {
    case FormatId::rawJson: return locateRawJson(path);
    case FormatId::nrrd: return locateNrrd(parseNrrdHeader(path), path);
    case FormatId::npy: return locateNpy(file);
    case FormatId::mrc: return locateMrc(path);
#ifdef SSCOPE_IO_ITK
    case FormatId::meta: return locateMeta(path);
    case FormatId::nifti: return locateNifti(path, control);
    case FormatId::vti: return locateVti(path);
    case FormatId::tiff:
      if (auto plain = locateTiff(file)) return std::move(*plain);
      break;
#endif
    default: break;
  }
  return locatedPlanes(path, openDecodedPlanes(file.name(), control).info);
}

}  // namespace

namespace {

// Slices that follow each other within each frame and channel are frames of the file.
void order(LocatedVolume& located, const std::string& path, const PageOrder& order) {
  const std::int64_t groups = order.frames * order.channels;
  if (groups == 1) return;
  StoredVoxels& voxels = located.voxels;
  const bool slicesLast = order.slices == 1 || order.order.ends_with('z');
  if (!slicesLast || voxels.packing == Packing::Planes || voxels.layout.frames > 1)
    throw notBySlabs(path, "its slices lie between its channels or frames");
  located.info = arranged(std::move(located.info), order);
  const bool timeFastest = order.order.find('c') < order.order.find('t');
  voxels.layout = framesOf(located.info.shape, voxels.layout.components);
  voxels.layout.times = timeFastest ? order.frames : 1;
  voxels.chosen = allOf(located.info.shape);
}

}  // namespace

LocatedVolume locateVoxels(const std::string& name, const Control& control) {
  if (name.empty()) throw cannotRead(ErrorKind::NotFound, "\"\"", "no file is named", "name a file");
  const Selection selection = parseSelection(name);
  std::error_code code;
  const bool several = std::filesystem::is_directory(selection.path, code) || isSlicePattern(selection.path);
  if (selection.correction.raw) requireNoChoice(selection);
  LocatedVolume located = several ? locatedPlanes(selection.path, openDecodedPlanes(name, control).info)
                          : selection.correction.raw ? locateRawLayout(selection.path, *selection.correction.raw)
                                                     : locateFile(selection, control);
  located.info.plain.reset();
  const Correction& correction = selection.correction;
  const bool chosen = isZarrStore(selection.path) && zarrChooses(selection);
  if (!correction.axes.empty())
    order(located, selection.path, pageOrder(correction.axes, selection.path, located.info));
  located.info = corrected(std::move(located.info), correction);
  located.info.fileFrames = std::max(located.info.fileFrames, located.info.metadata.frames);
  if (!selection.some() || chosen) return located;
  located.voxels.chosen = chosenComponents(selection, located.info);
  located.info = chosenInfo(selection, std::move(located.info), located.voxels.chosen);
  return located;
}

}  // namespace sscope::io
