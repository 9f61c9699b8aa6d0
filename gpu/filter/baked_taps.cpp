#include "gpu/filter/baked_taps.h"

#include "gpu/device/kernel_source.h"

namespace sscope {

std::string bakedTaps(const DenseTaps& taps, Precision precision) {
  std::string list;
  for (const double weight : taps.weights) list += (list.empty() ? "" : ",") + kernelLiteral(weight, precision);
  return list;
}

std::vector<double> rowsOfTaps(const FilterWorkload& workload, std::size_t first, std::size_t count,
                               std::int64_t vector) {
  const auto [nx, ny, nz] = workload.stencil(first).dense.size;
  const auto many = static_cast<std::int64_t>(count);
  const std::int64_t row = (nx * many + vector - 1) / vector * vector;
  std::vector<double> table(static_cast<std::size_t>(row * ny * nz), 0.0);
  for (std::int64_t z = 0; z < nz; ++z)
    for (std::int64_t y = 0; y < ny; ++y)
      for (std::int64_t x = 0; x < nx; ++x)
        for (std::size_t f = 0; f < count; ++f)
          table[static_cast<std::size_t>((z * ny + y) * row + x * many) + f] =
              workload.stencil(first + f).dense.at(x, y, z);
  return table;
}

}  // namespace sscope
