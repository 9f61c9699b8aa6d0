#pragma once
// JPEG pictures: checks and texts of files that ITK decodes, and our own writer.

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/control.h"
#include "core/io/base/input_file.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

// Checks that the picture is complete: libjpeg fills missing parts with gray and a warning that ITK does not pass on.
// Decodes the coded pixels without keeping them. Throws Error(BadData) where they end early or make no sense,
// Error(NotFound, Io).
void requireWholeJpeg(const std::string& path);

// The start of a comment with our provenance.
inline constexpr std::string_view kJpegProvenance = "stencilscope.provenance=";
// The provenance in a comment; empty where there is none before the pixels, or the file is damaged there.
[[nodiscard]] std::string provenanceOfJpeg(const InputFile& file);

// One slice of u8 with 1 (gray) or 3 (RGB) components, at quality 95. Throws Error(Io, Unsupported), Canceled.
void writeJpeg(const std::filesystem::path& path, const Volume& volume, const WriteOptions& options,
               const Control& control);

}  // namespace sscope::io
