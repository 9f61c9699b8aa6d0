#pragma once
// Fields on the lattice: links of SU(3), and spinors.

#include <complex>
#include <cstdint>
#include <vector>

#include "core/base/control.h"
#include "core/lattice/lattice.h"
#include "core/lattice/su3.h"

namespace sscope::lattice {

// U[mu](site): the four links of a site are contiguous. 576 bytes per site.
class GaugeField {
 public:
  GaugeField() = default;
  // Unit links. Throws Error(Memory), Canceled.
  explicit GaugeField(const Lattice& lattice, const Control& control = {});

  [[nodiscard]] const Lattice& lattice() const { return lattice_; }
  [[nodiscard]] Matrix3& link(std::int64_t site, int mu) { return links_[index(site, mu)]; }
  [[nodiscard]] const Matrix3& link(std::int64_t site, int mu) const { return links_[index(site, mu)]; }
  [[nodiscard]] const std::vector<Matrix3>& links() const { return links_; }
  bool operator==(const GaugeField&) const = default;

 private:
  static std::size_t index(std::int64_t site, int mu) { return static_cast<std::size_t>(kDirections * site + mu); }

  Lattice lattice_;
  std::vector<Matrix3> links_;
};

// Whether the third row of every link follows from the others up to rounding, as for SU(3) in double precision.
[[nodiscard]] bool thirdRowsFollow(const GaugeField& field);

// Replaces every link by projectedToSu3() of it. Throws Canceled, with a part of the links replaced.
void projectToSu3(GaugeField& field, const Control& control);

inline constexpr int kColors = 3;
inline constexpr int kSpins = 4;
inline constexpr int kSpinorElements = kColors * kSpins;

// psi[12 site + 4 color + spin].
using SpinorField = std::vector<Complex>;

// Zero everywhere. Throws Error(Memory), Canceled.
[[nodiscard]] SpinorField zeroSpinor(const Lattice& lattice, const Control& control = {});
// One at this site, color and spin, zero elsewhere.
[[nodiscard]] SpinorField pointSource(const Lattice& lattice, std::int64_t site, int color, int spin);
// Uniform in -0.5..0.5, the same on every machine: with k the flat complex index, re from mix(seed + 2k), im from
// mix(seed + 2k + 1), mix being splitmix64.
void hashFill(SpinorField& field, std::uint64_t seed);
[[nodiscard]] SpinorField hashSource(const Lattice& lattice, std::uint64_t seed);

// Staples: the plaquettes through a link without the link itself.

// The sum over the six plaquettes through U_mu(site), so that Re tr(U staples) is the sum of their traces.
[[nodiscard]] Matrix3 staples(const GaugeField& field, std::int64_t site, int mu);

}  // namespace sscope::lattice
