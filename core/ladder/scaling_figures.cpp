#include "core/ladder/scaling_figures.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/base/counted.h"
#include "core/ladder/figure_data.h"
#include "core/measure/text_table.h"

namespace sscope {

namespace {

using reach::ScalingRecord;
using Point = ScalingRecord::Point;
using Predicted = ScalingRecord::Predicted;

std::string inPercent(double share) { return shortNumber(100 * share) + " %"; }

// "4 ranks share 2 devices".
std::string placeText(const Point& point) {
  if (point.devices == 0) return counted(point.ranks, "rank");
  return counted(point.ranks, "rank") + (point.ranks == 1 ? " has " : " share ") + counted(point.devices, "device");
}

struct Named {
  const ScalingRecord* record;
  std::string name;  // distinct within the figures
};

// Told apart by their dates, and by numbers where they have the same.
std::vector<Named> namedRecords(std::string_view workload, std::span<const ScalingRecord> records) {
  std::vector<Named> named;
  const auto taken = [&](const std::string& name) {
    return std::ranges::any_of(named, [&](const Named& other) { return other.name == name; });
  };
  for (const ScalingRecord& record : records) {
    if (record.workload != workload) continue;
    std::string name = std::string(record.weak ? "weak" : "strong") + ", " + record.engine + " " + record.variant;
    if (record.machines > 1) name += ", " + counted(record.machines, "machine");
    if (taken(name)) name += ", " + record.date;
    for (int number = 2; taken(name); ++number) name += " (" + std::to_string(number) + ")";
    named.push_back({&record, std::move(name)});
  }
  return named;
}

FigureSeries seriesFor(const Named& named, SeriesOrigin origin) {
  const ScalingRecord& record = *named.record;
  FigureSeries series;
  series.origin = origin;
  series.name = origin == SeriesOrigin::Model ? "model: " + named.name : named.name;
  series.engine = record.engine;
  series.variant = record.variant;
  series.hardware = record.cpu + ", " + counted(record.threads, "thread") + " a rank, " + record.date;
  return series;
}

// The largest error of the model where it can be checked; negative: nowhere.
double largestError(const ScalingRecord& record) {
  double largest = -1;
  for (const Predicted& point : record.model)
    if (point.measured > 0) largest = std::max(largest, std::abs(point.error()));
  return largest;
}

std::string modelText(const ScalingRecord& record, const Predicted& point) {
  std::string text =
      "model, not measured: " + shortNumber(1e3 * point.seconds) + " ms on " + counted(point.ranks, "rank");
  if (point.measured > 0) return text + ", " + inPercent(point.error()) + " off what was measured";
  const double error = largestError(record);
  return text +
         (error < 0 ? ", its error is not known" : ", off by up to " + inPercent(error) + " where it can be checked");
}

// One curve of each record, and one of its model, through `valueOf(record, ranks, seconds)`.
template <class Value>
void addRecords(Figure& figure, const std::vector<Named>& named, Value valueOf, const char* what) {
  for (const Named& each : named) {
    const ScalingRecord& record = *each.record;
    FigureSeries measured = seriesFor(each, SeriesOrigin::Measured), model = seriesFor(each, SeriesOrigin::Model);
    for (const Point& point : record.points) {
      const double value = valueOf(record, point.ranks, point.seconds);
      measured.points.push_back({static_cast<double>(point.ranks), value, value,
                                 placeText(point) + ": " + shortNumber(1e3 * point.seconds) + " ms (quartiles " +
                                     shortNumber(1e3 * point.quartiles[0]) + " to " +
                                     shortNumber(1e3 * point.quartiles[1]) + "), " + what + " " + shortNumber(value)});
    }
    for (const Predicted& point : record.model) {
      const double value = valueOf(record, point.ranks, point.seconds);
      model.points.push_back({static_cast<double>(point.ranks), value, value, modelText(record, point)});
    }
    figure.series.push_back(std::move(measured));
    if (!model.points.empty()) figure.series.push_back(std::move(model));
  }
}

std::string measuredNote(const std::vector<Named>& named) {
  std::string note = "Measured: " + named.front().record->title + (named.size() > 1 ? ", and others" : "") + ". ";
  const bool modeled = std::ranges::any_of(named, [](const Named& each) { return !each.record->model.empty(); });
  if (modeled) {
    double largest = -1;
    for (const Named& each : named) largest = std::max(largest, largestError(*each.record));
    note +=
        "Dotted and hollow: a model, not measured; it takes the computing of the point before and messages at the "
        "rates between these ranks. ";
    note += largest < 0 ? "Its error could not be checked. "
                        : "Where it can be checked it is off by up to " + inPercent(largest) + ". ";
  }
  return note;
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

Figure speedUps(std::string_view workload, const std::vector<Named>& named, std::span<const PublishedValue> published) {
  Figure figure;
  figure.id = std::string(workload) + "-ranks";
  figure.title = "Speed-up over ranks and devices";
  figure.x = {"ranks", "", true};
  figure.y = {"speed-up", "", true};
  addRecords(
      figure, named, [](const auto& record, int ranks, double seconds) { return record.speedUp(ranks, seconds); },
      "speed-up");
  const std::size_t ours = figure.series.size();
  addPrograms(figure, workload, published);
  figure.note = measuredNote(named) + "Measured speed-ups are over the first point of each report";
  if (figure.series.size() > ours) {
    figure.title += " (table V)";
    figure.note +=
        "; the published ones are those of a whole program over its run on 1 rank without a device, where ranks share "
        "one device of a machine";
  }
  figure.note += ".";
  sortPoints(figure);
  return figure;
}

Figure efficiencies(std::string_view workload, const std::vector<Named>& named) {
  Figure figure;
  figure.id = std::string(workload) + "-efficiency";
  figure.title = "Efficiency over ranks";
  figure.x = {"ranks", "", true};
  figure.y = {"efficiency", "%", false};
  addRecords(
      figure, named,
      [](const auto& record, int ranks, double seconds) { return 100 * record.efficiency(ranks, seconds); },
      "efficiency in percent");
  figure.note = measuredNote(named) + "Efficiency is the speed-up over how many times as many ranks there are.";
  return figure;
}

// Of each device; on processors of each rank. Empty where nothing was counted.
Figure deviceRates(std::string_view workload, const std::vector<Named>& named,
                   std::span<const PublishedValue> published) {
  Figure figure;
  figure.id = std::string(workload) + "-device-rate";
  figure.title = "Rate of each device over how many there are";
  figure.x = {"devices, or ranks on processors", "", true};
  figure.y = {"rate of each", "GFLOP/s", true};
  for (const Named& each : named) {
    FigureSeries series = seriesFor(each, SeriesOrigin::Measured);
    for (const Point& point : each.record->points) {
      const int many = point.devices > 0 ? point.devices : point.ranks;
      const double rate = point.operations / point.seconds * 1e-9 / many;
      if (!(rate > 0)) continue;
      series.points.push_back({static_cast<double>(many), rate, rate,
                               placeText(point) + ": " + shortNumber(rate * many) + " GFLOP/s together"});
    }
    if (!series.points.empty()) figure.series.push_back(std::move(series));
  }
  const std::size_t ours = figure.series.size();
  for (const PublishedValue& value : published) {
    const auto devices = parameter(value.params, "devices");
    if (value.workload != workload || value.quantity != "gflops_per_device" || !devices) continue;
    FigureSeries series = publishedSeries(value, value.hardware);
    series.points.push_back({*devices, value.value, value.value, value.source});
    figure.series.push_back(std::move(series));
  }
  figure.note = "Measured: " + named.front().record->title + ", operations of the formula.";
  if (figure.series.size() > ours) {
    figure.title += " (the paper's outlook)";
    figure.note += " Published: what the paper sets itself as a goal from another program's measurements.";
  }
  sortPoints(figure);
  if (ours == 0) figure.series.clear();
  return figure;
}

}  // namespace

std::vector<Figure> scalingFigures(std::string_view workload, std::span<const ScalingRecord> records,
                                   std::span<const PublishedValue> published) {
  const std::vector<Named> named = namedRecords(workload, records);
  if (named.empty()) return {};
  std::vector<Figure> figures{speedUps(workload, named, published), efficiencies(workload, named)};
  if (Figure rates = deviceRates(workload, named, published); !rates.empty()) figures.push_back(std::move(rates));
  return figures;
}

}  // namespace sscope
