#pragma once
// Legacy .vtk files of structured points, in any order of their parts: what VTK's own writers make of them.

#include <string>

#include "core/io/base/decoder.h"

namespace sscope::io {

// The first array of points, else of cells, which lie half a voxel in; others are named in a notice. Of tensors, which
// are symmetric, six of nine values. Throws Error(BadData) where fewer values are there than the header says, or text
// is no number; Error(Unsupported) for other data sets.
[[nodiscard]] VolumeInfo readVtk(const std::string& path, const AllocateVoxels& allocate, const Control& control);

}  // namespace sscope::io
