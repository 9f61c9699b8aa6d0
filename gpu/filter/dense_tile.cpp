#include "gpu/filter/dense_tile.h"

#include <algorithm>

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

namespace {

constexpr std::int64_t kGroupItems = 128;
constexpr std::int64_t kItemsPerUnit = 256;  // that keep a compute unit busy
constexpr std::int64_t kPieceTaps = 64;      // unrolled, with the rests of pieces; more exceed the instruction cache
constexpr std::int64_t kRowBytes = 128;      // of a row in registers

struct Shape {
  std::int64_t vector, tx, ty;  // ty at most
};

// The fastest shapes on an H100: wide tiles for boxes in pieces, where rows are loaded again for each piece
// (docs/dev/performance-notes.md).
Shape shapeOf(Precision precision, const std::array<std::int64_t, 3>& size) {
  if (precision == Precision::f64) return {2, 4, 4};
  return size[0] * size[1] > kPieceTaps ? Shape{4, 8, 4} : Shape{4, 4, 8};
}

std::int64_t loadsOf(std::int64_t taps, std::int64_t components, const Shape& shape) {
  return (shape.tx + (taps - 1) * components + shape.vector - 1) / shape.vector;
}

// The pieces with the fewest loads. Empty if a row of the smallest does not fit.
std::optional<std::array<std::int64_t, 2>> piecesOf(const std::array<std::int64_t, 3>& size, std::int64_t components,
                                                    const Shape& shape, std::int64_t realBytes) {
  const auto [nx, ny, nz] = size;
  std::optional<std::array<std::int64_t, 2>> best;
  std::int64_t least = 0;
  const auto consider = [&](std::int64_t px, std::int64_t py) {
    const std::int64_t restX = nx % px, restY = ny % py;
    if ((px + restX) * (py + restY) > kPieceTaps) return;
    if (loadsOf(px, components, shape) * shape.vector * realBytes > kRowBytes) return;
    std::int64_t loads = 0;
    const auto add = [&](std::int64_t tapsX, std::int64_t tapsY, std::int64_t times) {
      if (tapsX > 0 && tapsY > 0)
        loads += times * ((tapsY + shape.ty - 1) * loadsOf(tapsX, components, shape) +
                          tapsY * ((tapsX + shape.vector - 1) / shape.vector));
    };
    add(px, py, (nx / px) * (ny / py));
    add(restX, py, ny / py);
    add(px, restY, nx / px);
    add(restX, restY, 1);
    if (!best || loads < least) {
      best = {px, py};
      least = loads;
    }
  };
  for (std::int64_t py = 1; py <= std::min(ny, kPieceTaps); ++py) {
    consider(nx, py);
    for (std::int64_t px = shape.vector; px < std::min(nx, kPieceTaps); px += shape.vector) consider(px, py);
  }
  return best;
}

}  // namespace

std::optional<DenseTile> denseTile(const FilterContext& context, const std::array<std::int64_t, 3>& size) {
  const DeviceProperties& device = context.engine->device().properties();
  if (device.cpu || device.largestGroup < kGroupItems) return {};
  const Shape shape = shapeOf(context.precision(), size);
  const auto pieces = piecesOf(size, context.components(), shape, context.realBytes());
  if (!pieces) return {};

  const Box& region = context.region();
  const std::int64_t columns = (region.size(0) * context.components() + shape.tx - 1) / shape.tx;
  DenseTile tile{static_cast<int>(shape.vector), shape.tx, shape.ty, {}, *pieces};
  const auto items = [&] { return columns * ((region.size(1) + tile.ty - 1) / tile.ty) * region.size(2); };
  while (tile.ty > 1 && (tile.ty >= 2 * region.size(1) || items() < kItemsPerUnit * device.computeUnits)) tile.ty /= 2;
  tile.group.x = 32;
  while (tile.group.x > 1 && tile.group.x >= 2 * columns) tile.group.x /= 2;
  tile.group.y = kGroupItems / tile.group.x;
  // By default, CUDA's compiler uses 64 registers. With one group it uses 96 and computes more between loads: 7 %
  // faster on an H100 for 7 x 7 x 7, slower for images and for boxes in pieces.
  constexpr std::int64_t kShortRow = 7;
  if (context.precision() == Precision::f32 && size[0] <= kShortRow && size[2] > 1) tile.leastGroups = 1;
  tile.onePieceAlongZ = size[0] * size[1] * size[2] <= kPieceTaps;
  return tile;
}

}  // namespace sscope
