#include "core/filter/workload/filter_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/base/error.h"
#include "core/base/overloaded.h"

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

void entropyReference(const EntropyWindow& window, Boundary boundary, double constant, const ConstArrayView& input,
                      const Box& box, std::span<double> values, const Control& control) {
  const auto components = static_cast<std::size_t>(input.extent[3]);
  const std::vector<double> edges = binEdges(window);
  const std::vector<std::int64_t> steps = entropySteps(window.count());
  const std::int64_t total = std::accumulate(steps.begin(), steps.end(), std::int64_t{0});
  std::vector<std::size_t> counts(edges.size() + 1);
  for (std::size_t c = 0; c < components; ++c) {
    const Gathered in = gather(input, static_cast<std::int64_t>(c), box, window.shape.size, window.shape.anchor,
                               boundary, constant, false);
    std::size_t at = c;
    for (std::int64_t z = 0; z < box.size(2); ++z)
      for (std::int64_t y = 0; y < box.size(1); ++y) {
        control.check();
        for (std::int64_t x = 0; x < box.size(0); ++x, at += components) {
          bool unordered = false;
          std::ranges::fill(counts, 0);
          std::int64_t sum = 0;
          for (const auto& [i, j, k] : window.shape.members) {
            const double value = in.values[in.at(x + i, y + j, z + k)];
            unordered = unordered || std::isnan(value);
            if (unordered) break;
            sum += steps[counts[static_cast<std::size_t>(binOf(edges, value))]++];
          }
          values[at] = unordered ? std::numeric_limits<double>::quiet_NaN() : entropyOf(total, sum, window.count());
        }
      }
  }
}

// D of every voxel of the box for one offset, as the header of RangeWindow defines it.
Gathered patchDistances(const Gathered& in, const RangeWindow& window, const std::array<std::int64_t, 3>& offset,
                        const Control& control) {
  Gathered squares;
  for (std::size_t a = 0; a < 3; ++a) squares.extent[a] = in.extent[a] - 2 * window.reach[a];
  for (std::int64_t z = 0; z < squares.extent[2]; ++z)
    for (std::int64_t y = 0; y < squares.extent[1]; ++y)
      for (std::int64_t x = 0; x < squares.extent[0]; ++x) {
        const auto& [rx, ry, rz] = window.reach;
        const double difference = in.values[in.at(x + rx + offset[0], y + ry + offset[1], z + rz + offset[2])] -
                                  in.values[in.at(x + rx, y + ry, z + rz)];
        squares.values.push_back(difference * difference);
      }
  for (std::size_t a = 0; a < 3; ++a) {
    const auto size = static_cast<std::size_t>(2 * window.patch[a] + 1);
    const AxisTaps mean{std::vector<double>(size, 1.0 / static_cast<double>(size)), window.patch[a]};
    if (size > 1) squares = alongAxis(squares, mean, a, false, control);
  }
  return squares;
}

// What a voxel's mean is made of. Differences to the voxel itself are summed rather than values: its own weight is 1,
// and adds nothing to them.
struct RangeSums {
  double weights = 1, differences = 0;
  double magnitudes = 0;                               // of the differences, weighted
  double doubtfulMagnitudes = 0, doubtfulWeights = 1;  // weighted by what may be wrong of a weight as well
  double unweighted = 0;                               // the magnitudes
};

// How far the mean may be off, in the units of core/measure/verify.cpp. A weight exp(-x) whose x has a relative error
// of some unit roundoffs has one of (1 + x) times as many, x before the floor was taken off; that of a sum is weighted
// by the terms, once above and once below the line. Weights below 2^-120 may be zero.
double rangeMagnitude(const RangeSums& sums, double mean) {
  return std::abs(mean) +
         (sums.doubtfulMagnitudes + sums.magnitudes / sums.weights * sums.doubtfulWeights) / sums.weights +
         0x1p-120 * sums.unweighted;
}

