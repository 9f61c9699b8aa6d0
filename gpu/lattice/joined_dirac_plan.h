#pragma once
// Wilson's operator on several devices at once, which exchange the halos of their parts among themselves.

#include <memory>
#include <span>

#include "core/engine/engine.h"
#include "core/engine/plan.h"
#include "gpu/lattice/dirac_variants.h"

namespace sscope {

// A rung that stores fields in planes. Null where the lattice has fewer time slices than there are engines, which are
// devices. The bits of one of them, where they are alike. Throws Error(Unsupported), Error(Memory), Canceled.
[[nodiscard]] std::unique_ptr<Plan> prepareDiracOnDevices(std::span<Engine* const> engines, const DiracRung& rung,
                                                          const DiracWorkload& workload,
                                                          std::span<const double> weights,
                                                          const PrepareOptions& options, const Control& control);

}  // namespace sscope
