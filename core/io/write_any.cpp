#include "core/io/write_any.h"

#include "core/base/paths.h"
#include "core/io/formats.h"
#include "core/io/native/nrrd.h"
#include "core/io/native/raw_json.h"
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

void writeAny(const std::filesystem::path& path, const Volume& volume, const WriteOptions& options,
              const Control& control) {
  if (volume.empty())
    throw Error(ErrorKind::Usage, "cannot write " + path.string() + ": there is no volume", "open one first");
  control.check();
  const FormatRow& row = requireWritable(path, volume.shape(), volume.type());
  requireGeometry(path, volume.geometry());
  if (options.compress) requireCompressible(path);
  if (row.id == FormatId::rawJson) return writeRawJson(path, volume, control);
  if (row.id == FormatId::nrrd) return writeNrrd(path, volume, options, control);
#ifdef SSCOPE_IO_ITK
  if (row.id == FormatId::meta) return writeMeta(path, volume, options.compress, control);
  if (row.id == FormatId::vti) return writeVti(path, volume, control);
  if (row.id == FormatId::nifti) return writeNifti(path, volume, options.metadata, control);
  if (row.id == FormatId::tiff) return writeTiff(path, volume, options, control);
  if (row.id == FormatId::png) return writePng(path, volume, control);
  if (row.id == FormatId::jpeg) return writeJpeg(path, volume, control);
  encodeWithItk(row.id, path, volume, options.compress, control);
#endif
}

}  // namespace sscope::io
