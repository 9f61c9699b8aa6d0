#include "datasets/generators.h"

#include <atomic>

#include <tbb/parallel_for.h>

namespace sscope {

Volume centeredVolume(std::int64_t size, int dimensions, ElementType type, const std::array<double, 3>& edge) {
  const VolumeShape shape{size, size, dimensions == 3 ? size : 1, 1};
  Geometry geometry;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (axis == 2 && dimensions == 2) continue;
    geometry.spacing[axis] = edge[axis] / static_cast<double>(size);
    geometry.origin[axis] = -0.5 * geometry.spacing[axis] * static_cast<double>(size - 1);
  }
  return Volume(shape, type, geometry);
}

void forEachRow(const VolumeShape& shape, const Control& control,
                const std::function<void(std::int64_t, std::int64_t)>& row) {
  const std::int64_t rows = shape.ny * shape.nz;
  const std::int64_t step = std::max<std::int64_t>(1, rows / 64);  // rows between two reports
  std::atomic<std::int64_t> done{0};
  tbb::parallel_for(std::int64_t{0}, rows, [&](std::int64_t i) {
    control.check();
    row(i % shape.ny, i / shape.ny);
    if (const std::int64_t count = ++done; count % step == 0 || count == rows)
      control.report(static_cast<double>(count) / static_cast<double>(rows), "generating");
  });
}

}  // namespace sscope
