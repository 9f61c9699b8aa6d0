#pragma once
// NumPy arrays, alone (.npy) or several in one archive (.npz). The last axis is x: x; y, x; z, y, x; time, z, y, x;
// time, z, y, x, component.

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

#include "core/io/base/input_file.h"
#include "core/io/planes/located.h"

namespace sscope::io {

// The members of our own archives: the values, and texts about their provenance and meaning.
inline constexpr std::string_view kNpzValues = "arr_0.npy", kNpzProvenance = "provenance.npy",
                                  kNpzMeaning = "meaning.npy";

// In an archive the array that `selection.array` names; without one the first, with a notice when there are several.
// Compressed arrays and those whose first axis is the fastest are read whole; the whole of any member is compared with
// its checksum. Throws Error(Usage) where there is no such array, Error(Unsupported) for other types than numbers and
// for more axes, Error(BadData).
[[nodiscard]] LocatedVolume locateNpy(const Selection& selection, const InputFile& file);
// The arrays of an archive; empty for a lone array.
[[nodiscard]] std::vector<FilePart> partsOfNpy(const InputFile& file);

// The bytes before the values of a .npy file. Points in time come first.
[[nodiscard]] std::vector<std::byte> formatNpyHeader(const VolumeOutline& volume, const Metadata& metadata);
// Writes one array, "arr_0", and the texts "meaning" and "provenance" if there are any.
void writeNpz(const std::filesystem::path& path, const Volume& volume, const WriteOptions& options,
              const Control& control);

}  // namespace sscope::io
