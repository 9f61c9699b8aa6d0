#pragma once
// Wilson's operator on several devices at once, which exchange the halos of their parts among themselves.

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "core/engine/engine.h"
#include "core/engine/plan.h"
#include "core/lattice/workload/cr_workload.h"
#include "gpu/lattice/cr_program.h"
#include "gpu/lattice/rows.h"

namespace sscope {

// A rung that stores fields in planes. Null where the lattice has fewer time slices than there are engines, which are
// devices. The bits of one of them, where they are alike. Throws Error(Unsupported), Error(Memory), Canceled.
[[nodiscard]] std::unique_ptr<Plan> prepareDiracOnDevices(std::span<Engine* const> engines, const DiracRung& rung,
                                                          const DiracWorkload& workload,
                                                          std::span<const double> weights,
                                                          const PrepareOptions& options, const Control& control);

// The conjugate residual on several devices at once: fields stay on them; halos of half spinors go from device to
// device, and sums to the first one, which decides for all.

// The program of a variant that stores fields in planes, for a part of the lattice: its workload, the operator of the
// same links, and the time slices of the whole, whose sums are added up (makeCrProgram).
using CrProgramFor = std::function<CrProgram(const CrWorkload& part, const DiracWorkload& dirac, std::int64_t summed)>;

// Residuals and solution have the bits of one of the devices, where they are alike: what the groups of each slice sum
// up is added in the order of the whole lattice. Null where the lattice has fewer time slices than there are engines,
// which are devices. Throws Error(Unsupported), Error(Memory), Canceled.
[[nodiscard]] std::unique_ptr<CrPlan> prepareCrOnDevices(std::span<Engine* const> engines, const CrProgramFor& program,
                                                         const CrWorkload& workload, std::span<const double> weights,
                                                         const PrepareOptions& options, const Control& control);

}  // namespace sscope
