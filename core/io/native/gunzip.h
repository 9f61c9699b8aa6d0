#pragma once
// Decompression of gzip and zlib streams straight into the final memory.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "core/base/control.h"

namespace sscope::io {

// Fills `out` from the stream that starts at byte `offset` of `path`, leaving out the first `skip` unpacked bytes.
// Throws Error(BadData) when the stream is damaged or too short, Error(Unsupported) in a build without zlib.
void gunzipInto(const std::filesystem::path& path, const std::string& shown, std::int64_t offset, std::int64_t skip,
                std::span<std::byte> out, const Control& control);

}  // namespace sscope::io
