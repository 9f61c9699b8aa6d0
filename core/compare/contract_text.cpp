#include <algorithm>

#include "core/compare/agreement.h"
#include "core/compare/contract.h"
#include "core/measure/table.h"
#include "core/report/svg.h"

namespace sscope::compare {

namespace {

std::string extentText(const ArraySpec& spec) {
  return std::to_string(spec.extent[0]) + "x" + std::to_string(spec.extent[1]) + "x" + std::to_string(spec.extent[2]) +
         " " + std::string(toString(spec.type));
}

const char* markOf(const ProbeOutcome& outcome) {
  if (!outcome.failure.empty()) return "WRONG";
  return outcome.without.empty() ? "ok" : "-";
}

TextRows rowsOf(const Contract& contract) {
  TextRows rows{{"lane"}};
  for (const ProbeTitle& title : probeTitles(contract)) rows.front().push_back(title.name);
  for (const LaneContract& lane : contract.lanes) {
    std::vector<std::string> row{lane.lane};
    for (const ProbeOutcome& outcome : lane.outcomes)
      row.push_back(outcome.reason.empty() ? markOf(outcome) : "skipped: " + outcome.reason);
    rows.push_back(std::move(row));
  }
  return rows;
}

// One line per failure, and per probe that does not apply.
std::vector<std::string> remarks(const Contract& contract) {
  std::vector<std::string> lines;
  for (const LaneContract& lane : contract.lanes)
    for (const ProbeOutcome& outcome : lane.outcomes) {
      if (!outcome.failure.empty()) lines.push_back(lane.lane + ", " + outcome.probe + ": " + failureText(outcome));
      std::string none = outcome.probe + " means nothing here: " + outcome.without;
      if (!outcome.without.empty() && std::ranges::find(lines, none) == lines.end()) lines.push_back(std::move(none));
    }
  return lines;
}

}  // namespace

std::string failureText(const ProbeOutcome& outcome) {
  if (outcome.failure.empty() || !outcome.worst) return outcome.failure;
  return outcome.failure + "; output " + std::to_string(outcome.output + 1) + " at " +
         placeText(ElementType::f64, outcome.worst);
}

std::string toCsv(const Contract& contract) {
  TextRows rows{{"lane", "probe", "result", "words"}};
  for (const LaneContract& lane : contract.lanes)
    for (const ProbeOutcome& outcome : lane.outcomes) {
      const bool skipped = !outcome.reason.empty();
      rows.push_back({lane.lane, outcome.probe, skipped ? "skipped" : markOf(outcome),
                      skipped ? outcome.reason : failureText(outcome) + outcome.without});
    }
  return csvTable(rows);
}

std::string toText(const Contract& contract) {
  std::string text = "contract on " + extentText(contract.spec) + ", every element against the reference\n" +
                     textTable(rowsOf(contract));
  for (const std::string& line : remarks(contract)) text += line + "\n";
  return text;
}

std::string toHtml(const Contract& contract) {
  std::string html = "<p>Probes of " + extentText(contract.spec) +
                     "; every element of every result was compared with the reference, and the noise was computed "
                     "twice.</p>\n" +
                     htmlTable(rowsOf(contract)) + "<ul>\n";
  for (const std::string& line : remarks(contract)) html += "<li>" + escaped(line) + "</li>\n";
  for (const ProbeTitle& title : probeTitles(contract))
    html += "<li class='faint'>" + escaped(title.name + ": " + title.shows) + "</li>\n";
  return html + "</ul>\n";
}

nlohmann::json toJson(const Contract& contract) {
  nlohmann::json lanes = nlohmann::json::array();
  for (const LaneContract& lane : contract.lanes) {
    nlohmann::json outcomes = nlohmann::json::array();
    for (const ProbeOutcome& outcome : lane.outcomes) {
      nlohmann::json value{{"probe", outcome.probe},
                           {"passed", outcome.failure.empty() && outcome.reason.empty() && outcome.without.empty()}};
      if (!outcome.failure.empty()) value["failure"] = outcome.failure;
      if (!outcome.reason.empty()) value["skipped"] = outcome.reason;
      if (!outcome.without.empty()) value["without"] = outcome.without;
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
