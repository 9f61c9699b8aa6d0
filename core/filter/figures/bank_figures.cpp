// The curves of "Efficient convolution on multi-dimensional data (part 2)".

#include <cmath>
#include <map>
#include <set>

#include "core/filter/figures/filter_figures.h"
#include "core/measure/table.h"
#include "core/report/figure_data.h"

namespace sscope {

namespace {

constexpr double kPaperVoxels = 256.0 * 256.0 * 256.0;

double filtersOf(const Entry& entry) { return parameter(entry.m->params, "filters").value_or(1); }

double peakShare(const Measurement& m) {
  const double peak = m.ceilings ? m.ceilings->gflops(m.precision) : 0;
  return peak > 0 ? 100 * m.gflops() / peak : 0;
}

// For each variant on each engine, the rows with the parameters that were run for most N; the others are points of the
// figure over unroll.
std::vector<const Entry*> overFilters(const FigureInput& input) {
  using EngineRow = std::pair<std::string, std::string>;
  std::map<EngineRow, std::map<std::string, std::set<double>>> counts;
  std::map<EngineRow, std::vector<std::string>> order;
  for (const Entry& entry : input.entries) {
    const EngineRow row{entry.m->engine, entry.m->variant};
    const std::string own = entry.own.dump();
    if (counts[row][own].empty()) order[row].push_back(own);
    counts[row][own].insert(filtersOf(entry));
  }
  std::vector<const Entry*> chosen;
  for (const Entry& entry : input.entries) {
    const EngineRow row{entry.m->engine, entry.m->variant};
    std::string best = order[row].front();
    for (const std::string& own : order[row])
      if (counts[row][own].size() > counts[row][best].size()) best = own;
    if (entry.own.dump() == best) chosen.push_back(&entry);
  }
  return chosen;
}

std::string hover(const Entry& entry, const std::string& what) {
  return seriesName(entry) + ", N = " + plainNumber(filtersOf(entry)) + ": " + what + "; median " +
         shortNumber(1e3 * entry.m->spread().median) + " ms for all, " + shortNumber(entry.m->gflops()) + " GFLOP/s";
}

// "naive-array, published": there is one device in the paper.
std::string publishedName(const PublishedValue& value) { return value.variant + ", " + value.hardware; }

Figure secondsFigure(const FigureInput& input) {
  Figure figure;
  figure.id = "bank-seconds";
  figure.title = "Time per kernel over the number of kernels";
  figure.x = {"number of kernels", "", true};
  figure.y = {"time per kernel", "ms", true};
  for (const Entry* entry : overFilters(input)) {
    const double n = filtersOf(*entry), ms = 1e3 * entry->m->spread().median / n;
    seriesOf(figure, seriesName(*entry), [&] {
      return measuredSeries(*entry, seriesName(*entry));
    }).points.push_back({n, ms, ms, hover(*entry, shortNumber(ms) + " ms per kernel"), entry->index});
  }
  for (const PublishedValue* value : input.published)
    if (value->quantity == "filter_s") {
      const double n = parameter(value->params, "filters").value_or(1), ms = 1e3 * value->value;
      seriesOf(figure, publishedName(*value), [&] { return publishedSeries(*value, publishedName(*value)); })
          .points.push_back({n,
                             ms,
                             ms,
                             value->hardware + ", " + value->variant + ", N = " + plainNumber(n) + ": " +
                                 shortNumber(ms) + " ms per kernel (" + value->source + ")",
                             {}});
    }
  figure.note = "Measured: " + input.setting +
                ". Published: 256 x 256 x 256 u8, kernels of 7 x 7 x 7; of the paper's curves only the stated ends are "
                "drawn.";
  return figure;
}

Figure efficiencyFigure(const FigureInput& input) {
  Figure figure;
  figure.id = "bank-efficiency";
  figure.title = "Share of the arithmetic peak over the number of kernels";
  figure.x = {"number of kernels", "", true};
  figure.y = {"share of the peak", "%", false};
  for (const Entry* entry : overFilters(input)) {
    const double share = peakShare(*entry->m);
    if (share <= 0) continue;
    seriesOf(figure, seriesName(*entry), [&] { return measuredSeries(*entry, seriesName(*entry)); })
        .points.push_back({filtersOf(*entry), share, share,
                           hover(*entry, shortNumber(share) + " % of the measured peak"), entry->index});
  }
  for (const PublishedValue* peak : input.published) {
    if (peak->quantity != "peak_gmacs") continue;
    for (const PublishedValue* value : input.published) {
      if (value->quantity != "filter_s" || value->hardware != peak->hardware) continue;
      const double n = parameter(value->params, "filters").value_or(1);
      const double macs = kPaperVoxels * std::pow(parameter(value->params, "size").value_or(7), 3);
      const double share = 100 * macs / value->value / (1e9 * peak->value);
      seriesOf(figure, publishedName(*value), [&] { return publishedSeries(*value, publishedName(*value)); })
          .points.push_back({n,
                             share,
                             share,
                             value->hardware + ", " + value->variant + ", N = " + plainNumber(n) + ": " +
                                 shortNumber(share) + " %, computed from the stated time (" + value->source + ")",
                             {}});
    }
  }
  figure.note = "Measured: " + input.setting +
                ", against the peak of a multiply-add loop measured on the same engine. Published: computed from the "
                "stated times and the stated peak of 2.52 tera multiply-adds a second.";
  return figure;
}

std::string groupText(const Entry& entry) {
  const auto x = parameter(entry.own, "group_x"), y = parameter(entry.own, "group_y");
  return x && y ? ", groups of " + plainNumber(*x) + " x " + plainNumber(*y) : std::string();
}

Figure unrollFigure(const FigureInput& input) {
  Figure figure;
  figure.id = "bank-unroll";
  figure.title = "Share of the arithmetic peak over the unroll, 8 kernels";
  figure.x = {"outputs of a work item, unroll", "", false};
  figure.y = {"share of the peak", "%", false};
  for (const Entry& entry : input.entries) {
    const auto unroll = parameter(entry.own, "unroll");
    const double share = peakShare(*entry.m);
    if (!unroll || share <= 0 || filtersOf(entry) != 8) continue;
    const std::string name = entry.m->variant + groupText(entry) + ", " + entry.m->engine;
    seriesOf(figure, name, [&] { return measuredSeries(entry, name); })
        .points.push_back(
            {*unroll, share, share, hover(entry, shortNumber(share) + " % of the measured peak"), entry.index});
  }
  for (const PublishedValue* value : input.published)
    if (const auto unroll = parameter(value->params, "unroll"); unroll && value->quantity == "utilization") {
      const double share = 100 * value->value;
      seriesOf(figure, publishedName(*value), [&] { return publishedSeries(*value, publishedName(*value)); })
          .points.push_back(
              {*unroll, share, share, value->hardware + ": " + plainNumber(share) + " % (" + value->source + ")", {}});
    }
  figure.note = "Measured: " + input.setting +
                ". The paper says 16 is best and roughly 65 % are reached, and shows three group sizes of which it "
                "names 16 x 16; 8 x 8 and 16 x 8 are ours.";
  return figure;
}

}  // namespace

std::vector<Figure> bankFigures(std::string_view /*workload*/, std::span<const Measurement> measurements,
                                std::span<const PublishedValue> published) {
  const FigureInput input = figureInput("bank", measurements, published, {"filters"});
  std::vector<Figure> figures{secondsFigure(input), unrollFigure(input), efficiencyFigure(input)};
  for (Figure& figure : figures) sortPoints(figure);
  return figures;
}

}  // namespace sscope
