#include "core/compare/compare_page.h"

#include <algorithm>

#include "core/base/words.h"
#include "core/compare/capsule.h"
#include "core/compare/lane_figures.h"
#include "core/measure/table.h"
#include "core/report/figure_layout.h"
#include "core/report/page_sections.h"
#include "core/report/svg.h"

namespace sscope::compare {

namespace {

constexpr double kFigureWidth = 1000;

std::string sentence(const std::string& text) {
  return text.empty() ? "" : "<p>" + escaped(text) + (text.ends_with('.') ? "" : ".") + "</p>\n";
}

std::string drawn(const LaneFigure& figure) {
  if (figure.figure.categories.empty()) return {};
  const report::PageFont font;
  return "<figure id='" + escaped(figure.figure.id) + "'>\n<h3>" + escaped(figure.figure.title) +
         "</h3>\n<div class='wide'>" +
         report::toSvg(report::layOut(figure.ink(font), kFigureWidth), figure.figure.title) + "</div>\n</figure>\n";
}

void addLanes(TextRows& rows, const Comparison& comparison) {
  const Standing total = standing(comparison.lanes, Times::Total), kernel = standing(comparison.lanes, Times::Kernel);
  for (std::size_t i = 0; i < comparison.lanes.size(); ++i) {
    const Lane& lane = comparison.lanes[i];
    const Measurement& m = lane.measurement;
    if (!lane.hasFigures()) {
      rows.push_back({comparison.where(), lane.name(), (m.skipped.empty() ? "failed: " : "skipped: ") + lane.reason()});
      continue;
    }
    std::string marks;
    for (const std::string& words : lane.disturbances()) marks += (marks.empty() ? "" : "; ") + words;
    rows.push_back({comparison.where(), (total.winner == i ? "★ " : "") + lane.name(), std::to_string(m.threads),
                    inMilliseconds(lane.total().median), quartilesText(lane.total(), " to "),
                    factorText(total.factor[i]), inMilliseconds(lane.kernel().median),
                    quartilesText(lane.kernel(), " to "), factorText(kernel.factor[i]),
                    std::to_string(m.samples.size()), durationText(1000 * lane.total().median), shareText(m),
                    errorText(m), marks.empty() ? "-" : "! " + marks});
  }
}

std::string lanesTable(const Comparison& comparison, std::span<const Comparison> others) {
  TextRows rows{{"machine", "lane", "threads", "median ms with transfers", "quartiles", "times the fastest",
                 "median ms without", "quartiles", "times the fastest", "repetitions", "1000 volumes",
                 "share of the roof", "relative error", "disturbed"}};
  addLanes(rows, comparison);
  for (const Comparison& other : others) addLanes(rows, other);
  return htmlTable(rows);
}

std::string standingSection(const Comparison& comparison, std::span<const Comparison> others) {
  std::string html =
      sentence(standingText(comparison.lanes, Times::Total)) + sentence(standingText(comparison.lanes, Times::Kernel));
  for (const Comparison& other : others) {
    const std::string there = standingText(other.lanes, Times::Total);
    if (!there.empty()) html += sentence("On " + other.where() + ", " + there);
    for (const Times which : {Times::Total, Times::Kernel})
      if (const std::string words = replayText(replayed(other, comparison, which)); !words.empty())
        html += sentence((which == Times::Total ? "With transfers, " : "Without transfers, ") + words);
  }
  return html;
}

std::string machineSection(const Comparison& comparison, std::span<const Comparison> others) {
  TextRows machines{{"machine", "processor", "threads", "system", "memory", "Stencilscope", "measured"}};
  TextRows engines{{"machine", "engine", "device", "driver", ""}};
  const auto add = [&](const Comparison& one) {
    const Machine& machine = one.machine;
    machines.push_back({one.where(), machine.cpu, std::to_string(machine.threads), machine.os,
                        machine.memoryBytes > 0 ? bytesText(static_cast<double>(machine.memoryBytes)) : "-",
                        one.version, one.date});
    for (const EngineInfo& info : one.engines)
      engines.push_back({one.where(), info.id, info.name, info.driver, info.available() ? "there" : info.absentReason});
  };
  add(comparison);
  for (const Comparison& other : others) add(other);
  return "<section>\n<h2>Machines</h2>\n" + htmlTable(machines) + htmlTable(engines) + "</section>\n";
}

std::string methodSection(const Comparison& comparison) {
  std::string html =
      "<section>\n<h2>How it was measured and verified</h2>\n"
      "<p>Quoted are quiet repetitions in turns (A B A B), at least 7 of each lane, as medians with quartiles; first "
      "results are shown and never quoted. Every output was compared with the double-precision reference in the same "
      "run, before and after it was timed. Lanes whose quartiles overlap are not ranked. 1000 volumes: as many "
      "times the median with transfers, one after the other. The share of the roof is achieved / min(peak, intensity x "
      "bandwidth), both measured on the same machine. Marked with ! is what ran beside other programs, while a "
      "hypervisor withheld the processor, or on a clock that fell.</p>\n<ul>\n";
  std::vector<std::string> notes;
  for (const Lane& lane : comparison.lanes) {
    if (!lane.hasFigures()) continue;
    for (const std::string& words :
         {"compared: " + lane.measurement.verification.coverage, "caches: " + lane.measurement.caches})
      if (std::ranges::find(notes, words) == notes.end()) notes.push_back(words);
  }
  for (const std::string& words : notes) html += "<li>" + escaped(words) + "</li>\n";
  return html + "</ul>\n</section>\n";
}

}  // namespace

std::string toPage(const Comparison& comparison, std::span<const Comparison> others,
                   std::span<const PageSection> sections) {
  std::string html =
      "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n<meta name='viewport' "
      "content='width=device-width'>\n<title>Stencilscope comparison</title>\n<style>\n" +
      std::string(report::kPageStyle) + "</style>\n</head>\n<body>\n<h1>Stencilscope " + escaped(comparison.version) +
      " comparison</h1>\n";
  html += "<p class='faint'>" + escaped(comparison.where() + ", " + comparison.date) + "</p>\n";
  html += "<section>\n<h2>" + escaped(titleOf(comparison.recipe)) + "</h2>\n" + standingSection(comparison, others);
  for (const std::string& note : comparison.notes) html += sentence(note);
  LaneColors colors;
  html += drawn(timesFigure(comparison, others, Times::Total, colors));
  html += drawn(timesFigure(comparison, others, Times::Kernel, colors));
  html += drawn(phasesFigure(comparison));
  html += drawn(firstFigure(comparison));
  html += "<h3>All lanes</h3>\n" + lanesTable(comparison, others) + "</section>\n";
  for (const PageSection& section : sections)
    html += "<section>\n<h2>" + escaped(section.title) + "</h2>\n" + section.html + "</section>\n";
  html += machineSection(comparison, others) + methodSection(comparison);
  if (notPortable(comparison.recipe).empty()) html += capsuleElement(comparison);
  return html + "</body>\n</html>\n";
}

}  // namespace sscope::compare
