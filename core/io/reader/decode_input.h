#pragma once
// The decoders of the reader program. Its builds differ in this.

#include "core/io/any/locate.h"
#include "core/io/process/protocol.h"

namespace sscope::io {

// Replaces this process by another reader program if that decodes the input. Must be called before the sandbox is
// entered. Throws Error(Io) when it cannot be started.
void continueElsewhere(const Request& request, const Input& input);

// Locates the volume. Throws as VolumeIo::read.
[[nodiscard]] LocatedVolume locateInput(const Input& input, const Control& control);

}  // namespace sscope::io
