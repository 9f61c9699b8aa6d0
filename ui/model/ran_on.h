#pragma once
// Where a run took place, as people read it.

#include <QString>

#include "core/engine/engine.h"
#include "core/engine/run_report.h"

namespace sscope {

// "ran on cpu:avx512, 2 threads"; the threads where the engine takes those that it is asked for.
[[nodiscard]] QString ranOnText(const RunReport& report, const EngineSet& engines);

}  // namespace sscope
