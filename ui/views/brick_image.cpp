#include "ui/views/brick_image.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <vtkFlyingEdges3D.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPolyData.h>

namespace sscope {

namespace {

// Its place is in the origin, since the ray caster wants images that begin at voxel 0.
template <class T>
vtkSmartPointer<vtkImageData> imageOf(const VolumeBrick& brick, const T* values, const BrickPart& part, int type) {
  std::array<int, 3> size{};
  std::array<double, 3> origin{};
  for (std::size_t a = 0; a < 3; ++a) {
    size[a] = static_cast<int>(part.end[a] - part.begin[a]);
    origin[a] = brick.origin[a] + static_cast<double>(part.begin[a]) * brick.spacing[a];
  }
  auto image = vtkSmartPointer<vtkImageData>::New();
  image->SetDimensions(size.data());
  image->SetSpacing(brick.spacing.data());
  image->SetOrigin(origin.data());
  image->AllocateScalars(type, 1);
  auto* to = static_cast<T*>(image->GetScalarPointer());
  const auto row = static_cast<std::size_t>(size[0]);
  for (std::int64_t z = part.begin[2]; z < part.end[2]; ++z)
    for (std::int64_t y = part.begin[1]; y < part.end[1]; ++y, to += row)
      std::memcpy(to, values + (z * brick.size[1] + y) * brick.size[0] + part.begin[0], row * sizeof(T));
  return image;
}

}  // namespace

BrickPart partOf(const VolumeBrick& brick, const std::array<double, 6>& shares) {
  BrickPart part;
  for (std::size_t a = 0; a < 3; ++a) {
    const auto size = static_cast<double>(brick.size[a]);
    const std::int64_t least = std::min<std::int64_t>(2, brick.size[a]);
    const auto begin = static_cast<std::int64_t>(std::lround(std::clamp(shares[2 * a], 0.0, 1.0) * size));
    const auto end = static_cast<std::int64_t>(std::lround(std::clamp(shares[2 * a + 1], 0.0, 1.0) * size));
    part.begin[a] = std::clamp<std::int64_t>(begin, 0, brick.size[a] - least);
    part.end[a] = std::clamp(end, part.begin[a] + least, brick.size[a]);
  }
  return part;
}

vtkSmartPointer<vtkImageData> imageOfBytes(const VolumeBrick& brick, const std::vector<std::uint8_t>& bytes,
                                           const BrickPart& part) {
  return imageOf(brick, bytes.data(), part, VTK_UNSIGNED_CHAR);
}

std::optional<std::size_t> axisWithoutSurface(const BrickPart& part) {
  for (std::size_t a = 0; a < 3; ++a)
    if (part.end[a] - part.begin[a] < 2) return a;
  return {};
}

IsoSurface isoSurface(const VolumeBrick& brick, const std::vector<float>& means, const BrickPart& part,
                      const std::vector<double>& levels) {
  IsoSurface surface;
  if (axisWithoutSurface(part)) {
    surface.mesh = vtkSmartPointer<vtkPolyData>::New();
    return surface;
  }
  const auto image = imageOf(brick, means.data(), part, VTK_FLOAT);
  vtkNew<vtkFlyingEdges3D> edges;
  edges->SetInputData(image);
  for (std::size_t i = 0; i < levels.size(); ++i) edges->SetValue(static_cast<int>(i), levels[i]);
  edges->ComputeNormalsOn();
  edges->ComputeScalarsOn();
  edges->Update();
  surface.mesh = edges->GetOutput();
  surface.triangles = surface.mesh->GetNumberOfPolys();
  return surface;
}

}  // namespace sscope
