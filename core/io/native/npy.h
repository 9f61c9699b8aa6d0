#pragma once
// NumPy's arrays, alone (.npy) or several in one archive (.npz). Of their axes the last is x: x; y, x; z, y, x; time,
// z, y, x; time, z, y, x, component.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "core/io/base/decoder.h"
#include "core/io/base/stored_voxels.h"
#include "core/volume/selection.h"

namespace sscope::io {

// The members of an archive of ours: the values, and texts of how they were made and what they mean.
inline constexpr std::string_view kNpzValues = "arr_0.npy", kNpzProvenance = "provenance.npy",
                                  kNpzMeaning = "meaning.npy";

// Of an archive the array that `file.array` names; none: the first one, with a notice when there are several. Throws
// Error(Usage) where it has no such array, Error(Unsupported) for other types than numbers and for more axes.
[[nodiscard]] VolumeInfo readNpy(const Selection& file, const AllocateVoxels& allocate, const Control& control);
// The arrays of an archive; nothing of a lone one.
[[nodiscard]] std::vector<FilePart> partsOfNpy(const std::string& path);
// Throws Error(Unsupported) for packed arrays, those whose first axis is fastest, and 64-bit integers.
[[nodiscard]] LocatedVolume locateNpy(const Selection& file);

// What is before the values of an array of `axes` extents.
[[nodiscard]] std::vector<std::byte> formatNpyHeader(const VolumeOutline& volume, const Metadata& metadata);
// Of .npz one array, "arr_0", and perhaps the texts "meaning" and "provenance". Points in time come first.
void writeNpy(const std::filesystem::path& path, const Volume& volume, const WriteOptions& options,
              const Control& control);

}  // namespace sscope::io
