#include "core/report/results_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "core/measure/text_table.h"
#include "core/report/svg.h"

namespace sscope::report {

namespace {

std::string cells(const std::vector<std::string>& texts, const char* tag = "td") {
  std::string html;
  for (const std::string& text : texts) html += "<" + std::string(tag) + ">" + escaped(text) + "</" + tag + ">";
  return html;
}

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

std::string errorText(const Verification& verification) {
  if (verification.relativeL2 == 0 && verification.wrong == 0) return "0 (equal)";
  return fmt::format("{:.1e}", verification.relativeL2);
}

// Of one run, in millions.
std::vector<std::string> countsOf(const Measurement& m) {
  std::vector<std::string> texts;
  for (const PerfEvent& event : hardwareEvents()) {
    const auto found = m.counters.values.find(event.name);
    texts.push_back(found == m.counters.values.end() ? "-" : shortNumber(1e-6 * found->second));
  }
  return texts;
}

std::string figuresOf(const Measurement& m) {
  const Spread spread = m.spread();
  const auto share = m.share();
  const bool twin = !m.twinOf.empty();
  return cells({std::to_string(m.threads), shortNumber(1e3 * spread.median),
                shortNumber(1e3 * spread.firstQuartile) + " to " + shortNumber(1e3 * spread.thirdQuartile),
                std::to_string(m.samples.size()), twin ? "-" : shortNumber(m.gflops()), shortNumber(m.gbs()),
                twin    ? "-"
                : share ? shortNumber(100 * *share) + " %"
                        : "unknown",
                twin ? "memory only" : errorText(m.verification),
                m.approximate ? m.verification.coverage + "; " + definitionOf(m) : m.verification.coverage});
}

}  // namespace

std::string resultsTable(std::span<const Measurement* const> rows) {
  const std::set<std::string> names = varying(rows);
  std::string html = "<div class='wide'><table>\n<tr>" +
                     cells({"engine", "variant", "parameters", "threads", "median ms", "quartiles ms", "repetitions",
                            "GFLOP/s", "GB/s", "of ceiling", "relative error", "compared"},
                           "th");
  const bool counted =
      std::any_of(rows.begin(), rows.end(), [](const Measurement* m) { return !m->counters.values.empty(); });
  if (counted)
    for (const PerfEvent& event : hardwareEvents()) html += "<th>M " + escaped(event.name) + "</th>";
  html += "</tr>\n";
  std::set<std::string> reasons;
  for (const Measurement* m : rows) {
    html += "<tr>" + cells({m->engine, m->variant.empty() ? "-" : labelOf(*m), parametersOf(*m, names)});
    if (m->hasFigures()) {
      html += figuresOf(*m);
      if (counted) html += cells(countsOf(*m));
      if (!m->counters.unavailable.empty()) reasons.insert(m->counters.unavailable);
    } else {
      const std::string why = m->skipped.empty() ? "FAILED: " + m->failed : "skipped: " + m->skipped;
      html += "<td colspan='" + std::to_string(counted ? 9 + hardwareEvents().size() : 9) + "' class='none'>" +
              escaped(why) + "</td>";
    }
    html += "</tr>\n";
  }
  html += "</table></div>\n";
  for (const std::string& reason : reasons) html += "<p>Hardware counters: unavailable: " + escaped(reason) + ".</p>\n";
  return html;
}

std::string ceilingsTable(const BenchReport& report) {
  std::map<std::string, Ceilings> known;
  for (const Measurement& m : report.results)
    if (m.ceilings) known[m.ceilingsOf.empty() ? m.engine : m.ceilingsOf] = *m.ceilings;
  std::string html = "<div class='wide'><table>\n<tr>" +
                     cells({"engine", "device", "driver", "f32 GFLOP/s", "f64 GFLOP/s", "GB/s", "measured"}, "th") +
                     "</tr>\n";
  for (const EngineInfo& info : report.devices) {
    html += "<tr>" + cells({info.id, info.name, info.driver});
    if (const auto found = known.find(info.id); found != known.end()) {
      const Ceilings& ceilings = found->second;
      html += cells({shortNumber(ceilings.gflopsF32), info.fp64 ? shortNumber(ceilings.gflopsF64) : "-",
                     shortNumber(ceilings.gbs), ceilings.date});
    } else {
      html += "<td colspan='4' class='none'>" +
              escaped(info.available() ? "not part of this report" : "absent: " + info.absentReason) + "</td>";
    }
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

}  // namespace sscope::report
