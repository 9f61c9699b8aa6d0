#pragma once
// Where the time of traced runs went, for the report page: figures 9 and 10 of A. Cassagne et al., Portage d'un code de
// lattice QCD sur GPU, 2013.

#include <span>
#include <string>

#include "core/measure/kernel_trace.h"
#include "core/measure/published.h"

namespace sscope::report {

// One bar a trace, divided into the shares of its kernels, with the shares that the paper states beneath; of each trace
// the timeline of one iteration. Empty without traces.
[[nodiscard]] std::string traceSection(std::span<const NamedTrace> traces, std::span<const PublishedValue> published);

}  // namespace sscope::report
