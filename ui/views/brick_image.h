#pragma once
// A part of a brick as VTK's image, and its isosurface.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <vtkSmartPointer.h>

#include "core/volume/volume_brick.h"

class vtkImageData;
class vtkPolyData;

namespace sscope {

// Blocks of a brick, from `begin` to before `end`.
struct BrickPart {
  std::array<std::int64_t, 3> begin{0, 0, 0}, end{0, 0, 0};
  bool operator==(const BrickPart&) const = default;
};
// Of shares of the axes (begin and end of each); at least two blocks along each axis that has them.
[[nodiscard]] BrickPart partOf(const VolumeBrick& brick, const std::array<double, 6>& shares);

// Of a number of 8 bits for each block of the brick, such as its levels.
[[nodiscard]] vtkSmartPointer<vtkImageData> imageOfBytes(const VolumeBrick& brick,
                                                         const std::vector<std::uint8_t>& bytes, const BrickPart& part);

struct IsoSurface {
  vtkSmartPointer<vtkPolyData> mesh;  // in the brick's coordinates, with normals; the scalars of its points are levels
  std::int64_t triangles = 0;
};
// The index axis along which the part is a single block: there is no surface between blocks. Empty: there is none.
[[nodiscard]] std::optional<std::size_t> axisWithoutSurface(const BrickPart& part);
// Where the means, as blockMeans() gives them, are one of the levels: by flying edges (W. Schroeder, R. Maynard and
// B. Geveci, LDAV 2015). Open where the part ends; empty where axisWithoutSurface() names an axis.
[[nodiscard]] IsoSurface isoSurface(const VolumeBrick& brick, const std::vector<float>& means, const BrickPart& part,
                                    const std::vector<double>& levels);

}  // namespace sscope
