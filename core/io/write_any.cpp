#include "core/io/write_any.h"

#include "core/base/paths.h"
#include "core/io/formats.h"
#include "core/io/native/nrrd.h"
#include "core/io/native/raw_json.h"
#ifdef SSCOPE_IO_ITK
#include "core/io/itk/encode.h"
#include "core/io/native/meta_write.h"
#include "core/io/native/vti_write.h"
#include "core/io/nifti/nifti.h"
#include "core/io/tiff/tiff.h"
#endif

namespace sscope::io {

void writeAny(const std::filesystem::path& path, const Volume& volume, const Control& control) {
  if (volume.empty())
    throw Error(ErrorKind::Usage, "cannot write " + path.string() + ": there is no volume", "open one first");
  control.check();
  const FormatRow& row = requireWritable(path, volume.shape(), volume.type());
  if (row.id == FormatId::rawJson) return writeRawJson(path, volume, control);
  if (row.id == FormatId::nrrd) return writeNrrd(path, volume, control);
#ifdef SSCOPE_IO_ITK
  if (row.id == FormatId::meta) return writeMeta(path, volume, control);
  if (row.id == FormatId::vti) return writeVti(path, volume, control);
  if (row.id == FormatId::nifti) return writeNifti(path, volume, control);
  if (row.id == FormatId::tiff) return writeTiff(path, volume, control);
  encodeWithItk(row.id, path, volume, control);
#endif
}

}  // namespace sscope::io
