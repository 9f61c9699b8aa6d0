#include "ui/charts/kernel_slices.h"

#include <algorithm>
#include <cmath>

namespace sscope {

namespace {

// A term's weight along one axis of the whole box, zero outside the term.
std::vector<double> padded(const AxisTaps& taps, std::int64_t anchor, std::int64_t size) {
  std::vector<double> weights(static_cast<std::size_t>(size), 0.0);
  std::ranges::copy(taps.weights, weights.begin() + (anchor - taps.anchor));
  return weights;
}

// The taps, a row along x at a time.
class TapRows {
 public:
  explicit TapRows(const Stencil& filter) : filter_(filter), size_(filter.size()) {
    const auto anchor = filter.anchor();
    for (const SeparableTerm& term : filter.terms) {
      auto& axes = terms_.emplace_back();
      for (std::size_t a = 0; a < 3; ++a) axes[a] = padded(term.axis[a], anchor[a], size_[a]);
    }
  }

  void read(std::int64_t y, std::int64_t z, std::vector<double>& row) const {
    if (!filter_.separable()) {
      const auto first = filter_.dense.weights.begin() + (z * size_[1] + y) * size_[0];
      row.assign(first, first + size_[0]);
      return;
    }
    row.assign(static_cast<std::size_t>(size_[0]), 0.0);
    for (const auto& [alongX, alongY, alongZ] : terms_) {
      const double factor = alongY[static_cast<std::size_t>(y)] * alongZ[static_cast<std::size_t>(z)];
      for (std::size_t x = 0; x < row.size(); ++x) row[x] += factor * alongX[x];
    }
  }

 private:
  const Stencil& filter_;
  std::array<std::int64_t, 3> size_;
  std::vector<std::array<std::vector<double>, 3>> terms_;
};

std::int64_t heaviest(const std::vector<double>& masses, std::int64_t anchor) {
  std::int64_t best = anchor;
  for (std::size_t k = 0; k < masses.size(); ++k)
    if (masses[k] > masses[static_cast<std::size_t>(best)] * (1 + 1e-9)) best = static_cast<std::int64_t>(k);
  return best;
}

}  // namespace

KernelSlices kernelSlices(const Stencil& filter, const Control& control) {
  const auto size = filter.size();
  const auto anchor = filter.anchor();
  const TapRows taps(filter);
  KernelSlices out;
  std::array<std::vector<double>, 3> masses;
  for (std::size_t a = 0; a < 3; ++a) masses[a].assign(static_cast<std::size_t>(size[a]), 0.0);
  std::vector<double> row;
  for (std::int64_t z = 0; z < size[2]; ++z) {
    control.check();
    for (std::int64_t y = 0; y < size[1]; ++y) {
      taps.read(y, z, row);
      double mass = 0;
      for (std::size_t x = 0; x < row.size(); ++x) {
        const double weight = std::abs(row[x]);
        mass += weight;
        masses[0][x] += weight;
        out.largest = std::max(out.largest, weight);
      }
      masses[1][static_cast<std::size_t>(y)] += mass;
      masses[2][static_cast<std::size_t>(z)] += mass;
    }
  }

  const auto add = [&](std::size_t across, std::size_t down) {
    KernelSlice slice;
    slice.across = across;
    slice.down = down;
    slice.hidden = 3 - across - down;
    const std::int64_t at = heaviest(masses[slice.hidden], anchor[slice.hidden]);
    slice.offset = at - anchor[slice.hidden];
    slice.thickness = size[slice.hidden];
    slice.columns = size[across];
    slice.rows = size[down];
    slice.anchorColumn = anchor[across];
    slice.anchorRow = anchor[down];
    for (std::int64_t j = 0; j < slice.rows; ++j) {
      std::array<std::int64_t, 3> place{};
      place[slice.hidden] = at;
      place[down] = j;
      for (std::int64_t i = 0; i < slice.columns; ++i) {
        place[across] = i;
        // Rows along x are read whole; a plane across x takes one tap of each.
        if (i == 0 || across != 0) taps.read(place[1], place[2], row);
        slice.weights.push_back(row[static_cast<std::size_t>(place[0])]);
      }
    }
    out.slices.push_back(std::move(slice));
  };
  add(0, 1);
  if (size[2] > 1) {
    add(0, 2);
    add(1, 2);
  }
  return out;
}

}  // namespace sscope
