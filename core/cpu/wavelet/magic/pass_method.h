#pragma once
// The lower rungs: pass after pass over whole arrays, on one thread.

#include <memory>

#include "core/cpu/wavelet/magic/magic_pass.h"
#include "core/cpu/wavelet/magic/magic_plan.h"

namespace sscope::cpu {

// Three passes (with `transposed`, each writes its lines as columns, so that all of them read along memory), or the one
// of lines. `granularity`: lines that `lines` computes at once.
[[nodiscard]] std::unique_ptr<MagicMethod> makePassMethod(const MagicWorkload& workload, MagicLines lines,
                                                          bool transposed, std::int64_t granularity);

}  // namespace sscope::cpu
