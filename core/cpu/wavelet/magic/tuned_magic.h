#pragma once
// The top rung: the whole filter in one sweep, or lines straight from memory, on all threads.

#include <memory>

#include "core/cpu/run/kernel_table.h"
#include "core/cpu/wavelet/magic/line_kernel.h"
#include "core/cpu/wavelet/magic/magic_plan.h"

namespace sscope::cpu {

[[nodiscard]] std::unique_ptr<MagicMethod> makeTunedMagic(const MagicWorkload& workload, const KernelTable& kernels,
                                                          int threads);
// The same with kernels from one source, for comparisons; null if it has none.
[[nodiscard]] std::unique_ptr<MagicMethod> makeTunedMagic(const MagicWorkload& workload, SimdLevel level,
                                                          LineSource source, int threads);

}  // namespace sscope::cpu
