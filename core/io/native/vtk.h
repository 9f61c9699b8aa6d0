#pragma once
// Legacy .vtk files of structured points.

#include <string>

#include "core/io/base/input_file.h"
#include "core/io/planes/located.h"

namespace sscope::io {

// The first array of points, else of cells, which lie half a voxel in; others are named in a notice. Of tensors, which
// are symmetric, six of nine values are read. The parts of the file may be in any order. Throws Error(BadData) where
// the file holds fewer values than its header says, Error(Unsupported) for other data sets.
[[nodiscard]] LocatedVolume locateVtk(const InputFile& file);

// The text before the voxels, which are big-endian.
[[nodiscard]] std::string formatVtkHeader(const VolumeOutline& volume);

}  // namespace sscope::io
