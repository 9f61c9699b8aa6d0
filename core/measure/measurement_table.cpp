#include <algorithm>
#include <iterator>

#include "core/engine/joined_parts.h"
#include "core/measure/measurement.h"
#include "core/measure/table.h"

namespace sscope {

namespace {

bool isPeer(const Measurement& m) { return isPeer(m.engineKind); }

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

std::vector<std::string> rowOf(const Measurement& m, const std::vector<const Measurement*>& peers, bool counted) {
  std::vector<std::string> row{engineText(m), variantText(m)};
  if (!m.skipped.empty()) {
    row.push_back("skipped: " + m.skipped);
  } else if (!m.hasFigures()) {
    row.push_back("FAILED: " + m.failed);
  } else {
    const Spread spread = m.spread();
    row.insert(row.end(), {std::to_string(m.threads),
                           inMilliseconds(spread.median) + (m.disturbed() || m.beside.count > 0 ? " !" : "") +
                               (m.clock && m.clock->fell() ? " ~" : ""),
                           quartilesText(spread), inMilliseconds(m.phases.total), shortNumber(m.gflops()), shareText(m),
                           errorText(m)});
    if (counted) std::ranges::copy(eventTexts(m), std::back_inserter(row));
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
  TextRows rows{header};
  for (const Measurement& m : results) rows.push_back(rowOf(m, peers, counted));
  return textTable(rows);
}

}  // namespace sscope
