#include "gpu/filter/baked_taps.h"

#include "gpu/device/kernel_source.h"

namespace sscope {

std::string listOfTaps(std::span<const double> taps, Precision precision) {
  std::string list;
  for (const double weight : taps) list += (list.empty() ? "" : ",") + kernelLiteral(weight, precision);
  return list;
}

std::string bakedTaps(const DenseTaps& taps, Precision precision) { return listOfTaps(taps.weights, precision); }

namespace {

std::vector<double> interleaved(std::span<const DenseTaps* const> filters, std::int64_t vector) {
  const auto [nx, ny, nz] = filters[0]->size;
  const auto many = std::ssize(filters);
  const std::int64_t row = (nx * many + vector - 1) / vector * vector;
  std::vector<double> table(static_cast<std::size_t>(row * ny * nz), 0.0);
  for (std::int64_t z = 0; z < nz; ++z)
    for (std::int64_t y = 0; y < ny; ++y)
      for (std::int64_t x = 0; x < nx; ++x)
        for (std::size_t f = 0; f < filters.size(); ++f)
          table[static_cast<std::size_t>((z * ny + y) * row + x * many) + f] = filters[f]->at(x, y, z);
  return table;
}

}  // namespace

std::vector<double> rowsOfTaps(const FilterWorkload& workload, std::size_t first, std::size_t count,
                               std::int64_t vector) {
  std::vector<const DenseTaps*> filters;
  for (std::size_t f = first; f < first + count; ++f) filters.push_back(&workload.stencil(f).dense);
  return interleaved(filters, vector);
}

std::vector<double> rowsOfTaps(const DenseTaps& taps, std::int64_t vector) {
  const DenseTaps* one = &taps;
  return interleaved({&one, 1}, vector);
}

}  // namespace sscope
