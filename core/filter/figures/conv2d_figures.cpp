// The heat maps and tables of "A performance-portable generic component for 2D convolution computations".

#include <algorithm>
#include <functional>
#include <map>

#include "core/filter/figures/filter_figures.h"
#include "core/measure/table.h"
#include "core/report/figure_data.h"

namespace sscope {

namespace {

using Size = std::pair<double, double>;

Size sizeOf(const Entry& entry) {
  return {parameter(entry.m->params, "width").value_or(1), parameter(entry.m->params, "height").value_or(1)};
}

// "tiled-tiling (block=16x32)".
std::string rungOf(const Entry& entry) {
  const std::string own = parameterText(entry.own);
  return entry.m->variant + (own.empty() ? "" : " (" + own + ")");
}

std::vector<std::string> enginesOf(const FigureInput& input) {
  std::vector<std::string> engines;
  for (const Entry& entry : input.entries)
    if (std::find(engines.begin(), engines.end(), entry.m->engine) == engines.end()) engines.push_back(entry.m->engine);
  return engines;
}

std::string fileName(std::string text) {
  std::replace(text.begin(), text.end(), ':', '-');
  return text;
}

double meanOf(const std::vector<FigurePoint>& points) {
  double sum = 0;
  for (const FigurePoint& point : points) sum += point.value;
  return points.empty() ? 0 : sum / static_cast<double>(points.size());
}

Figure mapFigure(const FigureInput& input, const std::string& engine) {
  Figure figure;
  figure.id = "conv2d-map-" + fileName(engine);
  figure.title = "GFLOP/s over the filter's width and height, " + engine;
  figure.kind = FigureKind::HeatMap;
  figure.x = {"filter width", "", false};
  figure.y = {"filter height", "", false};
  figure.value = {"rate", "GFLOP/s", false};
  for (const Entry& entry : input.entries) {
    if (entry.m->engine != engine) continue;
    const auto [width, height] = sizeOf(entry);
    const double rate = entry.m->gflops();
    seriesOf(figure, rungOf(entry), [&] { return measuredSeries(entry, rungOf(entry)); })
        .points.push_back({width, height, rate,
                           rungOf(entry) + ", " + plainNumber(width) + " x " + plainNumber(height) + ": " +
                               shortNumber(rate) + " GFLOP/s, median " + shortNumber(1e3 * entry.m->spread().median) +
                               " ms",
                           entry.index});
  }
  for (FigureSeries& series : figure.series) series.average = meanOf(series.points);
  for (const PublishedValue* value : input.published)
    if (value->quantity == "gflops") {
      FigureSeries series = publishedSeries(*value, value->variant + ", " + value->hardware);
      series.average = value->value;
      figure.series.push_back(std::move(series));
    }
  figure.note = "Measured: " + input.setting +
                ". Every panel has a color scale of its own, as in the paper, which states the averages of its maps.";
  return figure;
}

// One row per device, one column per rung.
struct TableMaker {
  Figure& figure;

