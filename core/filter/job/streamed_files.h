#pragma once
// Files that a streamed job writes.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/filter/recipe.h"
#include "core/volume/volume_io.h"
#include "core/volume/volume_stream.h"

namespace sscope {

// Of each of the files: of the results of a bank on such data, one in each file or all as the components of one.
[[nodiscard]] VolumeOutline resultOutline(const FilterBank& bank, const VolumeOutline& input, bool interleaved);

// The first of the files that cannot be written by slabs, as half a sentence with the remedy; empty: none.
[[nodiscard]] std::string notWrittenBySlabs(const VolumeIo& io, const std::vector<std::filesystem::path>& files);

}  // namespace sscope
