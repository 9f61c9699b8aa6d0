#pragma once
// What tests of files that are read or written by planes share.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/volume/volume_io.h"
#include "core/volume/volume_stream.h"

namespace sscope::test {

// Names of every format that is read and written by planes.
inline constexpr const char* kSlabNames[] = {"v.nrrd", "v.nhdr", "v.mha", "v.mhd",     "v.nii", "v.vti", "v.vtk",
                                             "v.raw",  "v.json", "v.tif", "v.ome.tif", "v.npy", "v.mrc"};

// The others refuse voxels that do not lie along x, y and z.
[[nodiscard]] inline bool keepsDirections(const std::string& name) { return name != "v.vtk" && name != "v.mrc"; }

[[nodiscard]] std::int64_t planesOf(const VolumeShape& shape);
[[nodiscard]] bool canWrite(const VolumeIo& io, const std::string& name, const VolumeShape& shape, ElementType type);
// Of these shapes those that this run takes of a format, the name's index in kSlabNames, and an element type.
[[nodiscard]] std::vector<VolumeShape> shapesOfRun(const VolumeIo& io, std::size_t name, ElementType type,
                                                   const std::vector<VolumeShape>& all);
[[nodiscard]] std::span<const std::byte> bytesOfVolume(const Volume& volume);

// Checks that a source has the header and the voxels of the whole file, read in parts of so many planes from the last
// to the first.
void requireSame(VolumeIo& io, const std::string& name, bool anyOrder = true,
                 const std::vector<std::int64_t>& parts = {1, 2, 5});
// Checks that the file is refused as a source.
[[nodiscard]] Error errorOfOpening(VolumeIo& io, const std::string& name);

}  // namespace sscope::test
