#pragma once
// Where the voxels of a legacy .vtk file begin. ITK does not look whether they are all there, and takes text that is no
// number for zeros.

#include <cstdint>
#include <span>
#include <string>

#include "core/base/control.h"
#include "core/io/convert.h"

namespace sscope::io {

struct VtkPlace {
  std::int64_t start = 0;  // of the first byte behind the header
  bool text = false;
  bool tensors = false;  // nine numbers a voxel, of which ITK keeps six
};

// Throws Error(BadData) where the file ends before its voxels begin.
[[nodiscard]] VtkPlace placeOfVtk(const std::string& path);

// Throws Error(BadData) where fewer bytes are behind the header than `elements` of `bytes` each take.
void requireVtkBytes(const std::string& path, const VtkPlace& place, double elements, std::size_t bytes);

// The voxels of a file that is text, as ITK orders them. Throws as TextNumbers.
void readVtkText(const std::string& path, const VtkPlace& place, Stored type, std::span<std::byte> out,
                 const Control& control);

}  // namespace sscope::io
