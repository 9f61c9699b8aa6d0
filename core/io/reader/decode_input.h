#pragma once
// What the reader program decodes. Its two builds differ in this.

#include "core/io/base/decoder.h"
#include "core/io/process/protocol.h"

namespace sscope::io {

// Replaces this process by the reader for `request.path` when that is a different program. Must be called before the
// sandbox is entered. Throws Error(Io) when it cannot be started.
void continueElsewhere(const Request& request);

[[nodiscard]] VolumeInfo decodeInput(const std::string& path, bool headerOnly, const AllocateVoxels& allocate,
                                     const Control& control);

}  // namespace sscope::io
