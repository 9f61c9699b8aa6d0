#pragma once
// Sums over the rows of an array and over the bands of a transform, on all threads.

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <cstdint>
#include <vector>

#include "core/base/control.h"
#include "core/volume/array_view.h"
#include "core/wavelet/pyramid.h"

namespace sscope {

// Calls row(total, offset of its first element, elements) for every row along x of the box, on all cores, and adds the
// totals (+=) in an order that does not depend on the number of cores. Rows step by view.stride[0]. Throws Canceled.
template <class Total, class View, class Row>
[[nodiscard]] Total sumOverRows(const View& view, const Box& box, const Control& control, const Row& row) {
  constexpr std::int64_t kRowsAtOnce = 64;
  const std::int64_t ny = box.size(1);
  return tbb::parallel_deterministic_reduce(
      tbb::blocked_range<std::int64_t>(0, ny * box.size(2), kRowsAtOnce), Total{},
      [&](const tbb::blocked_range<std::int64_t>& range, Total total) {
        control.check();
        for (std::int64_t r = range.begin(); r < range.end(); ++r)
          row(total, view.offset(box.begin[0], box.begin[1] + r % ny, box.begin[2] + r / ny), box.size(0));
        return total;
      },
      [](Total left, const Total& right) { return left += right; });
}

// Sums the energy of a band's coefficients, given one by one.
struct EnergySum {
  double energy = 0;
  std::int64_t zeros = 0;
  EnergySum& operator+=(const EnergySum& other) {
    energy += other.energy;
    zeros += other.zeros;
    return *this;
  }
};

// Calls coefficientAt(offset in the view) once per element of the band, on all cores. Leaves the share at 0.
template <class T, class CoefficientAt>
[[nodiscard]] BandEnergy energyOf(const PyramidBand& band, const ConstArrayView& view, const Control& control,
                                  const CoefficientAt& coefficientAt) {
  const auto sum =
      sumOverRows<EnergySum>(view, band.box, control, [&](EnergySum& part, std::int64_t first, std::int64_t elements) {
        for (std::int64_t i = 0; i < elements; ++i) {
          const T value = coefficientAt(first + i * view.stride[0]);
          part.energy += static_cast<double>(value) * static_cast<double>(value);
          part.zeros += value == 0;
        }
      });
  return {band, sum.energy, 0, sum.zeros};
}

// Computes the shares from the energies.
inline void setShares(std::vector<BandEnergy>& bands) {
  double total = 0;
  for (const BandEnergy& band : bands) total += band.energy;
  for (BandEnergy& band : bands) band.share = total > 0 ? band.energy / total : 0;
}

}  // namespace sscope
