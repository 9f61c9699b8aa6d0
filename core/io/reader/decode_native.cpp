// sscope-reader of a build without ITK: what our own decoders read.

#include "core/io/any/read_any.h"
#include "core/io/reader/decode_input.h"

namespace sscope::io {

void continueElsewhere(const Request& /*request*/) {}

VolumeInfo decodeInput(const std::string& path, bool /*headerOnly*/, const AllocateVoxels& allocate,
                       const Control& control) {
  return readAny(path, allocate, control);
}

}  // namespace sscope::io
