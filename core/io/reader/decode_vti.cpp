// sscope-reader-vti: .vti files, with VTK's IOXML.

#include "core/io/base/selection.h"
#include "core/io/reader/decode_input.h"
#include "core/io/vti/vti_read.h"

namespace sscope::io {

void continueElsewhere(const Request& /*request*/) {}

VolumeInfo decodeInput(const std::string& path, bool /*headerOnly*/, const AllocateVoxels& allocate,
                       const Control& control) {
  return readSelected(parseSelection(path), readVti, allocate, control);
}

}  // namespace sscope::io
