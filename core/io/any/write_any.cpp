#include "core/io/any/write_any.h"

#include "core/base/paths.h"
#include "core/io/base/file_error.h"
#include "core/io/base/formats.h"
#include "core/io/base/voxel_pieces.h"
#include "core/io/native/mrc.h"
#include "core/io/native/npy.h"
#include "core/io/native/nrrd.h"
#include "core/io/native/raw_json.h"
#include "core/io/zarr/zarr_write.h"
#include "core/volume/fingerprint.h"
#ifdef SSCOPE_IO_ITK
#include "core/io/itk/encode.h"
#include "core/io/jpeg/jpeg_write.h"
#include "core/io/native/meta_write.h"
#include "core/io/native/png_write.h"
#include "core/io/native/vti_write.h"
#include "core/io/nifti/nifti.h"
#include "core/io/tiff/tiff.h"
#endif

namespace sscope::io {

namespace {

// The format, once it is clear that it holds such a volume.
const FormatRow& requireFormat(const std::filesystem::path& path, const VolumeOutline& volume,
                               const WriteOptions& options) {
  const FormatRow& row = requireWritable(path, volume.shape, volume.type);
  requireGeometry(path, volume.geometry);
  requireMeaning(path, volume.shape, options.metadata);
  if (options.compress) requireCompressible(path);
  return row;
}

// Whether the format is one whose voxels follow each other as in memory.
bool writePlain(FormatId format, const std::filesystem::path& path, const VolumeOutline& volume,
                const VoxelPieces& pieces, const WriteOptions& options, const Control& control) {
  if (format == FormatId::rawJson) {
    writeRawJson(path, volume, pieces, options, control);
  } else if (format == FormatId::nrrd) {
    writeNrrd(path, volume, pieces, options, control);
  } else if (format == FormatId::mrc) {
    writeMrc(path, volume, pieces, options, control);
#ifdef SSCOPE_IO_ITK
  } else if (format == FormatId::meta) {
    writeMeta(path, volume, pieces, options, control);
  } else if (format == FormatId::vti) {
    writeVti(path, volume, pieces, options, control);
#endif
  } else {
    return false;
  }
  return true;
}

}  // namespace

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

void writeInPieces(const std::filesystem::path& path, const VolumeOutline& volume, const VoxelPieces& pieces,
                   const WriteOptions& options, const Control& control) {
  control.check();
  const FormatRow& row = requireFormat(path, volume, options);
  FingerprintSum sum(volume.shape, volume.type);
  const VoxelPieces seen = [&] {
    const auto piece = pieces();
    sum.follow(piece);
    return piece;
  };
  WriteOptions own = options;
  own.metadata = options.metadataFor({});
  if (options.provenance) own.provenance = [&](const std::string&) { return options.provenance(sum.text()); };
  if (!writePlain(row.id, path, volume, options.provenance ? seen : pieces, own, control))
    throw cannotWrite(ErrorKind::Unsupported, path, "its format cannot be written in pieces", "choose another");
}

void writeAny(const std::filesystem::path& path, const Volume& volume, const WriteOptions& given,
              const Control& control) {
  if (volume.empty())
    throw Error(ErrorKind::Usage, "cannot write " + path.string() + ": there is no volume", "open one first");
  control.check();
  const VolumeOutline outline = outlineOf(volume);
  const FormatRow& row = requireFormat(path, outline, given);
  WriteOptions options = given;
  if (given.provenance) {
    // What a JPEG gives back are other voxels.
    options.metadata = given.metadataFor(row.id == FormatId::jpeg ? std::string() : fingerprintOf(volume, control));
    options.provenance = {};
  }
  if (writePlain(row.id, path, outline, wholeOf(volume), options, control)) return;
  if (row.id == FormatId::npy) return writeNpy(path, volume, options, control);
  if (row.id == FormatId::zarr) return writeZarr(path, volume, options, control);
#ifdef SSCOPE_IO_ITK
  if (row.id == FormatId::nifti) return writeNifti(path, volume, options, control);
  if (row.id == FormatId::tiff) return writeTiff(path, volume, options, control);
  if (row.id == FormatId::png) return writePng(path, volume, options, control);
  if (row.id == FormatId::jpeg) return writeJpeg(path, volume, options, control);
  encodeWithItk(row.id, path, volume, options, control);
#endif
}

}  // namespace sscope::io
