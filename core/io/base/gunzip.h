#pragma once
// Decompression of gzip and zlib streams.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "core/base/control.h"

namespace sscope::io {

// Fills `out` from the stream that starts at byte `offset` of `path`, skipping the first `skip` unpacked bytes. The
// stream may be gzip or zlib. Throws Error(BadData), saying how much is missing, when it is damaged or too short,
// Error(Unsupported) in a build without zlib.
void gunzipInto(const std::filesystem::path& path, const std::string& shown, std::int64_t offset, std::int64_t skip,
                std::span<std::byte> out, const Control& control);

// Passes `bytes` unpacked bytes to `sink`, piece by piece, after the first `skip`. Throws as gunzipInto, and what the
// sink throws.
using TakeBytes = std::function<void(std::span<const std::byte>)>;
void gunzipEach(const std::filesystem::path& path, const std::string& shown, std::int64_t offset, std::int64_t skip,
                std::int64_t bytes, const TakeBytes& sink, const Control& control);

// How many bytes the stream holds unpacked. Throws as gunzipInto.
[[nodiscard]] std::int64_t gunzippedBytes(const std::filesystem::path& path, const std::string& shown,
                                          std::int64_t offset, const Control& control);

// Whether a file is compressed with gzip; false when it cannot be read.
[[nodiscard]] bool isGzip(const std::filesystem::path& path);

// The first `most` unpacked bytes of a gzip file, or as many as there are; empty where it cannot be unpacked.
[[nodiscard]] std::string gunzipHead(const std::filesystem::path& path, std::size_t most);

}  // namespace sscope::io
