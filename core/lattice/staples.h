#pragma once
// What is left of the plaquettes of a link when the link is taken out.

#include "core/lattice/fields.h"

namespace sscope::lattice {

// The sum over the six plaquettes through U_mu(site), so that Re tr(U staples) is the sum of their traces.
[[nodiscard]] Matrix3 staples(const GaugeField& field, std::int64_t site, int mu);

}  // namespace sscope::lattice
