#include "core/io/stream/decoded_planes.h"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "core/io/file_error.h"
#include "core/io/formats.h"
#include "core/io/process/protocol.h"
#include "core/io/selection.h"
#include "core/io/slices.h"
#include "core/io/sniff.h"
#include "core/io/zarr/zarr_read.h"
#include "core/io/zarr/zarr_store.h"
#include "core/volume/array_view.h"
#include "core/volume/selection.h"
#ifdef SSCOPE_IO_ITK
#include "core/io/itk/decode.h"
#include "core/io/itk/dicom_series.h"
#include "core/io/itk/hdf5_dataset.h"
#include "core/io/tiff/tiff.h"
#endif

namespace sscope::io {

namespace {

std::int64_t planesOf(const VolumeShape& s) {
  const std::array<std::int64_t, 4> extent = {s.nx, s.ny, s.nz, s.components};
  return extent[slowestAxis(extent)];
}

std::int64_t planeBytesOf(const VolumeInfo& info) {
  return info.shape.elements() / planesOf(info.shape) * static_cast<std::int64_t>(sscope::bytesOf(info.type));
}

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

void sendPlanes(const DecodedPlanes& planes, std::int64_t begin, const TakeBytes& take, const Control& control) {
  // Chunks that hold several planes are unpacked once for so many, where these are not too much to be held.
  constexpr std::int64_t kAtOnce = std::int64_t{8} << 20, kMostTogether = std::int64_t{128} << 20;
  const std::int64_t all = planesOf(planes.info.shape), planeBytes = planeBytesOf(planes.info);
  const std::int64_t share = planes.together * planeBytes <= kMostTogether ? planes.together : 1;
  const std::int64_t most = std::max<std::int64_t>(1, kAtOnce / planeBytes / share) * share;
  std::vector<std::byte> buffer;
  for (std::int64_t first = begin, last = begin; first < all; first = last) {
    last = std::min(all, (first / share) * share + most);
    buffer.resize(static_cast<std::size_t>((last - first) * planeBytes));
    planes.read(first, last, buffer, control);
    for (std::size_t done = 0; done < buffer.size(); done += kLongestFrame)
      take(std::span<const std::byte>(buffer).subspan(done, std::min(kLongestFrame, buffer.size() - done)));
  }
}

LocatedVolume locatedPlanes(const std::string& file, VolumeInfo info) {
  LocatedVolume located{std::move(info), {}};
  StoredVoxels& voxels = located.voxels;
  voxels.file = file;
  voxels.packing = Packing::Planes;
  voxels.runBytes = planeBytesOf(located.info);
  voxels.type = storedAs(located.info.type);
  voxels.layout = framesOf(located.info.shape, located.info.shape.components);
  voxels.chosen = allOf(located.info.shape);
  return located;
}

}  // namespace sscope::io
