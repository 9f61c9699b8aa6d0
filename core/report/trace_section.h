#pragma once
// The report page's section on traced runs: figures 9 and 10 of A. Cassagne et al., Portage d'un code de lattice QCD
// sur GPU, 2013.

#include <span>
#include <string>

#include "core/measure/kernel_trace.h"
#include "core/measure/published.h"

namespace sscope::report {

// One bar per trace, divided into its kernels' shares, with the paper's shares below, and a timeline of one iteration
// for each trace. Empty without traces.
[[nodiscard]] std::string traceSection(std::span<const NamedTrace> traces, std::span<const PublishedValue> published);

}  // namespace sscope::report
