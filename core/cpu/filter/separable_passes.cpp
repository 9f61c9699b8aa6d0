#include "core/cpu/filter/separable_passes.h"

#include <algorithm>
#include <limits>

#include "core/base/divide_up.h"

namespace sscope::cpu {

namespace {

template <class T>
AxisPass<T> passOf(const AxisTaps& taps, std::size_t a, const TileSpace& space) {
  AxisPass<T> pass;
  pass.weights.assign(taps.weights.begin(), taps.weights.end());
  pass.offset = space.anchor()[a] - taps.anchor * (a == 0 ? space.tapDistance() : 1);
  pass.identity = taps.identity();
  pass.equal = takesEqualTaps(taps, a == 0);
  if (pass.equal) pass.split = equalSplit(taps.size());
  return pass;
}

// The place of `value` in `list`, at the end if it is new.
template <class V>
std::size_t placeOf(std::vector<V>& list, V value) {
  const auto found = std::ranges::find(list, value);
  const auto place = static_cast<std::size_t>(found - list.begin());
  if (found == list.end()) list.push_back(std::move(value));
  return place;
}

}  // namespace

template <class T>
double AxisPass<T>::cost(std::size_t a) const {
  if (equal) return equalCost(size(), a == 0).multiplyAdds;
  return (a == 0 ? 2 : 1) * static_cast<double>(size() + 2);
}

template <class T>
SeparablePasses<T>::SeparablePasses(const FilterWorkload& workload, const std::vector<std::size_t>& outputs,
                                    const TileSpace& space) {
  std::vector<AxisTaps> alongY;
  std::vector<std::pair<std::size_t, AxisTaps>> alongZ;
  for (const std::size_t f : outputs) {
    Filter& filter = filters.emplace_back();
    filter.output = f;
    for (const SeparableTerm& source : workload.stencil(f).terms) {
      const SeparableTerm term = permuted(source, space.order());
      const std::size_t row = placeOf(alongY, term.axis[1]);
      filter.terms.push_back({placeOf(alongZ, {row, term.axis[2]}), passOf<T>(term.axis[0], 0, space)});
    }
  }
  for (const AxisTaps& taps : alongY) rows.push_back(passOf<T>(taps, 1, space));
  for (const auto& [row, taps] : alongZ) {
    planes.push_back({row, passOf<T>(taps, 2, space), sums});
    if (!taps.identity()) ++sums;
  }
}

template <class T>
void SeparablePasses<T>::compile(const PrecisionKernels<T>& kernels, const TileSpace& space) {
  const auto along = [&](AxisPass<T>& pass, bool x) {
    if (pass.equal) return;
    pass.correlator =
        x ? Correlator<T>(kernels, pass.size(), 1, 1, space.tapDistance()) : Correlator<T>(kernels, 1, pass.size(), 1);
  };
  for (AxisPass<T>& row : rows) along(row, false);
  for (OfPlanes& plane : planes) along(plane.axis, false);
  for (Filter& filter : filters)
    for (OfColumns& term : filter.terms) along(term.axis, true);
}

template <class T>
bool SeparablePasses<T>::takeWeights(const FilterWorkload& workload, const TileSpace& space) {
  std::vector<std::size_t> outputs;
  for (const Filter& filter : filters) outputs.push_back(filter.output);
  SeparablePasses next(workload, outputs, space);
  const bool alike = next.rows.size() == rows.size() &&
                     std::ranges::equal(next.planes, planes, {}, &OfPlanes::row, &OfPlanes::row) &&
                     std::ranges::equal(next.filters, filters, [](const Filter& a, const Filter& b) {
                       return std::ranges::equal(a.terms, b.terms, {}, &OfColumns::plane, &OfColumns::plane);
                     });
  if (!alike) return false;
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r].weights.swap(next.rows[r].weights);
  for (std::size_t p = 0; p < planes.size(); ++p) planes[p].axis.weights.swap(next.planes[p].axis.weights);
  for (std::size_t f = 0; f < filters.size(); ++f)
    for (std::size_t t = 0; t < filters[f].terms.size(); ++t)
      filters[f].terms[t].axis.weights.swap(next.filters[f].terms[t].axis.weights);
  return true;
}

template struct AxisPass<float>;
template struct AxisPass<double>;
template struct SeparablePasses<float>;
template struct SeparablePasses<double>;

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
