#pragma once
// The processor's measured ceilings.

#include "core/base/control.h"
#include "core/cpu/run/kernel_table.h"
#include "core/engine/engine.h"

namespace sscope::cpu {

// Runs register-only multiply-adds and a copy far larger than the last cache on `threads` threads at once,
// about a second in all. Throws Canceled.
[[nodiscard]] Ceilings measureCeilings(const KernelTable& kernels, int threads, const Control& control);

}  // namespace sscope::cpu
