#include "core/io/any/write.h"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/io/any/file_sink.h"
#include "core/io/any/layouts.h"
#include "core/io/base/file_error.h"
#include "core/io/base/formats.h"
#include "core/io/native/npy.h"
#include "core/io/planes/located.h"
#include "core/io/zarr/zarr_write.h"
#include "core/volume/fingerprint.h"
#ifdef SSCOPE_IO_ITK
#include "core/io/itk/hdf5_sink.h"
#include "core/io/jpeg/jpeg.h"
#include "core/io/native/png.h"
#include "core/io/tiff/tiff.h"
#endif

namespace sscope::io {

namespace {

bool hasChunks(FormatId format) { return format == FormatId::hdf5 || format == FormatId::zarr; }

// The format, after a check that it can hold the volume.
const FormatRow& requireFormat(const std::filesystem::path& path, const VolumeOutline& volume,
                               const WriteOptions& options) {
  const FormatRow& row = requireWritable(path, volume.shape, volume.type);
  requireGeometry(path, volume.geometry);
  requireMeaning(path, volume.shape, options.metadata);
  if (options.compress) requireCompressible(path);
  return row;
}

// For whole volumes, too: packed files, whose planes have an order.
std::unique_ptr<VolumeSink> sinkOf(const FormatRow& row, const std::filesystem::path& path, const VolumeOutline& volume,
                                   const WriteOptions& options, const Control& control) {
  if (row.id == FormatId::zarr) return openZarrSink(path, volume, options);
#ifdef SSCOPE_IO_ITK
  if (row.id == FormatId::hdf5) return openHdf5Sink(path, volume, options, control);
#endif
  if (hasPackedLayout(path, options.compress)) return openPackedSink(path, volume, options);
  return std::make_unique<FileSink>(path, volume, options, control);
}

// All planes: at once, or by blocks where the sink reports no progress.
void writeAll(VolumeSink& sink, const Volume& volume, bool blocks, const Control& control) {
  const std::int64_t planes = planesOf(volume.shape()), planeBytes = volume.bytes() / planes;
  constexpr std::int64_t kBlock = std::int64_t{16} << 20;
  const std::int64_t step = blocks ? std::max<std::int64_t>(1, kBlock / planeBytes) : planes;
  for (std::int64_t plane = 0; plane < planes; plane += step) {
    const std::int64_t count = std::min(step, planes - plane);
    sink.write(plane, {volume.data() + plane * planeBytes, static_cast<std::size_t>(count * planeBytes)},
               blocks ? Control{control.stop, {}} : control);
    control.report(static_cast<double>(plane + count) / static_cast<double>(planes), "writing");
  }
  sink.finish({control.stop, {}});
}

// Whole planes from pieces of any size.
class PlanesOfPieces {
 public:
  PlanesOfPieces(VolumeSink& sink, std::int64_t planeBytes)
      : sink_(sink), planeBytes_(static_cast<std::size_t>(planeBytes)) {}
  void add(std::span<const std::byte> piece, const Control& control) {
    while (!piece.empty()) {
      const bool direct = rest_.empty() && piece.size() >= planeBytes_;
      const std::size_t size =
          direct ? piece.size() / planeBytes_ * planeBytes_ : std::min(piece.size(), planeBytes_ - rest_.size());
      const auto part = piece.first(size);
      if (direct) {
        write(part, control);
      } else {
        rest_.insert(rest_.end(), part.begin(), part.end());
        if (rest_.size() == planeBytes_) {
          write(rest_, control);
          rest_.clear();
        }
      }
      piece = piece.subspan(size);
    }
  }
  [[nodiscard]] std::int64_t planes() const { return next_; }

 private:
  void write(std::span<const std::byte> planes, const Control& control) {
    sink_.write(next_, planes, control);
    next_ += static_cast<std::int64_t>(planes.size() / planeBytes_);
  }
  VolumeSink& sink_;
  std::size_t planeBytes_;
  std::int64_t next_ = 0;
  std::vector<std::byte> rest_;  // less than a plane
};

}  // namespace

void writeVolume(const std::filesystem::path& path, const Volume& volume, const WriteOptions& given,
                 const Control& control) {
  if (volume.empty())
    throw Error(ErrorKind::Usage, "cannot write " + path.string() + ": there is no volume", "open one first");
  control.check();
  const VolumeOutline outline = outlineOf(volume);
  const FormatRow& row = requireFormat(path, outline, given);
  WriteOptions options = given;
  options.untilStored = false;
  if (given.provenance) {
    // The voxels that are read from a JPEG file differ from those that were written.
    options.metadata = given.metadataFor(row.id == FormatId::jpeg ? std::string() : fingerprintOf(volume, control));
    options.provenance = {};
  }
  if (isNpz(path)) return writeNpz(path, volume, options, control);
#ifdef SSCOPE_IO_ITK
  if (row.id == FormatId::tiff && options.compress) return writePackedTiff(path, volume, options, control);
  if (row.id == FormatId::png) return writePng(path, volume, options, control);
  if (row.id == FormatId::jpeg) return writeJpeg(path, volume, options, control);
#endif
  writeAll(*sinkOf(row, path, outline, options, control), volume, hasChunks(row.id), control);
}

bool writesPieces(const std::filesystem::path& path) {
  const FormatRow* row = formatOf(path);
  if (row == nullptr) return false;
  switch (row->id) {
    case FormatId::rawJson:
    case FormatId::nrrd:
    case FormatId::mrc:
    case FormatId::meta:
    case FormatId::vti: return true;
    default: return false;
  }
}

void writePieces(const std::filesystem::path& path, const VolumeOutline& volume, const VoxelPieces& pieces,
                 const WriteOptions& given, const Control& control) {
  control.check();
  const FormatRow& row = requireFormat(path, volume, given);
  if (!writesPieces(path))
    throw cannotWrite(ErrorKind::Unsupported, path, "its format cannot be written in pieces", "choose another");
  WriteOptions options = given;
  options.untilStored = false;
  const std::unique_ptr<VolumeSink> sink = sinkOf(row, path, volume, options, control);
  PlanesOfPieces planes(*sink, volume.bytes() / planesOf(volume.shape));
  for (auto piece = pieces(); !piece.empty(); piece = pieces()) planes.add(piece, {control.stop, {}});
  if (planes.planes() != planesOf(volume.shape)) throw std::logic_error("pieces that are not the whole volume");
  sink->finish({control.stop, {}});
}

bool writesSlabs(const std::filesystem::path& path) {
  const FormatRow* row = formatOf(path);
  return row != nullptr && (hasChunks(row->id) || hasLayout(path));
}

std::unique_ptr<VolumeSink> openSink(const std::filesystem::path& path, const VolumeOutline& volume,
                                     const WriteOptions& options, const Control& control) {
  const FormatRow& row = requireWritable(path, volume.shape, volume.type);
  requireGeometry(path, volume.geometry);
  if (row.id == FormatId::zarr && options.compress) requireCompressible(path);
  if (row.id != FormatId::zarr && (options.compress || !writesSlabs(path)))
    throw cannotWrite(ErrorKind::Unsupported, path,
                      std::string(row.name) + (options.compress ? " files, compressed," : " files of its kind") +
                          " cannot be written by slabs",
                      "choose .nrrd, .mha, .nii, .vti, .tif, .npy, .mrc, .h5, .zarr or .raw without compression");
  return sinkOf(row, path, volume, options, control);
}

}  // namespace sscope::io
