// sscope-reader-vti: .vti files, with VTK's IOXML.

#include "core/io/reader/decode_input.h"
#include "core/io/vti/vti_read.h"

namespace sscope::io {

VolumeInfo decodeInput(const std::string& path, bool /*headerOnly*/, const AllocateVoxels& allocate) {
  return readVti(path, allocate, {});
}

}  // namespace sscope::io
