#include "core/io/any/chunk_sink.h"

#include "core/io/base/file_error.h"
#include "core/io/base/formats.h"
#include "core/io/zarr/zarr_write.h"
#ifdef SSCOPE_IO_ITK
#include "core/io/itk/slab_sink.h"
#endif

namespace sscope::io {

bool writesChunks(const std::filesystem::path& path) {
  const FormatRow* row = formatOf(path);
  return row != nullptr && (row->id == FormatId::hdf5 || row->id == FormatId::zarr);
}

std::unique_ptr<VolumeSink> openChunkSink(const std::filesystem::path& path, const VolumeOutline& volume,
                                          const WriteOptions& options, [[maybe_unused]] const Control& control) {
  const FormatRow& row = requireWritable(path, volume.shape, volume.type);
  requireGeometry(path, volume.geometry);
  if (row.id == FormatId::zarr) {
    if (options.compress) requireCompressible(path);
    return openZarrSink(path, volume, options);
  }
#ifdef SSCOPE_IO_ITK
  if (writesChunks(path) && !options.compress) return openSinkWithItk(row.id, path, volume, options, control);
#endif
  throw cannotWrite(ErrorKind::Unsupported, path,
                    std::string(row.name) + (options.compress ? ", compressed," : "") + " cannot be written by slabs",
                    "choose .nrrd, .mha, .nii, .vti, .tif, .h5, .zarr or .raw without compression");
}

}  // namespace sscope::io
