#pragma once
// Bricks for the 3D view: their means, parts as VTK's images, isosurfaces, and the levels that projections need.

#include <vtkSmartPointer.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/engine/resident_array.h"
#include "core/volume/volume_brick.h"

class vtkImageData;
class vtkPolyData;

namespace sscope {

struct DisplayMeans {
  std::vector<float> means;  // those of the values, times `scale`
  double scale = 1;          // a power of two; 1 unless the values are too large or too small for single precision
};
// The factor for values of at most this magnitude before they become single precision.
[[nodiscard]] double displayScale(double largestMagnitude);
// Throws what the array throws. Values that need a scale are copied to the host, some slices at once.
[[nodiscard]] DisplayMeans displayMeans(ResidentArray& array, const BrickBlocks& blocks, const Control& control);

// Blocks of a brick, from `begin` to before `end`.
struct BrickPart {
  std::array<std::int64_t, 3> begin{0, 0, 0}, end{0, 0, 0};
  bool operator==(const BrickPart&) const = default;
};
// The part between shares of the axes (begin and end of each); at least two blocks along each axis that has them.
[[nodiscard]] BrickPart partOf(const VolumeBrick& brick, const std::array<double, 6>& shares);

// An image of 8 bits for each block of the part, such as its levels.
[[nodiscard]] vtkSmartPointer<vtkImageData> imageOfBytes(const VolumeBrick& brick,
                                                         const std::vector<std::uint8_t>& bytes, const BrickPart& part);

struct IsoSurface {
  vtkSmartPointer<vtkPolyData> mesh;  // in the brick's coordinates, with normals; the scalars of its points are levels
  std::int64_t triangles = 0;
};
// The index axis along which the part is a single block, so that there is no surface between blocks; empty: none.
[[nodiscard]] std::optional<std::size_t> axisWithoutSurface(const BrickPart& part);
// The surface where the means of blockMeans() equal one of the levels, by flying edges (W. Schroeder, R. Maynard and
// B. Geveci, LDAV 2015). Open at the ends of the part; empty if axisWithoutSurface() returns an axis.
[[nodiscard]] IsoSurface isoSurface(const VolumeBrick& brick, const std::vector<float>& means, const BrickPart& part,
                                    const std::vector<double>& levels);

// 255 for each block of the object, 0 for the background around it: blocks of at most `level` that are connected to the
// border of the brick by such blocks, and the blocks next to these, which are partly background. Cavities belong to the
// object. All 255 if there is no background or no object.
[[nodiscard]] std::vector<std::uint8_t> objectMask(const VolumeBrick& brick, double level);

// The levels of the brick for the minimum along rays through the masked blocks: at most kMostInside there, continued by
// one block beyond them, so that interpolated values belong to the object; 255 for a ray that meets none of them. The
// ray caster's tables have few entries, which the two must not share.
inline constexpr std::uint8_t kMostInside = 247;
[[nodiscard]] std::vector<std::uint8_t> levelsInside(const VolumeBrick& brick, const std::vector<std::uint8_t>& mask,
                                                     const BrickPart& part);

// The levels of the brick with 0 and 255 in two corners of the part: the ray caster maps the least and the largest
// level to 0 and 1.
[[nodiscard]] std::vector<std::uint8_t> levelsOverRange(const VolumeBrick& brick, const BrickPart& part);

// The length of a ray through blocks brighter than `level`, weighted from 0 at `level` to 1 at 255: nearly the largest
// of all rays along the axes, in the unit of the spacing.
[[nodiscard]] double longestBrightPath(const VolumeBrick& brick, const BrickPart& part, double level);

}  // namespace sscope
