#pragma once
// BMP pictures: palettes of 1, 4 and 8 bits, 16, 24 and 32 bits with or without masks, runs of bytes; all headers from
// that of OS/2 to version 5.

#include "core/io/base/input_file.h"
#include "core/io/planes/located.h"

namespace sscope::io {

// Gray palettes become one component, others and colors three, with alpha four. Throws Error(BadData) where pixels are
// missing, Error(Unsupported) for other packing.
[[nodiscard]] LocatedVolume locateBmp(const InputPointer& file);

}  // namespace sscope::io
