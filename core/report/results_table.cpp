#include "core/report/results_table.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "core/measure/table.h"
#include "core/report/svg.h"

namespace sscope::report {

namespace {

// The parameters in which rows differ; those that all have in common say nothing.
std::set<std::string> varying(std::span<const Measurement* const> rows) {
  std::map<std::string, std::set<std::string>> values;
  for (const Measurement* m : rows)
    for (const auto& [name, value] : m->params.items()) values[name].insert(value.dump());
  std::set<std::string> names;
  for (const auto& [name, list] : values) {
    std::size_t with = 0;
    for (const Measurement* m : rows) with += m->params.contains(name) ? 1 : 0;
    if (list.size() > 1 || with < rows.size()) names.insert(name);
  }
  return names;
}

std::string parametersOf(const Measurement& m, const std::set<std::string>& names) {
  std::string text;
  for (const auto& [name, value] : m.params.items())
    if (names.contains(name))
      text += (text.empty() ? "" : ", ") + name + "=" + (value.is_string() ? value.get<std::string>() : value.dump());
  return text;
}

void addFigures(std::vector<std::string>& row, const Measurement& m) {
  const Spread spread = m.spread();
  const bool twin = !m.twinOf.empty();
  for (std::string text : {std::to_string(m.threads), inMilliseconds(spread.median), quartilesText(spread, " to "),
                           std::to_string(m.samples.size()), twin ? "-" : shortNumber(m.gflops()), shortNumber(m.gbs()),
                           twin ? "-" : shareText(m), twin ? "memory only" : errorText(m), m.verification.coverage})
    row.push_back(std::move(text));
}

}  // namespace

std::string resultsTable(std::span<const Measurement* const> rows) {
  const std::set<std::string> names = varying(rows);
  TextRows table{{"engine", "variant", "parameters", "threads", "median ms", "quartiles ms", "repetitions", "GFLOP/s",
                  "GB/s", "of ceiling", "relative error", "compared"}};
  const bool counted =
      std::any_of(rows.begin(), rows.end(), [](const Measurement* m) { return !m->counters.values.empty(); });
  if (counted)
    for (const PerfEvent& event : hardwareEvents()) table.front().push_back("M " + event.name);
  std::set<std::string> reasons;
  for (const Measurement* m : rows) {
    std::vector<std::string>& row = table.emplace_back();
    row = {m->engine, m->variant.empty() ? "-" : labelOf(*m), parametersOf(*m, names)};
    if (m->hasFigures()) {
      addFigures(row, *m);
      if (counted) std::ranges::copy(eventTexts(*m), std::back_inserter(row));
      if (!m->counters.unavailable.empty()) reasons.insert(m->counters.unavailable);
    } else {
      row.push_back(m->skipped.empty() ? "FAILED: " + m->failed : "skipped: " + m->skipped);
    }
  }
  std::string html = htmlTable(table);
  for (const std::string& reason : reasons) html += "<p>Hardware counters: unavailable: " + escaped(reason) + ".</p>\n";
  return html;
}

std::string ceilingsTable(const BenchReport& report) {
  std::map<std::string, Ceilings> known;
  for (const Measurement& m : report.results)
    if (m.ceilings) known[m.ceilingsOf.empty() ? m.engine : m.ceilingsOf] = *m.ceilings;
  TextRows table{{"engine", "device", "driver", "f32 GFLOP/s", "f64 GFLOP/s", "GB/s", "measured"}};
  for (const EngineInfo& info : report.devices) {
    if (const auto found = known.find(info.id); found != known.end()) {
      const Ceilings& ceilings = found->second;
      table.push_back({info.id, info.name, info.driver, shortNumber(ceilings.gflopsF32),
                       info.fp64 ? shortNumber(ceilings.gflopsF64) : "-", shortNumber(ceilings.gbs), ceilings.date});
    } else {
      table.push_back({info.id, info.name, info.driver,
                       info.available() ? "not part of this report" : "absent: " + info.absentReason});
    }
  }
  return htmlTable(table);
}

}  // namespace sscope::report
