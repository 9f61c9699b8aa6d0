#pragma once
// NIfTI-1, NIfTI-2 and the older hdr/img pairs, by our own code: streamed directly into the volume, and without two
// bugs of ITK 5.2 (it opens x.nii when asked for the x.nii.gz next to it, and ignores the scale of vectors).

#include <filesystem>

#include "core/io/base/decoder.h"
#include "core/io/base/stored_voxels.h"
#include "core/volume/metadata.h"
#include "core/volume/volume.h"

namespace sscope::io {

// Scaled integers (scl_slope) become f32, 32-bit ones f64. Axes beyond the third are components.
[[nodiscard]] VolumeInfo readNifti(const std::string& path, const AllocateVoxels& allocate, const Control& control);

// The same, for reading by slabs.
[[nodiscard]] LocatedVolume locateNifti(const std::string& path, const Control& control);

// NIfTI-1, or -2 where an extent exceeds 32767; .nii.gz is compressed. Frames go to the fourth axis, the components of
// each to the fifth (vectors).
void writeNifti(const std::filesystem::path& path, const Volume& volume, const WriteOptions& options,
                const Control& control);

}  // namespace sscope::io
