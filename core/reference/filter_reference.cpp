#include "core/reference/filter_reference.h"

#include <cmath>
#include <vector>

namespace sscope {

namespace {

// The box and everything its taps reach, as doubles, with the boundary rule applied.
struct Gathered {
  std::array<std::int64_t, 3> extent{};
  std::vector<double> values;

  [[nodiscard]] std::size_t at(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return static_cast<std::size_t>((z * extent[1] + y) * extent[0] + x);
  }
};

Gathered gather(const ConstArrayView& input, std::int64_t component, const Box& box,
                const std::array<std::int64_t, 3>& size, const std::array<std::int64_t, 3>& anchor, Boundary boundary,
                double constant, bool magnitude) {
  Gathered result;
  for (std::size_t a = 0; a < 3; ++a) result.extent[a] = box.size(static_cast<int>(a)) + size[a] - 1;
  result.values.resize(static_cast<std::size_t>(result.extent[0] * result.extent[1] * result.extent[2]));
  dispatch(input.type, [&](auto tag) {
    const auto* data = input.as<decltype(tag)>();
    for (std::int64_t z = 0; z < result.extent[2]; ++z)
      for (std::int64_t y = 0; y < result.extent[1]; ++y)
        for (std::int64_t x = 0; x < result.extent[0]; ++x) {
          const std::int64_t ix = boundaryIndex(box.begin[0] + x - anchor[0], input.extent[0], boundary);
          const std::int64_t iy = boundaryIndex(box.begin[1] + y - anchor[1], input.extent[1], boundary);
          const std::int64_t iz = boundaryIndex(box.begin[2] + z - anchor[2], input.extent[2], boundary);
          const bool outside = ix < 0 || iy < 0 || iz < 0;
          const double value = outside ? constant : static_cast<double>(data[input.offset(ix, iy, iz, component)]);
          result.values[result.at(x, y, z)] = magnitude ? std::abs(value) : value;
        }
  });
  return result;
}

// Sums taps along one axis; the extent shrinks by their number less one.
Gathered alongAxis(const Gathered& in, const AxisTaps& taps, std::size_t axis, bool magnitude, const Control& control) {
  Gathered out;
  out.extent = in.extent;
  out.extent[axis] -= taps.size() - 1;
  out.values.resize(static_cast<std::size_t>(out.extent[0] * out.extent[1] * out.extent[2]));
  for (std::int64_t z = 0; z < out.extent[2]; ++z) {
    control.check();
    for (std::int64_t y = 0; y < out.extent[1]; ++y)
      for (std::int64_t x = 0; x < out.extent[0]; ++x) {
        double sum = 0;
        for (std::int64_t t = 0; t < taps.size(); ++t) {
          const double w = taps.weights[static_cast<std::size_t>(t)];
          const double value =
              in.values[in.at(x + (axis == 0 ? t : 0), y + (axis == 1 ? t : 0), z + (axis == 2 ? t : 0))];
          sum += (magnitude ? std::abs(w) : w) * value;
        }
        out.values[out.at(x, y, z)] = sum;
      }
  }
  return out;
}

double denseSum(const DenseTaps& taps, const Gathered& in, std::int64_t x, std::int64_t y, std::int64_t z,
                bool magnitude) {
  double sum = 0;
  for (std::int64_t k = 0; k < taps.size[2]; ++k)
    for (std::int64_t j = 0; j < taps.size[1]; ++j)
      for (std::int64_t i = 0; i < taps.size[0]; ++i) {
        const double w = taps.at(i, j, k);
        sum += (magnitude ? std::abs(w) : w) * in.values[in.at(x + i, y + j, z + k)];
      }
  return sum;
}

}  // namespace

void filterReference(const Filter& filter, Boundary boundary, double constant, const ConstArrayView& input,
                     const Box& box, bool magnitude, std::span<double> values, const Control& control) {
  const std::int64_t components = input.extent[3];
  const auto index = [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t c) {
    return static_cast<std::size_t>(((z * box.size(1) + y) * box.size(0) + x) * components + c);
  };
  const auto forEachVoxel = [&](auto&& f) {
    for (std::int64_t z = 0; z < box.size(2); ++z) {
      control.check();
      for (std::int64_t y = 0; y < box.size(1); ++y)
        for (std::int64_t x = 0; x < box.size(0); ++x) f(x, y, z);
    }
  };
  for (std::int64_t c = 0; c < components; ++c) {
    if (!filter.separable()) {
      const Gathered in = gather(input, c, box, filter.dense.size, filter.dense.anchor, boundary, constant, magnitude);
      forEachVoxel(
          [&](auto x, auto y, auto z) { values[index(x, y, z, c)] = denseSum(filter.dense, in, x, y, z, magnitude); });
      continue;
    }
    forEachVoxel([&](auto x, auto y, auto z) { values[index(x, y, z, c)] = 0; });
    for (const SeparableTerm& term : filter.terms) {
      const auto& [ax, ay, az] = term.axis;
      Gathered sum = gather(input, c, box, {ax.size(), ay.size(), az.size()}, {ax.anchor, ay.anchor, az.anchor},
                            boundary, constant, magnitude);
      for (std::size_t a = 0; a < 3; ++a) sum = alongAxis(sum, term.axis[a], a, magnitude, control);
      forEachVoxel([&](auto x, auto y, auto z) { values[index(x, y, z, c)] += sum.values[sum.at(x, y, z)]; });
    }
  }
}

}  // namespace sscope
