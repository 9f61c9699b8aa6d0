#include "core/io/write_any.h"

#include "core/base/paths.h"
#include "core/io/formats.h"
#include "core/io/native/nrrd.h"
#include "core/io/native/raw_json.h"
#ifdef SSCOPE_IO_ITK
#include "core/io/itk/encode.h"
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
  encodeWithItk(row.id, path, volume, control);
#endif
}

}  // namespace sscope::io
