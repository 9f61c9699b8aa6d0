#include "core/compare/comparison_tables.h"
#include "core/compare/contract.h"
#include "core/measure/text_table.h"
#include "core/report/svg.h"

namespace sscope::compare {

namespace {

std::string extentText(const ArraySpec& spec) {
  return std::to_string(spec.extent[0]) + "x" + std::to_string(spec.extent[1]) + "x" + std::to_string(spec.extent[2]) +
         " " + std::string(toString(spec.type));
}

TextRows rowsOf(const Contract& contract) {
  TextRows rows{{"lane"}};
  for (const Probe& probe : contract.probes) rows.front().push_back(probe.name);
  rows.front().emplace_back("repeat");
  for (const LaneContract& lane : contract.lanes) {
    std::vector<std::string> row{lane.lane};
    for (const ProbeOutcome& outcome : lane.outcomes)
      row.push_back(!outcome.reason.empty() ? "skipped: " + outcome.reason : outcome.failure.empty() ? "ok" : "WRONG");
    rows.push_back(std::move(row));
  }
  return rows;
}

// What went wrong, a line each.
std::vector<std::string> failures(const Contract& contract) {
  std::vector<std::string> lines;
  for (const LaneContract& lane : contract.lanes)
    for (const ProbeOutcome& outcome : lane.outcomes) {
      if (outcome.failure.empty()) continue;
      std::string line = lane.lane + ", " + outcome.probe + ": " + outcome.failure;
      if (outcome.worst)
        line += "; output " + std::to_string(outcome.output + 1) + " at " + placeText(ElementType::f64, outcome.worst);
      lines.push_back(std::move(line));
    }
  return lines;
}

}  // namespace

std::string toText(const Contract& contract) {
  std::string text = "contract on " + extentText(contract.spec) + ", every element against the reference\n" +
                     textTable(rowsOf(contract));
  for (const std::string& line : failures(contract)) text += line + "\n";
  return text;
}

std::string toHtml(const Contract& contract) {
  std::string html = "<p>Probes of " + extentText(contract.spec) +
                     "; every element of every result was compared with the reference, and the noise was computed "
                     "twice.</p>\n" +
                     htmlTable(rowsOf(contract)) + "<ul>\n";
  for (const std::string& line : failures(contract)) html += "<li>" + report::escaped(line) + "</li>\n";
  for (const Probe& probe : contract.probes)
    html += "<li class='faint'>" + report::escaped(probe.name + ": " + probe.shows) + "</li>\n";
  return html + "</ul>\n";
}

nlohmann::json toJson(const Contract& contract) {
  nlohmann::json lanes = nlohmann::json::array();
  for (const LaneContract& lane : contract.lanes) {
    nlohmann::json outcomes = nlohmann::json::array();
    for (const ProbeOutcome& outcome : lane.outcomes) {
      nlohmann::json value{{"probe", outcome.probe}, {"passed", outcome.failure.empty() && outcome.reason.empty()}};
      if (!outcome.failure.empty()) value["failure"] = outcome.failure;
      if (!outcome.reason.empty()) value["skipped"] = outcome.reason;
      if (outcome.worst) {
        value["output"] = outcome.output;
        value["worst"] = toJson(*outcome.worst);
      }
      outcomes.push_back(std::move(value));
    }
    lanes.push_back({{"lane", lane.lane}, {"kept", lane.kept()}, {"probes", std::move(outcomes)}});
  }
  return {{"extent", contract.spec.extent}, {"type", toString(contract.spec.type)}, {"lanes", std::move(lanes)}};
}

}  // namespace sscope::compare
