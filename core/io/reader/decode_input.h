#pragma once
// What the reader program decodes; its builds differ here.

#include "core/io/decoder.h"
#include "core/io/process/protocol.h"

namespace sscope::io {

// Replaces this program by the one that reads `request.path`, where that is another one. Called before anything is
// given up. Throws Error(Io) when it cannot be started.
void continueElsewhere(const Request& request);

[[nodiscard]] VolumeInfo decodeInput(const std::string& path, bool headerOnly, const AllocateVoxels& allocate,
                                     const Control& control);

}  // namespace sscope::io