void rangeReference(const RangeWindow& window, Boundary boundary, double constant, const ConstArrayView& input,
                    const Box& box, bool magnitude, std::span<double> values, const Control& control) {
  const auto components = static_cast<std::size_t>(input.extent[3]);
  const auto anchor = window.anchor();
  const double perSquare = 1 / (2 * window.range * window.range);
  for (std::size_t c = 0; c < components; ++c) {
    const Gathered in =
        gather(input, static_cast<std::int64_t>(c), box, {2 * anchor[0] + 1, 2 * anchor[1] + 1, 2 * anchor[2] + 1},
               anchor, boundary, constant, false);
    const auto value = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
      return in.values[in.at(x + anchor[0], y + anchor[1], z + anchor[2])];
    };
    std::vector<RangeSums> sums(static_cast<std::size_t>(box.voxels()));
    const auto addOffset = [&](const std::array<std::int64_t, 3>& o) {
      double far = 0;
      for (std::size_t a = 0; a < 3; ++a) far += window.falloff[a] * static_cast<double>(o[a] * o[a]);
      const Gathered distance = patchDistances(in, window, o, control);
      std::size_t at = 0;
      for (std::int64_t z = 0; z < box.size(2); ++z)
        for (std::int64_t y = 0; y < box.size(1); ++y)
          for (std::int64_t x = 0; x < box.size(0); ++x, ++at) {
            const double d = distance.values[at];
            if (!std::isfinite(d)) continue;
            const double exponent = far + std::max(0.0, d - window.floor) * perSquare;
            const double difference = value(x + o[0], y + o[1], z + o[2]) - value(x, y, z);
            const double doubt = 1 + far + d * perSquare, weight = std::exp(-exponent);
            RangeSums& sum = sums[at];
            sum.unweighted += std::abs(difference);
            if (weight == 0) continue;
            sum.weights += weight;
            sum.differences += weight * difference;
            sum.magnitudes += weight * std::abs(difference);
            sum.doubtfulMagnitudes += weight * doubt * std::abs(difference);
            sum.doubtfulWeights += weight * doubt;
          }
    };
    for (std::int64_t k = -window.reach[2]; k <= window.reach[2]; ++k)
      for (std::int64_t j = -window.reach[1]; j <= window.reach[1]; ++j)
        for (std::int64_t i = -window.reach[0]; i <= window.reach[0]; ++i) {
          control.check();
          if (i != 0 || j != 0 || k != 0) addOffset({i, j, k});
        }
    std::size_t at = 0;
    for (std::int64_t z = 0; z < box.size(2); ++z)
      for (std::int64_t y = 0; y < box.size(1); ++y)
        for (std::int64_t x = 0; x < box.size(0); ++x, ++at) {
          const double mean = value(x, y, z) + sums[at].differences / sums[at].weights;
          values[at * components + c] = magnitude ? rangeMagnitude(sums[at], mean) : mean;
        }
  }
}

void tapsReference(const Stencil& filter, Boundary boundary, double constant, const ConstArrayView& input,
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

}  // namespace

void filterReference(const Operator& op, Boundary boundary, double constant, const ConstArrayView& input,
                     const Box& box, bool magnitude, std::span<double> values, const Control& control) {
  std::visit(Overloaded{[&](const Stencil& stencil) {
                          tapsReference(stencil, boundary, constant, input, box, magnitude, values, control);
                        },
                        [&](const RankWindow& window) {
                          if (magnitude) {
                            std::ranges::fill(values, 0.0);
                          } else {
                            rankReference(window, boundary, constant, input, box, values, control);
                          }
                        },
                        [&](const RangeWindow& window) {
                          rangeReference(window, boundary, constant, input, box, magnitude, values, control);
                        },
                        [&](const Formula&) {
                          throw Error(ErrorKind::Usage, "the formula " + op.name + " is not a filter of one input",
                                      "compute it as a formula");
                        },
                        [&](const EntropyWindow& window) {
                          entropyReference(window, boundary, constant, input, box, values, control);
                        }},
             op.kind);
}

}  // namespace sscope
