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

// Prepares a rung that stores fields in planes. Null if the lattice has fewer time slices than there are engines, which
// must be devices. Equal devices give the bits of one of them. Throws Error(Unsupported), Error(Memory), Canceled.
[[nodiscard]] std::unique_ptr<Plan> prepareDiracOnDevices(std::span<Engine* const> engines, const DiracRung& rung,
                                                          const DiracWorkload& workload,
                                                          std::span<const double> weights,
                                                          const PrepareOptions& options, const Control& control);

// The conjugate residual on several devices at once: fields stay on them; halos of half spinors go from device to
// device, and sums to the first one, which decides for all.

// The program of a variant that stores fields in planes, for a part of the lattice: its workload, the operator of the
// same links, and the time slices of the whole, whose sums are added up (makeCrProgram).
using CrProgramFor = std::function<CrProgram(const CrWorkload& part, const DiracWorkload& dirac, std::int64_t summed)>;

// With equal devices, residuals and solution have the bits of one of them: the sums of groups of each slice are added
// in the order of the whole lattice. Null if the lattice has fewer time slices than there are engines, which must be
// devices. Throws Error(Unsupported), Error(Memory), Canceled.
[[nodiscard]] std::unique_ptr<CrPlan> prepareCrOnDevices(std::span<Engine* const> engines, const CrProgramFor& program,
                                                         const CrWorkload& workload, std::span<const double> weights,
                                                         const PrepareOptions& options, const Control& control);

}  // namespace sscope
