#include "core/cpu/filter/separable_tiles.h"

#include "core/base/arithmetic.h"

#include <algorithm>
#include <limits>

namespace sscope::cpu {

namespace {

// Measured on boxes of 9 to 31 taps: what beginning another row takes.
constexpr double kPerRow = 2000;
}  // namespace

template <class T>
ColumnLayout SeparableTiles<T>::layout(const ColumnShape& shape) const {
  const std::int64_t width = divideUp(shape.x, lanes_) * lanes_;
  const auto& hull = space_.hull();
  ColumnLayout l;
  l.row = rowStride<T>(divideUp(width + hull[0] - 1, lanes_) * lanes_);
  l.plane = l.row * shape.y;
  l.outRow = rowStride<T>(width);
  l.outPlane = l.outRow * shape.y;
  l.packed = l.row * (shape.y + hull[1] - 1);
  l.kept = l.plane * (shape.chunk + hull[2] - 1);
  l.summed = l.plane * shape.chunk;
  l.result = l.outPlane;
  if (stream()) l.prefix = l.plane;
  constexpr std::int64_t kSumRow = kEqualSumBytes / static_cast<std::int64_t>(sizeof(T));
  const auto atLeast = [&](std::int64_t elements) { l.buffer = std::max(l.buffer, elements); };
  for (const auto& row : passes_.rows)
    if (row.equal) atLeast(std::min(shape.y, row.size()) * kSumRow);
  for (const auto& plane : passes_.planes)
    if (plane.axis.equal) atLeast(std::min(shape.chunk, plane.axis.size()) * kSumRow);
  for (const auto& filter : passes_.filters)
    for (const auto& term : filter.terms)
      if (term.axis.equal) atLeast(l.row + lanes_);
  return l;
}

template <class T>
std::int64_t SeparableTiles<T>::bytes(const ColumnShape& shape) const {
  const ColumnLayout l = layout(shape);
  const auto padded = [](std::int64_t elements) { return ScratchCarver::paddedBytes<T>(elements); };
  return padded(l.packed) + padded(l.kept * static_cast<std::int64_t>(passes_.rows.size())) +
         padded(l.summed * static_cast<std::int64_t>(passes_.sums)) + padded(l.result) + padded(l.buffer) +
         padded(l.prefix);
}

// All passes have equal taps, if any.
template <class T>
bool SeparableTiles<T>::light() const {
  const auto isLight = [](const AxisPass<T>& pass) { return pass.equal || pass.identity; };
  return std::ranges::all_of(passes_.rows, isLight) &&
         std::ranges::all_of(passes_.planes, [&](const auto& plane) { return isLight(plane.axis); }) &&
         std::ranges::all_of(passes_.filters, [&](const auto& filter) {
           return std::ranges::all_of(filter.terms, [&](const auto& term) { return isLight(term.axis); });
         });
}

// Of one column.
template <class T>
double SeparableTiles<T>::cost(const ColumnShape& shape) const {
  const ColumnLayout l = layout(shape);
  const auto& hull = space_.hull();
  const auto planesIn = static_cast<double>(shape.z + hull[2] - 1), planesOut = static_cast<double>(shape.z);
  const auto plane = static_cast<double>(l.plane), outPlane = static_cast<double>(l.outPlane);
  double sum = planesIn * static_cast<double>(l.packed) * 4;                      // packing reads memory
  sum += planesOut * outPlane * 4 * static_cast<double>(passes_.filters.size());  // and storing writes it
  for (const auto& row : passes_.rows) sum += planesIn * plane * row.cost(1);
  for (const auto& pass : passes_.planes) sum += planesOut * plane * pass.axis.cost(2);
  for (const auto& filter : passes_.filters)
    for (const auto& term : filter.terms) sum += planesOut * outPlane * term.axis.cost(0);
  if (!stream())  // moving kept planes
    sum += planesIn / static_cast<double>(shape.chunk) * plane * static_cast<double>(hull[2]) *
           static_cast<double>(passes_.rows.size());
  if (light()) sum += planesIn * static_cast<double>(shape.y + hull[1] - 1) * kPerRow;
  return sum + 2000;
}

// Tiles of other passes stay in the core's own cache. Where arithmetic is light, packing is what takes time: rows are
// better long, and halos small beside the tile, even if planes are kept in a cache behind.
template <class T>
double SeparableTiles<T>::total(const ColumnShape& shape, const TileLimits& limits) const {
  const auto& extent = space_.extent();
  const std::int64_t columns =
      divideUp(extent[0], shape.x) * divideUp(extent[1], shape.y) * divideUp(extent[2], shape.z) * space_.components();
  auto rounds = static_cast<double>(divideUp(columns, limits.threads));
  const auto size = static_cast<double>(bytes(shape));
  if (light()) {
    if (limits.threads > 1) rounds += 0.25;  // threads take turns better with more columns
    rounds *= 1 + 0.02e-6 * size;
  } else if (size > 0.625 * static_cast<double>(limits.cacheBytes)) {
    rounds *= 1.5;
  }
  if (size > static_cast<double>(limits.largestBytes)) rounds *= 1e6 * size;
  return cost(shape) * rounds;
}

template <class T>
typename SeparableTiles<T>::Chosen SeparableTiles<T>::choose(const TileLimits& limits) const {
  const auto& extent = space_.extent();
  Chosen best{{}, std::numeric_limits<double>::infinity()};
  for (const std::int64_t x : {64, 128, 256, 512, 1024, 2048, 4096}) {
    if (x > 1024 && !light()) break;
    for (const std::int64_t y : {1, 2, 4, 8, 16, 32, 64, 128})
      for (const std::int64_t z : {16, 32, 64, 128, 256, 512, 1024})
        for (const std::int64_t chunk : {5, 10, 20, 40}) {
          if (stream() && chunk > 5) break;
          const ColumnShape shape{std::min(x, extent[0]), std::min(y, extent[1]), std::min(z, extent[2]),
                                  stream() ? 1 : std::min(chunk, extent[2])};
          if (const double now = total(shape, limits); now < best.cost) best = {shape, now};
        }
  }
  return best;
}

template class SeparableTiles<float>;
template class SeparableTiles<double>;

}  // namespace sscope::cpu
