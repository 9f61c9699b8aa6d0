#pragma once
// Parts of the report pages: the style sheet, tables, and the section on traced runs.

#include <span>
#include <string>

#include "core/measure/kernel_trace.h"
#include "core/measure/measurement.h"
#include "core/measure/published.h"

namespace sscope::report {

inline constexpr const char* kPageStyle = R"(:root{color-scheme:light dark;
--paper:#ffffff;--ink:#1f2328;--faint:#667080;--line:#d9dde3;--grid:#e7eaee;--shade:#f5f7f9}
@media (prefers-color-scheme:dark){:root{
--paper:#14171b;--ink:#e4e7eb;--faint:#9aa4b1;--line:#3a414b;--grid:#2a3038;--shade:#1c2026}}
body{font:15px/1.5 system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;color:var(--ink);
background:var(--paper);max-width:1120px;margin:2em auto;padding:0 1.5em}
h1{font-size:1.6em;margin-bottom:0}h2{font-size:1.25em;margin-top:2.2em;border-bottom:1px solid var(--line);
padding-bottom:.2em}h3{font-size:1em;margin:1.4em 0 .5em}
p,figcaption,li{max-width:75em}figure{margin:0 0 1.5em}figcaption,.faint{color:var(--faint);font-size:.9em}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:.86em;font-variant-numeric:tabular-nums}
td,th{padding:.25em .7em;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
th{background:var(--shade);font-weight:600}
td:nth-child(-n+3),th:nth-child(-n+3),.none{text-align:left}.none,.published td{color:var(--faint)}
.none{white-space:normal}
svg{display:block}svg text{font:12px system-ui,"Segoe UI",Roboto,Arial,sans-serif}
)";

// All rows; those without results show the reason.
[[nodiscard]] std::string resultsTable(std::span<const Measurement* const> rows);
// The machine's engines with their ceilings, and absent engines with the reason.
[[nodiscard]] std::string ceilingsTable(const BenchReport& report);

// The report page's section on traced runs: figures 9 and 10 of A. Cassagne et al., Portage d'un code de lattice QCD
// sur GPU, 2013.

// One bar per trace, divided into its kernels' shares, with the paper's shares below, and a timeline of one iteration
// for each trace. Empty without traces.
[[nodiscard]] std::string traceSection(std::span<const NamedTrace> traces, std::span<const PublishedValue> published);

}  // namespace sscope::report
