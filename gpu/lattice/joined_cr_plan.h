#pragma once
// The conjugate residual on several devices at once: fields stay on them; halos of half spinors go from device to
// device, and sums to the first one, which decides for all.

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "core/engine/engine.h"
#include "core/lattice/workload/cr_plan.h"
#include "gpu/lattice/cr_program.h"

namespace sscope {

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
