#include "core/filter/workload/filter_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
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
  std::array<std::vector<std::int64_t>, 3> index;  // of the input, or -1 where the constant stands
  for (std::size_t a = 0; a < 3; ++a) {
    result.extent[a] = box.size(static_cast<int>(a)) + size[a] - 1;
    for (std::int64_t i = 0; i < result.extent[a]; ++i)
      index[a].push_back(boundaryIndex(box.begin[a] + i - anchor[a], input.extent[a], boundary));
  }
  result.values.resize(static_cast<std::size_t>(result.extent[0] * result.extent[1] * result.extent[2]));
  dispatch(input.type, [&](auto tag) {
    const auto* data = input.as<decltype(tag)>();
    double* to = result.values.data();
    for (const std::int64_t iz : index[2])
      for (const std::int64_t iy : index[1])
        for (const std::int64_t ix : index[0]) {
          const bool outside = ix < 0 || iy < 0 || iz < 0;
          const double value = outside ? constant : static_cast<double>(data[input.offset(ix, iy, iz, component)]);
          *to++ = magnitude ? std::abs(value) : value;
        }
  });
  return result;
}

// sums[x] += w in[x] for a row. Tap by tap along rows: each sum adds its terms in the order of the formula, and
// compilers make vectors of it.
void addRow(double w, const double* in, double* sums, std::int64_t count) {
  for (std::int64_t x = 0; x < count; ++x) sums[x] += w * in[x];
}

// Sums taps along one axis; the extent shrinks by their number less one.
Gathered alongAxis(const Gathered& in, const AxisTaps& taps, std::size_t axis, bool magnitude, const Control& control) {
  Gathered out;
  out.extent = in.extent;
  out.extent[axis] -= taps.size() - 1;
  out.values.assign(static_cast<std::size_t>(out.extent[0] * out.extent[1] * out.extent[2]), 0.0);
  for (std::int64_t z = 0; z < out.extent[2]; ++z) {
    control.check();
    for (std::int64_t y = 0; y < out.extent[1]; ++y)
      for (std::int64_t t = 0; t < taps.size(); ++t) {
        const double w = taps.weights[static_cast<std::size_t>(t)];
        addRow(magnitude ? std::abs(w) : w,
               &in.values[in.at(axis == 0 ? t : 0, y + (axis == 1 ? t : 0), z + (axis == 2 ? t : 0))],
               &out.values[out.at(0, y, z)], out.extent[0]);
      }
  }
  return out;
}

// A row of sums over all taps.
void denseRow(const DenseTaps& taps, const Gathered& in, std::int64_t y, std::int64_t z, bool magnitude,
              std::span<double> sums, const Control& control) {
  std::ranges::fill(sums, 0.0);
  for (std::int64_t k = 0; k < taps.size[2]; ++k) {
    control.check();
    for (std::int64_t j = 0; j < taps.size[1]; ++j)
      for (std::int64_t i = 0; i < taps.size[0]; ++i) {
        const double w = taps.at(i, j, k);
        addRow(magnitude ? std::abs(w) : w, &in.values[in.at(i, y + j, z + k)], sums.data(), std::ssize(sums));
      }
  }
}

void rankReference(const RankWindow& window, Boundary boundary, double constant, const ConstArrayView& input,
                   const Box& box, std::span<double> values, const Control& control) {
  const auto components = static_cast<std::size_t>(input.extent[3]);
  std::vector<double> seen(window.members.size());
  for (std::size_t c = 0; c < components; ++c) {
    const Gathered in =
        gather(input, static_cast<std::int64_t>(c), box, window.size, window.anchor, boundary, constant, false);
    std::size_t at = c;
    for (std::int64_t z = 0; z < box.size(2); ++z)
      for (std::int64_t y = 0; y < box.size(1); ++y) {
        control.check();
        for (std::int64_t x = 0; x < box.size(0); ++x, at += components) {
          bool unordered = false;
          for (std::size_t m = 0; m < seen.size(); ++m) {
            const auto& [i, j, k] = window.members[m];
            seen[m] = in.values[in.at(x + i, y + j, z + k)];
            unordered = unordered || std::isnan(seen[m]);
          }
          if (unordered) {
            values[at] = std::numeric_limits<double>::quiet_NaN();
            continue;
          }
          std::nth_element(seen.begin(), seen.begin() + window.rank, seen.end());
          values[at] = seen[static_cast<std::size_t>(window.rank)];
        }
      }
  }
}

}  // namespace

void filterReference(const Operator& op, Boundary boundary, double constant, const ConstArrayView& input,
                     const Box& box, bool magnitude, std::span<double> values, const Control& control) {
  if (const RankWindow* window = op.window()) {
    if (magnitude) {
      std::ranges::fill(values, 0.0);
    } else {
      rankReference(*window, boundary, constant, input, box, values, control);
    }
    return;
  }
  const Stencil& filter = *op.stencil();
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
      std::vector<double> row(static_cast<std::size_t>(box.size(0)));
      for (std::int64_t z = 0; z < box.size(2); ++z)
        for (std::int64_t y = 0; y < box.size(1); ++y) {
          denseRow(filter.dense, in, y, z, magnitude, row, control);
          for (std::int64_t x = 0; x < box.size(0); ++x) values[index(x, y, z, c)] = row[static_cast<std::size_t>(x)];
        }
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
