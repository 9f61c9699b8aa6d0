#include "core/io/read_any.h"

#include "core/io/file_error.h"
#include "core/io/native/raw_json.h"
#include "core/io/sniff.h"
#ifdef SSCOPE_IO_ITK
#include "core/io/itk/decode.h"
#else
#include "core/io/native/nrrd.h"
#endif

namespace sscope::io {

VolumeInfo readAny(const std::string& path, const AllocateVoxels& allocate, const Control& control) {
  const FormatId id = sniffFormat(path);
  if (id == FormatId::rawJson) return readRawJson(path, allocate, control);
#ifdef SSCOPE_IO_ITK
  return decodeWithItk(id, path, allocate, control);
#else
  if (id != FormatId::nrrd)
    throw cannotRead(ErrorKind::Unsupported, path, "this build has no ITK", "convert it to nrrd or raw+json");
  return readNrrd(path, allocate, control);
#endif
}

}  // namespace sscope::io
