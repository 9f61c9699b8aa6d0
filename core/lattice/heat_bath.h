#pragma once
// Generates gauge fields of Wilson's action. Sources: N. Cabibbo, E. Marinari, Phys. Lett. B 119 (1982) 387
// (subgroups); A. D. Kennedy, B. J. Pendleton, Phys. Lett. B 156 (1985) 393 (the SU(2) heat bath).

#include <cstdint>
#include <functional>

#include "core/base/control.h"
#include "core/lattice/fields.h"

namespace sscope::lattice {

// Every link a random element of the group, uniform. Throws Canceled, Error(Memory).
[[nodiscard]] GaugeField hotStart(const Lattice& lattice, std::uint64_t seed, const Control& control = {});
// The same for a part of a larger lattice, whose sites `siteInWhole` names.
[[nodiscard]] GaugeField hotStart(const Lattice& part, std::uint64_t seed,
                                  const std::function<std::int64_t(std::int64_t)>& siteInWhole, const Control& control);

// One sweep over all links. The same field, seed and sweep number give the same bytes, whatever the number of threads.
// Throws Canceled, Error(Usage) unless 0 <= beta <= 1000.
void heatBathSweep(GaugeField& field, double beta, std::uint64_t seed, std::uint64_t sweep, const Control& control);

}  // namespace sscope::lattice
