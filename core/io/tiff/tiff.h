#pragma once
// TIFF, read with libtiff and written by our own code. ITK 5.2 reads 32-bit gray as zeros and half floats as integers,
// and supports neither 10, 12 or 64 bits, nor planar extra samples, nor microscope calibration. libtiff cannot write
// the pages of a stack contiguously.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "core/io/planes/located.h"
#include "core/volume/selection.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

// One of the file's series (tiff_series.h); none chosen: the first, with a notice when there are several. Channels and
// frames are components. Samples keep their stored values (1 to 7 bits as u8, 9 to 15 as u16, half floats as f32)
// unless ImageJ calibrates them; palettes become RGB. Pages that are stored as they are used, at equal distances, are
// read from their places; others are decoded. Throws Error(Usage) when there are fewer series, Error(BadData,
// Unsupported).
[[nodiscard]] LocatedVolume locateTiff(const Selection& selection);

// The series of a file.
[[nodiscard]] std::vector<FilePart> partsOfTiff(const std::string& path);

// The bytes of an uncompressed file before its pages and after them. Colors are pixels of three or four samples, other
// components have a page each for every slice; pages are contiguous, as ImageJ requires, and the file is BigTIFF where
// needed. The description holds ImageJ's calibration (OME's XML in .ome.tif) and our geometry. Throws
// Error(Unsupported) for more pages than can be read.
struct TiffFrame {
  std::string start;
  std::vector<std::byte> end;
  bool colors = false;  // a page holds all components of a slice
};
[[nodiscard]] TiffFrame formatTiff(const std::filesystem::path& path, const VolumeOutline& volume,
                                   const Metadata& metadata);

// The same with compressed pages. Throws Error(Io), Canceled, and as formatTiff.
void writePackedTiff(const std::filesystem::path& path, const Volume& volume, const WriteOptions& options,
                     const Control& control);

}  // namespace sscope::io
