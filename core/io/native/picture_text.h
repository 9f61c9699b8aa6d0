#pragma once
// Texts inside pictures that say how they were made: an iTXt chunk of PNG, a comment of JPEG.

#include <string>
#include <string_view>

namespace sscope::io {

// Before a JPEG's comment of ours.
inline constexpr std::string_view kJpegProvenance = "stencilscope.provenance=";

// Empty where there is none before the pixels, or the file is damaged there.
[[nodiscard]] std::string provenanceOfPng(const std::string& path);
[[nodiscard]] std::string provenanceOfJpeg(const std::string& path);

}  // namespace sscope::io