  std::size_t column(const std::string& name) {
    const auto found = std::find(figure.categories.begin(), figure.categories.end(), name);
    if (found != figure.categories.end()) return static_cast<std::size_t>(found - figure.categories.begin());
    figure.categories.push_back(name);
    return figure.categories.size() - 1;
  }
  void cell(FigureSeries& row, const std::string& name, double value, std::string text) {
    row.points.push_back({static_cast<double>(column(name)), value, value, std::move(text), {}});
  }
};

FigureSeries& deviceRow(Figure& figure, const Entry& entry) {
  return seriesOf(figure, entry.m->engine, [&] {
    FigureSeries row = measuredSeries(entry, entry.m->engine);
    row.variant.clear();
    return row;
  });
}

FigureSeries& publishedRow(Figure& figure, const PublishedValue& value) {
  return seriesOf(figure, value.hardware, [&] {
    FigureSeries row = publishedSeries(value, value.hardware);
    row.variant.clear();
    return row;
  });
}

// Rates by rung, engine by engine.
using Rates = std::map<Size, double>;

Rates ratesOf(const FigureInput& input, const std::string& engine, const std::string& rung) {
  Rates rates;
  for (const Entry& entry : input.entries)
    if (entry.m->engine == engine && rungOf(entry) == rung) rates[sizeOf(entry)] = entry.m->gflops();
  return rates;
}

Figure averageFigure(const FigureInput& input) {
  Figure figure;
  figure.id = "conv2d-average";
  figure.title = "Average GFLOP/s over all filter sizes";
  figure.kind = FigureKind::Table;
  figure.value = {"average rate", "GFLOP/s", false};
  TableMaker table{figure};
  for (const PublishedValue* value : input.published)
    if (value->quantity == "gflops") static_cast<void>(table.column(value->variant));
  for (const Entry& entry : input.entries) {
    FigureSeries& row = deviceRow(figure, entry);
    const auto column = static_cast<double>(table.column(rungOf(entry)));
    if (std::any_of(row.points.begin(), row.points.end(), [&](const FigurePoint& p) { return p.x == column; }))
      continue;
    double sum = 0;
    const Rates rates = ratesOf(input, entry.m->engine, rungOf(entry));
    for (const auto& [size, rate] : rates) sum += rate;
    const double mean = sum / static_cast<double>(rates.size());
    table.cell(row, rungOf(entry), mean, shortNumber(mean));
  }
  for (const PublishedValue* value : input.published)
    if (value->quantity == "gflops")
      table.cell(publishedRow(figure, *value), value->variant, value->value, plainNumber(value->value));
  figure.note = "Measured: " + input.setting +
                ". Published: captions of figures 1 and 2; 4096 x 4096 and filters of 3 "
                "to 27 on the C2050, 2048 x 2048 and 3 to 25 on the others.";
  return figure;
}

Figure tilingFigure(const FigureInput& input) {
  Figure figure;
  figure.id = "conv2d-tiling";
  figure.title = "Mean tiling factor and occupancy that the two metrics choose";
  figure.kind = FigureKind::Table;
  figure.value = {"mean", "", false};
  TableMaker table{figure};
  struct Quantity {
    const char* launch;
    const char* published;
    const char* title;
    double scale;
    const char* unit;
  };
  constexpr std::array<Quantity, 2> kQuantities{{{"tiling factor", "tiling", "tiling factor", 1, ""},
                                                 {"modeled occupancy", "occupancy", "occupancy", 100, " %"}}};
  for (const char* rung : {"tiled-occupancy", "tiled-tiling"})
    for (const Quantity& quantity : kQuantities) {
      const std::string column = std::string(rung) + ": " + quantity.title;
      for (const std::string& engine : enginesOf(input)) {
        double sum = 0, count = 0;
        const Entry* any = nullptr;
        for (const Entry& entry : input.entries) {
          const auto found = entry.m->launch.find(quantity.launch);
          if (entry.m->engine != engine || entry.m->variant != rung || found == entry.m->launch.end()) continue;
          sum += found->second;
          count += 1;
          any = &entry;
        }
        if (any != nullptr)
          table.cell(deviceRow(figure, *any), column, quantity.scale * sum / count,
                     shortNumber(quantity.scale * sum / count) + quantity.unit);
      }
      for (const PublishedValue* value : input.published)
        if (value->variant == rung && value->quantity == quantity.published) static_cast<void>(table.column(column));
    }
  for (const char* rung : {"tiled-occupancy", "tiled-tiling"})
    for (const Quantity& quantity : kQuantities)
      for (const PublishedValue* value : input.published)
        if (value->variant == rung && value->quantity == quantity.published)
          table.cell(publishedRow(figure, *value), std::string(rung) + ": " + quantity.title,
                     quantity.scale * value->value, plainNumber(quantity.scale * value->value) + quantity.unit);
  figure.note = "Mean over the filter sizes that were run. The occupancy is the model's, as in the paper.";
  return figure;
}

Figure relativeFigure(const FigureInput& input) {
  Figure figure;
  figure.id = "conv2d-relative";
  figure.title = "Performance relative to the rung without tiling";
  figure.kind = FigureKind::StackedBars;
  figure.y = {"average rate over that of optimized", "", false};
  TableMaker table{figure};
  for (const std::string& engine : enginesOf(input)) {
    const Rates base = ratesOf(input, engine, "optimized");
    for (const char* rung : {"tiled-occupancy", "tiled-tiling", "tuned"}) {
      double above = 0, below = 0;
      for (const auto& [size, rate] : ratesOf(input, engine, rung))
        if (const auto found = base.find(size); found != base.end()) {
          above += rate;
          below += found->second;
        }
      if (below <= 0) continue;
      const Entry& entry = *std::find_if(input.entries.begin(), input.entries.end(), [&](const Entry& one) {
        return one.m->engine == engine && one.m->variant == rung;
      });
      const std::string name = std::string(rung) + ", " + engine;
      FigureSeries& series = seriesOf(figure, name, [&] {
        FigureSeries made = measuredSeries(entry, name);
        made.hardware.clear();  // every device has categories of its own
        made.stack = "On this machine";
        return made;
      });
      table.cell(series, engine + ": " + rung, above / below,
                 entry.m->engineName + ", " + rung + ": " + shortNumber(above / below) + " times optimized");
    }
  }
  for (const PublishedValue* value : input.published)
    if (value->quantity == "relative") {
      const std::string name = value->variant + ", published";
      FigureSeries& series = seriesOf(figure, name, [&] {
        FigureSeries made = publishedSeries(*value, name);
        made.hardware.clear();
        made.stack = "Published";
        return made;
      });
      table.cell(series, value->hardware + ": " + value->variant, value->value,
                 value->hardware + ": " + plainNumber(value->value) + " (" + value->source + ")");
    }
  figure.note = "Ratio of the averages over the filter sizes that both rungs were run with.";
  return figure;
}

}  // namespace

std::vector<Figure> conv2dFigures(std::string_view /*workload*/, std::span<const Measurement> measurements,
                                  std::span<const PublishedValue> published) {
  const FigureInput input = figureInput("conv2d", measurements, published, {"width", "height"});
  std::vector<Figure> figures;
  for (const std::string& engine : enginesOf(input)) figures.push_back(mapFigure(input, engine));
  figures.push_back(averageFigure(input));
  figures.push_back(tilingFigure(input));
  figures.push_back(relativeFigure(input));
  return figures;
}

}  // namespace sscope
