#pragma once
// TIFF, read with libtiff and written by our own code. ITK 5.2 reads 32-bit gray as zeros and half floats as integers,
// and supports neither 10, 12 or 64 bits, nor planar extra samples, nor microscope calibration. libtiff cannot write
// the pages of a stack contiguously.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/io/base/decoder.h"
#include "core/io/base/stored_voxels.h"
#include "core/io/planes/decoded_planes.h"
#include "core/volume/selection.h"
#include "core/volume/volume.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

// One of the file's series (tiff_series.h); none chosen: the first, with a notice when there are several.
// Channels and frames are components. Samples keep their stored values (1 to 7 bits as u8, 9 to 15 as u16, half floats
// as f32) but for what ImageJ calibrates; palettes become RGB. Throws Error(Usage) when there are fewer series.
[[nodiscard]] VolumeInfo readTiff(const Selection& choice, const AllocateVoxels& allocate, const Control& control);

// Its series.
[[nodiscard]] std::vector<FilePart> partsOfTiff(const std::string& path);

// Where the pixels lie. Empty for compressed, packed, tiled or planar pixels, palettes, 64-bit integers, channels and
// frames, and pages that do not lie at equal distances.
[[nodiscard]] std::optional<LocatedVolume> locateTiff(const Selection& choice);

// As readTiff, some slices at a time. Throws Error(Unsupported) for 64-bit integers, whose type all of them decide, and
// for a single slice.
[[nodiscard]] DecodedPlanes openTiffPlanes(const Selection& choice);

// Colors as pixels of three or four samples, else one page for each component of each slice; contiguous, as ImageJ
// requires, and BigTIFF where needed. The description holds ImageJ's calibration (OME's XML in .ome.tif) and our
// geometry.
void writeTiff(const std::filesystem::path& path, const Volume& volume, const WriteOptions& options,
               const Control& control);

// Whether the uncompressed pages of such a volume lie in the file as a Volume holds them: gray or colors.
[[nodiscard]] bool pagesArePlanes(const VolumeOutline& volume, const Metadata& metadata);
// Of such a file what is before its pages and after them. Throws Error(Unsupported) as writeTiff.
struct TiffFrame {
  std::string start;
  std::vector<std::byte> end;
};
[[nodiscard]] TiffFrame formatTiff(const std::filesystem::path& path, const VolumeOutline& volume,
                                   const Metadata& metadata);

}  // namespace sscope::io
