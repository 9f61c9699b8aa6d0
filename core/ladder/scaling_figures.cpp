#include "core/ladder/scaling_figures.h"

#include <set>
#include <string>
#include <utility>

#include "core/base/statistics.h"
#include "core/base/words.h"
#include "core/measure/machine.h"
#include "core/measure/table.h"
#include "core/report/figure_data.h"

namespace sscope {

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

// A whole program that uses the workload, on ranks that share devices.
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
  figure.note =
      "Measured: " + report.title + ". Efficiency is the speed-up over how many times as many ranks there are.";
  return figure;
}

// Of each device; on processors of each rank. Empty where nothing was counted.
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
    figure.note += " Published: what the paper sets itself as a goal from another program's measurements.";
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
