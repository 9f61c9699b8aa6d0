#pragma once
// The page of a benchmark whose runs were traced, too.

#include <span>
#include <string>

#include "core/measure/kernel_trace.h"
#include "core/measure/measurement.h"

namespace sscope {

// As toHtml(report), with the traces' shares and timelines.
[[nodiscard]] std::string toHtml(const BenchReport& report, std::span<const NamedTrace> traces);

}  // namespace sscope
