#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "core/engine/joined_parts.h"
#include "core/measure/measurement.h"
#include "core/measure/text_table.h"

namespace sscope {

namespace {

bool isPeer(const Measurement& m) { return isPeer(m.engineKind); }

std::string scientific(double value) { return fmt::format("{:.1e}", value); }

// Of engines that share the work also the share of each.
std::string engineText(const Measurement& m) {
  std::string shares;
  for (const PartShare& part : sharesIn(m.launch, m.engine))
    shares += (shares.empty() ? "" : " + ") + shortNumber(100 * part.share);
  return m.engine + (shares.empty() ? "" : " (" + shares + " %)");
}

std::string variantText(const Measurement& m) {
  if (m.variant.empty()) return "-";
  return m.ran.empty() || m.ran == m.variant ? labelOf(m) : labelOf(m) + " (" + m.ran + ")";
}

std::string shareText(const Measurement& m) {
  const auto share = m.share();
  return share ? shortNumber(100 * *share) + " %" : "unknown";
}

std::string errorText(const Measurement& m) {
  const bool integer = m.verification.relativeL2 == 0 && m.verification.wrong == 0;
  const std::string definition = definitionOf(m);
  return integer ? "0 (equal)"
                 : scientific(m.verification.relativeL2) + (definition.empty() ? "" : " (" + definition + ")");
}

// Of one run, in millions, "-" where the machine has no such counter.
std::string countText(const Measurement& m, const char* name) {
  const auto found = m.counters.values.find(name);
  return found == m.counters.values.end() ? "-" : shortNumber(1e-6 * found->second);
}

std::vector<std::string> rowOf(const Measurement& m, const std::vector<const Measurement*>& peers, bool counted) {
  std::vector<std::string> row{engineText(m), variantText(m)};
  if (!m.skipped.empty()) {
    row.push_back("skipped: " + m.skipped);
  } else if (!m.hasFigures()) {
    row.push_back("FAILED: " + m.failed);
  } else {
    const Spread spread = m.spread();
    row.insert(row.end(), {std::to_string(m.threads),
                           shortNumber(1e3 * spread.median) + (m.disturbed() || m.beside.count > 0 ? " !" : "") +
                               (m.clock && m.clock->fell() ? " ~" : ""),
                           shortNumber(1e3 * spread.firstQuartile) + ".." + shortNumber(1e3 * spread.thirdQuartile),
                           shortNumber(1e3 * m.phases.total), shortNumber(m.gflops()), shareText(m), errorText(m)});
    if (counted)
      for (const PerfEvent& event : hardwareEvents()) row.push_back(countText(m, event.name.c_str()));
    for (const Measurement* peer : peers)
      row.push_back(isPeer(m) || !areComparable(m, *peer) ? "-"
                                                          : shortNumber(peer->spread().median / spread.median) + "x");
  }
  return row;
}

}  // namespace

std::string toTable(const std::vector<Measurement>& results) {
  std::vector<const Measurement*> peers;
  for (const Measurement& m : results)
    if (isPeer(m) && m.hasFigures()) peers.push_back(&m);
  std::vector<std::string> header{"engine",   "variant", "threads",    "ms",   "quartiles",
                                  "total ms", "GFLOP/s", "of ceiling", "error"};
  const bool counted =
      std::any_of(results.begin(), results.end(), [](const Measurement& m) { return !m.counters.values.empty(); });
  if (counted)
    for (const PerfEvent& event : hardwareEvents()) header.push_back("M " + event.name);
  for (const Measurement* peer : peers) header.push_back("vs " + peer->engine + " " + peer->variant);
  std::vector<std::vector<std::string>> rows{header};
  for (const Measurement& m : results) rows.push_back(rowOf(m, peers, counted));
  return textTable(rows);
}

}  // namespace sscope
