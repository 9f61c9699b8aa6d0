#pragma once
// Staples: the plaquettes through a link without the link itself.

#include "core/lattice/fields.h"

namespace sscope::lattice {

// The sum over the six plaquettes through U_mu(site), so that Re tr(U staples) is the sum of their traces.
[[nodiscard]] Matrix3 staples(const GaugeField& field, std::int64_t site, int mu);

}  // namespace sscope::lattice
