#pragma once
// TIFF read through libtiff itself and written by ourselves: ITK 5.2's reader gives 32-bit gray as zeros, half floats
// as integers, and knows neither 10, 12 or 64 bits, nor planar extra samples, nor the calibration of microscopes;
// libtiff cannot put the pages of a stack side by side.

#include <filesystem>

#include "core/io/decoder.h"
#include "core/volume/volume.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

// Pages of the first page's size and type are slices; ImageJ's channels and frames are components. Samples keep their
// stored values (1 to 7 bits as u8, 9 to 15 as u16, half floats as f32); palettes become RGB.
[[nodiscard]] VolumeInfo readTiff(const std::string& path, const AllocateVoxels& allocate, const Control& control);

// Colors as pixels of three or four samples, else one page for each component of each slice; one behind the other, as
// ImageJ wants them, BigTIFF where needed. The description holds ImageJ's calibration (OME's XML in .ome.tif) and our
// geometry.
void writeTiff(const std::filesystem::path& path, const Volume& volume, const WriteOptions& options,
               const Control& control);

}  // namespace sscope::io
