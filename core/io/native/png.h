#pragma once
// PNG pictures: checks and texts of files that ITK decodes, and our own writer.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/control.h"
#include "core/io/base/input_file.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

// Checks everything before the pixels. libpng ends the program for some invalid headers, because ITK handles its errors
// only while pixels are read. Throws Error(BadData), Error(Unsupported) for extents that libpng refuses, Error(Io).
void requirePngHeader(const InputFile& file);

// The checksum of a chunk's name and content: CRC-32 with the polynomial 0xedb88320, bits reflected.
[[nodiscard]] std::uint32_t pngChecksum(std::string_view text);

// The provenance in an iTXt chunk; empty where there is none before the pixels, or the file is damaged there.
[[nodiscard]] std::string provenanceOfPng(const InputFile& file);

// One slice of u8 or u16 with 1 to 4 components (gray, gray and alpha, RGB, RGBA). ITK's writer ends the program when
// the disk is full. Throws Error(Io), Canceled.
void writePng(const std::filesystem::path& path, const Volume& volume, const WriteOptions& options,
              const Control& control);

}  // namespace sscope::io
