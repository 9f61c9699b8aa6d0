#include "core/report/figure_data.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "core/measure/table.h"
#include "core/report/extents.h"
#include "core/workload/catalog.h"

namespace sscope {

namespace {

// Parameters that describe the data.
constexpr std::string_view kConfiguration = "configuration";
constexpr std::array<std::string_view, 3> kOfData{"size", kConfiguration, "plaquette"};

std::string settingOf(const Measurement& m, const WorkloadKind& kind, std::initializer_list<std::string_view> swept) {
  std::string text = extentsText(extentsOf(m)) + " " + m.input;
  for (const auto& [name, value] : m.params.items()) {
    if (std::find(swept.begin(), swept.end(), name) != swept.end()) continue;
    if (findOption(kind.options, name) != nullptr || name == kConfiguration)
      text += ", " + name + " " + (value.is_string() ? value.get<std::string>() : value.dump());
  }
  return text;
}

nlohmann::json ownParameters(const Measurement& m, const WorkloadKind& kind) {
  nlohmann::json own = nlohmann::json::object();
  const nlohmann::json given = givenParameters(m);  // tiles differ from point to point of the same rung
  for (const auto& [name, value] : given.items())
    if (findOption(kind.options, name) == nullptr && !value.is_array() &&
        std::find(kOfData.begin(), kOfData.end(), name) == kOfData.end())
      own[name] = value;
  return own;
}

}  // namespace

bool isSpeedUpBase(std::string_view variant) { return variant == "scalar" || variant == "threads"; }

int rungHeight(std::string_view variant) {
  if (variant.starts_with("naive") || variant == "scalar") return 0;
  if (variant == "threads") return 1;
  if (variant == "tuned") return 4;
  return variant.starts_with("tuned-") ? 3 : 2;
}

FigureInput figureInput(std::string_view workload, std::span<const Measurement> measurements,
                        std::span<const PublishedValue> published, std::initializer_list<std::string_view> swept) {
  const WorkloadKind& kind = *findWorkloadKind(workload);
  FigureInput input;
  input.workload = workload;
  std::map<std::string, std::size_t> settings;
  for (const Measurement& m : measurements)
    if (m.workload == workload && m.hasFigures()) ++settings[settingOf(m, kind, swept)];
  std::size_t most = 0;
  for (const auto& [setting, count] : settings)
    if (count > most) {
      most = count;
      input.setting = setting;
    }
  for (std::size_t i = 0; i < measurements.size(); ++i) {
    const Measurement& m = measurements[i];
    if (m.workload == workload && m.hasFigures() && settingOf(m, kind, swept) == input.setting)
      input.entries.push_back({&m, i, ownParameters(m, kind)});
  }
  const auto height = [](const Entry& entry) {
    constexpr int kExtra = 5;
    return entry.m->lowerPrecision.empty() ? rungHeight(entry.m->variant) : kExtra;
  };
  std::stable_sort(input.entries.begin(), input.entries.end(),
                   [&](const Entry& a, const Entry& b) { return height(a) < height(b); });
  for (const PublishedValue& value : published)
    if (value.workload == workload) input.published.push_back(&value);
  return input;
}

std::optional<double> parameter(const nlohmann::json& params, std::string_view name) {
  const auto found = params.find(name);
  if (found == params.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::string plainNumber(double value) { return fmt::format("{:g}", value); }

std::string parameterText(const nlohmann::json& params) {
  std::string text;
  for (const auto& [name, value] : params.items())
    text += (text.empty() ? "" : ", ") + name + "=" + (value.is_string() ? value.get<std::string>() : value.dump());
  return text;
}

std::string seriesName(const Entry& entry) {
  const std::string own = parameterText(entry.own);
  return labelOf(*entry.m) + (own.empty() ? "" : " (" + own + ")") + ", " + entry.m->engine;
}

FigureSeries measuredSeries(const Entry& entry, std::string name) {
  FigureSeries series;
  series.name = std::move(name);
  series.engine = entry.m->engine;
  series.variant = entry.m->variant;
  series.hardware = entry.m->engineName;
  return series;
}

FigureSeries publishedSeries(const PublishedValue& value, std::string name) {
  FigureSeries series;
  series.name = std::move(name);
  series.origin = SeriesOrigin::Published;
  series.variant = value.variant;
  series.hardware = value.hardware;
  series.source = value.source;
  return series;
}

std::size_t placeOf(std::vector<std::string>& list, const std::string& name) {
  const auto found = std::find(list.begin(), list.end(), name);
  if (found != list.end()) return static_cast<std::size_t>(found - list.begin());
  list.push_back(name);
  return list.size() - 1;
}

void sortPoints(Figure& figure) {
  for (FigureSeries& series : figure.series)
    std::stable_sort(series.points.begin(), series.points.end(),
                     [](const FigurePoint& a, const FigurePoint& b) { return a.x < b.x; });
}

bool hasMeasured(const Figure& figure) {
  return std::any_of(figure.series.begin(), figure.series.end(), [](const FigureSeries& series) {
    return series.origin == SeriesOrigin::Measured && !series.points.empty();
  });
}

namespace {

struct Column {
  std::string_view quantity, title;
};

// One row for each hardware, in the order of the values.
Figure tableOf(std::string_view workload, std::span<const PublishedValue> published, std::span<const Column> columns) {
  Figure figure;
  figure.kind = FigureKind::Table;
  for (const PublishedValue& value : published) {
    const auto column =
        std::find_if(columns.begin(), columns.end(), [&](const Column& one) { return one.quantity == value.quantity; });
    if (value.workload != workload || column == columns.end()) continue;
    std::string text = plainNumber(value.value);
    if (!value.unit.empty()) text += " " + value.unit;
    seriesOf(figure, value.hardware, [&] {
      return publishedSeries(value, value.hardware);
    }).points.push_back({static_cast<double>(column - columns.begin()), value.value, value.value, std::move(text), {}});
  }
  for (const Column& column : columns) figure.categories.emplace_back(column.title);
  return figure;
}

}  // namespace

std::vector<Figure> publishedTables(std::string_view workload, std::span<const PublishedValue> published) {
  constexpr std::array<Column, 2> kProgram{
      {{"program_s", "execution time"}, {"program_speedup", "speed-up over 1 MPI"}}};
  constexpr std::array<Column, 5> kDevices{{{"fp64_units", "units in double precision"},
                                            {"clock_mhz", "clock"},
                                            {"peak_gflops", "peak in double precision"},
                                            {"memory_mb", "memory"},
                                            {"memory_mhz", "memory clock"}}};
  if (workload == "magic") {
    Figure figure = tableOf(workload, published, kProgram);
    figure.id = "magic-program";
    figure.title = "BigDFT with its convolutions on graphics processors (table V)";
    figure.note =
        "Published only: the core loop of a calculation with 4 carbon atoms and 52 k-points, of which the magic filter "
        "is a part.";
    return {std::move(figure)};
  }
  if (workload == "cr") {
    Figure figure = tableOf(workload, published, kDevices);
    figure.id = "cr-devices";
    figure.title = "The paper's graphics processors (table 1)";
    figure.note = "Published only.";
    return {std::move(figure)};
  }
  return {};
}

}  // namespace sscope
