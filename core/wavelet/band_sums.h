#pragma once
// Sums the energy of a band's coefficients, given one by one.

#include <vector>

#include "core/wavelet/pyramid.h"
#include "core/wavelet/row_sums.h"

namespace sscope {

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
