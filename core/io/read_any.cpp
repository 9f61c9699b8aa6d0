#include "core/io/read_any.h"

#include <filesystem>

#include "core/io/file_error.h"
#include "core/io/sniff.h"
#ifdef SSCOPE_IO_ITK
#include "core/io/itk/decode.h"
#endif

namespace sscope::io {

VolumeInfo readAny(const std::string& path, const AllocateVoxels& allocate, const Control& control) {
  const FormatId id = sniffFormat(path);
  return decodeWithItk(id, path, allocate, control);
}

}  // namespace sscope::io
