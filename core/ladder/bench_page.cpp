// The page of `sscope bench --report`: one self-contained file.

#include "core/ladder/bench_page.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/base/statistics.h"
#include "core/base/words.h"
#include "core/ladder/ladder.h"
#include "core/measure/machine.h"
#include "core/measure/table.h"
#include "core/report/extents.h"
#include "core/report/figure_data.h"
#include "core/report/page_sections.h"
#include "core/report/svg.h"
#include "core/workload/catalog.h"

namespace sscope {

using namespace report;

namespace {

using Rows = std::vector<const Measurement*>;

std::string paragraph(const std::string& text) { return "<p>" + escaped(text) + "</p>\n"; }

// Rows of one workload with the same parameters can be compared by time alone.
bool comparable(const Rows& rows) {
  constexpr std::size_t kMostBars = 60;
  std::set<std::string> settings;
  for (const Measurement* m : rows)
    if (m->hasFigures()) {
      const WorkloadKind* kind = findWorkloadKind(m->workload);
      nlohmann::json setting{{"shape", m->shape}, {"input", m->input}};
      for (const auto& [name, value] : m->params.items())
        if (kind == nullptr || findOption(kind->options, name) != nullptr) setting[name] = value;
      settings.insert(setting.dump());
    }
  return settings.size() == 1 && rows.size() <= kMostBars;
}

std::string heading(const Measurement& m) {
  const WorkloadKind* kind = findWorkloadKind(m.workload);
  return (kind != nullptr ? kind->title : m.workload) + ": " + extentsText(extentsOf(m)) + " " + m.input +
         ", computed in " + std::string(toString(m.precision));
}

std::string figureHtml(const Figure& figure, Palette& palette, std::span<const Measurement> results) {
  return "<figure id='" + escaped(figure.id) + "'>\n<h3>" + escaped(figure.title) + "</h3>\n<div class='wide'>" +
         draw(figure, palette, results) + "</div>\n<figcaption>" + escaped(figure.note) + "</figcaption>\n</figure>\n";
}

std::string scalingHtml(const std::string& workload, const reach::ScalingReport* scaling) {
  if (scaling == nullptr || scaling->workload != workload) return {};
  Palette palette;
  std::string html;
  for (const Figure& figure : scalingFigures(*scaling, publishedValues())) html += figureHtml(figure, palette, {});
  return html;
}

std::string sectionOf(const std::string& workload, const std::vector<Measurement>& results,
                      const reach::ScalingReport* scaling, Palette& palette) {
  Rows rows;
  for (const Measurement& m : results)
    if (m.workload == workload) rows.push_back(&m);
  const WorkloadKind* kind = findWorkloadKind(workload);
  const std::string title = !rows.empty() ? heading(*rows.front()) : kind != nullptr ? kind->title : workload;
  std::string html = "<section>\n<h2>" + escaped(title) + "</h2>\n";
  if (kind != nullptr) html += paragraph(kind->explanation + " Source: " + kind->source + ".");
  if (rows.empty()) return html + scalingHtml(workload, scaling) + "</section>\n";
  const std::vector<Figure> figures = figuresOf(workload, results, publishedValues());
  for (const Figure& figure : figures) html += figureHtml(figure, palette, results);
  html += scalingHtml(workload, scaling);
  if (figures.empty() || comparable(rows)) {
    const Figure medians = medianFigure(results, rows);
    Palette engines;
    html += "<figure>\n<h3>" + medians.title + "</h3>\n<div class='wide'>" +
            (medians.empty() ? paragraph("No row has results.") : draw(medians, engines, results)) +
            "</div>\n</figure>\n";
  }
  return html + "<h3>All rows</h3>\n" + resultsTable(rows) + "</section>\n";
}

std::string machineSection(const BenchReport& report) {
  const Machine& machine = report.machine;
  std::string html = "<section>\n<h2>Machine</h2>\n" +
                     paragraph(machine.cpu + ", " + std::to_string(machine.threads) + " threads, " + machine.os);
  return html + ceilingsTable(report) + "</section>\n";
}

std::string verificationSection(const std::vector<Measurement>& results) {
  std::map<std::string, std::size_t> coverage;
  std::set<std::string> caches;
  std::size_t skipped = 0, failed = 0;
  for (const Measurement& m : results) {
    skipped += m.skipped.empty() ? 0 : 1;
    failed += m.failed.empty() ? 0 : 1;
    if (!m.hasFigures()) continue;
    ++coverage[m.twinOf.empty() ? m.verification.coverage : "memory-only twins, against a copy of the input"];
    caches.insert(m.caches);
  }
  std::string html =
      "<section>\n<h2>How it was measured and verified</h2>\n"
      "<p>Every output was compared with the double-precision reference in the same run, before it was timed; rows of "
      "one point took turns. After a warm-up every row ran at least 7 times and at least 0.3 seconds; the median is "
      "shown, and hovering over a mark shows more. Times on devices come from the device's "
      "own events, without transfers. Operations are counted from the formula (2 for each tap and output), bytes are "
      "the compulsory ones. The share of the ceiling is achieved / min(peak, intensity x bandwidth), both measured on "
      "this machine with floating-point loops; integer work may exceed it.</p>\n<ul>\n";
  for (const auto& [what, count] : coverage)
    html += "<li>compared: " + escaped(what) + " (rows: " + std::to_string(count) + ")</li>\n";
  html += "<li>rows without results: " + std::to_string(skipped) + " skipped, " + std::to_string(failed) +
          " failed; the tables give the reasons</li>\n";
  for (const std::string& cache : caches) html += "<li>buffers: " + escaped(cache) + "</li>\n";
  return html +
         "</ul>\n<p>Published numbers are those that the papers state; they were taken on the named hardware and are "
         "shown for comparison only.</p>\n</section>\n";
}

}  // namespace

std::string toHtml(const BenchReport& report) { return toHtml(report, {}); }

std::string toHtml(const BenchReport& report, std::span<const NamedTrace> traces, const reach::ScalingReport* scaling) {
  std::string html =
      "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n<meta name='viewport' "
      "content='width=device-width'>\n<title>Stencilscope benchmark</title>\n<style>\n" +
      std::string(kPageStyle) + "</style>\n</head>\n<body>\n<h1>Stencilscope " + std::string(SSCOPE_VERSION) +
      " benchmark</h1>\n";
  html += "<p class='faint'>" + escaped(report.machine.host.empty() ? "" : report.machine.host + ", ") +
          escaped(isoTime()) + "</p>\n";
  if (!report.stopped.empty()) html += "<p><strong>" + escaped(report.stopped) + "</strong></p>\n";
  for (const std::string& note : report.notes) html += paragraph(note);
  std::vector<std::string> workloads;
  const auto add = [&](const std::string& workload) {
    if (std::find(workloads.begin(), workloads.end(), workload) == workloads.end()) workloads.push_back(workload);
  };
  for (const Measurement& m : report.results) add(m.workload);
  if (scaling != nullptr) add(scaling->workload);
  Palette palette;
  for (const std::string& workload : workloads) html += sectionOf(workload, report.results, scaling, palette);
  html += traceSection(traces, publishedValues());
  return html + machineSection(report) + verificationSection(report.results) + "</body>\n</html>\n";
}

namespace {

using reach::RankMeasurement;
using reach::ScalingReport;

std::string placeText(const RankMeasurement& point) {
  if (point.devices == 0) return counted(point.ranks, "rank");
  return counted(point.ranks, "rank") + (point.ranks == 1 ? " has " : " share ") + counted(point.devices, "device");
}

FigureSeries seriesOf(const ScalingReport& report) {
  const reach::ShareFacts& facts = report.points.back().facts;
  const std::set<std::string> machines(report.machines.begin(), report.machines.end());
  FigureSeries series;
  series.name = std::string(toString(report.scaling)) + ", " + facts.engine + " " + facts.variant;
  if (machines.size() > 1) series.name += ", " + counted(std::ssize(machines), "machine");
  series.engine = facts.engine;
  series.variant = facts.variant;
  series.hardware = thisMachine().cpu + ", " + counted(facts.threads, "thread") + " a rank";
  return series;
}

// The curve of the report, through `valueOf(report, point)`.
void addMeasured(Figure& figure, const ScalingReport& report,
                 double (*valueOf)(const ScalingReport&, const RankMeasurement&), double scale, const char* what) {
  FigureSeries series = seriesOf(report);
  for (const RankMeasurement& point : report.points) {
    const double value = scale * valueOf(report, point);
    const Spread spread = spreadOf(point.samples);
    series.points.push_back({static_cast<double>(point.ranks), value, value,
                             placeText(point) + ": " + shortNumber(1e3 * spread.median) + " ms (quartiles " +
                                 shortNumber(1e3 * spread.firstQuartile) + " to " +
                                 shortNumber(1e3 * spread.thirdQuartile) + "), " + what + " " + shortNumber(value)});
  }
  figure.series.push_back(std::move(series));
}

// Published speed-ups of a whole program that uses the workload, on ranks that share devices.
void addPrograms(Figure& figure, std::string_view workload, std::span<const PublishedValue> published) {
  for (const PublishedValue& value : published) {
    const auto ranks = parameter(value.params, "ranks");
    if (value.workload != workload || value.quantity != "program_speedup" || !ranks) continue;
    const std::string program = value.params.value("program", "program");
    const std::string devices = value.params.value("on", "processors");
    seriesOf(figure, program + " on " + devices,
             [&] {
               FigureSeries made = publishedSeries(value, program + " on " + devices);
               made.hardware = devices;
               return made;
             })
        .points.push_back({*ranks, value.value, value.value,
                           value.hardware + ": " + shortNumber(value.value) + " times 1 rank on the processor"});
  }
}

Figure speedUps(const ScalingReport& report, std::span<const PublishedValue> published) {
  Figure figure;
  figure.id = report.workload + "-ranks";
  figure.title = "Speed-up over ranks and devices";
  figure.x = {"ranks", "", true};
  figure.y = {"speed-up", "", true};
  addMeasured(figure, report, &reach::speedUp, 1, "speed-up");
  addPrograms(figure, report.workload, published);
  figure.note = "Measured: " + report.title + ". Measured speed-ups are over the first point";
  if (figure.series.size() > 1) {
    figure.title += " (table V)";
    figure.note +=
        "; the published ones are those of a whole program over its run on 1 rank without a device, where ranks share "
        "one device of a machine";
  }
  figure.note += ".";
  sortPoints(figure);
  return figure;
}

Figure efficiencies(const ScalingReport& report) {
  Figure figure;
  figure.id = report.workload + "-efficiency";
  figure.title = "Efficiency over ranks";
  figure.x = {"ranks", "", true};
  figure.y = {"efficiency", "%", false};
  addMeasured(figure, report, &reach::efficiency, 100, "efficiency in percent");
  figure.note = "Measured: " + report.title +
                ". Efficiency is the speed-up divided by the factor by which the number of ranks grew.";
  return figure;
}

// The rate of each device, or of each rank on processors. Empty if no operations were counted.
Figure deviceRates(const ScalingReport& report, std::span<const PublishedValue> published) {
  Figure figure;
  figure.id = report.workload + "-device-rate";
  figure.title = "Rate of each device over how many there are";
  figure.x = {"devices, or ranks on processors", "", true};
  figure.y = {"rate of each", "GFLOP/s", true};
  FigureSeries measured = seriesOf(report);
  for (const RankMeasurement& point : report.points) {
    const int many = point.devices > 0 ? point.devices : point.ranks;
    const double rate = point.facts.work.operations / medianOf(point.samples) * 1e-9 / many;
    if (rate > 0)
      measured.points.push_back({static_cast<double>(many), rate, rate,
                                 placeText(point) + ": " + shortNumber(rate * many) + " GFLOP/s together"});
  }
  if (measured.points.empty()) return figure;
  figure.series.push_back(std::move(measured));
  for (const PublishedValue& value : published) {
    const auto devices = parameter(value.params, "devices");
    if (value.workload != report.workload || value.quantity != "gflops_per_device" || !devices) continue;
    FigureSeries series = publishedSeries(value, value.hardware);
    series.points.push_back({*devices, value.value, value.value, value.source});
    figure.series.push_back(std::move(series));
  }
  figure.note = "Measured: " + report.title + ", operations of the formula.";
  if (figure.series.size() > 1) {
    figure.title += " (the paper's outlook)";
    figure.note += " Published: the goal that the paper derives from measurements of another program.";
  }
  sortPoints(figure);
  return figure;
}

}  // namespace

std::vector<Figure> scalingFigures(const ScalingReport& report, std::span<const PublishedValue> published) {
  if (report.points.empty()) return {};
  std::vector<Figure> figures{speedUps(report, published), efficiencies(report)};
  if (Figure rates = deviceRates(report, published); !rates.empty()) figures.push_back(std::move(rates));
  return figures;
}

}  // namespace sscope
