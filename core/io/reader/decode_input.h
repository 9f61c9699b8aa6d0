#pragma once
// What the reader program decodes; its two builds differ here.

#include "core/io/decoder.h"

namespace sscope::io {

[[nodiscard]] VolumeInfo decodeInput(const std::string& path, bool headerOnly, const AllocateVoxels& allocate);

}  // namespace sscope::io
