#pragma once
// NIfTI-1, NIfTI-2 and the older hdr/img pairs, by our own code: without two bugs of ITK 5.2 (it opens x.nii when asked
// for the x.nii.gz next to it, and ignores the scale of vectors).

#include <cstddef>
#include <vector>

#include "core/io/base/input_file.h"
#include "core/io/planes/located.h"

namespace sscope::io {

// Scaled integers (scl_slope) become f32, 32-bit ones f64. Axes beyond the third are components. Throws Error(BadData,
// Unsupported, NotFound).
[[nodiscard]] LocatedVolume locateNifti(const InputFile& file);

// The header and its extensions, which precede the voxels: NIfTI-1, or -2 where an extent exceeds 32767. The components
// of `volume` hold `metadata.frames` time points; frames go to the fourth axis, the components of each to the fifth
// (vectors). Codes, descriptions and extensions of a NIfTI file that `metadata` keeps are in it.
[[nodiscard]] std::vector<std::byte> formatNiftiHeader(const VolumeOutline& volume, const Metadata& metadata);

}  // namespace sscope::io
