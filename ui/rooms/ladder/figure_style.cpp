#include "ui/rooms/ladder/figure_style.h"

#include <algorithm>
#include <array>

#include "ui/charts/engine_colors.h"

namespace sscope {

namespace {

// Rungs are numbered in the order in which they first appear, over all engines and publications, so that a rung has
// the same marker everywhere in the figure.
int rungNumber(const Figure& figure, const std::string& variant) {
  std::vector<std::string> seen;
  for (const FigureSeries& series : figure.series)
    if (std::find(seen.begin(), seen.end(), series.variant) == seen.end()) seen.push_back(series.variant);
  return static_cast<int>(std::find(seen.begin(), seen.end(), variant) - seen.begin());
}

// How many other series of the same engine (or, published, of the same kind) come before this one.
int siblingNumber(const Figure& figure, std::size_t index) {
  const FigureSeries& series = figure.series[index];
  std::vector<std::string> seen;
  for (std::size_t i = 0; i < index; ++i) {
    const FigureSeries& other = figure.series[i];
    const bool sibling = other.origin == series.origin && other.engine == series.engine;
    const std::string& key = series.origin == SeriesOrigin::Published ? other.hardware : other.variant;
    const std::string& mine = series.origin == SeriesOrigin::Published ? series.hardware : series.variant;
    if (sibling && key != mine && std::find(seen.begin(), seen.end(), key) == seen.end()) seen.push_back(key);
  }
  return static_cast<int>(seen.size());
}

// Measured series of one rung on one engine that differ in parameters only: how many come before this one.
int variationNumber(const Figure& figure, std::size_t index) {
  const FigureSeries& series = figure.series[index];
  return static_cast<int>(std::count_if(figure.series.begin(),
                                        figure.series.begin() + static_cast<std::ptrdiff_t>(index),
                                        [&](const FigureSeries& other) {
                                          return other.origin == SeriesOrigin::Measured &&
                                                 other.engine == series.engine && other.variant == series.variant;
                                        }));
}

report::SeriesLook lookOf(const Figure& figure, std::size_t index) {
  constexpr std::array<int, 6> kLightness{100, 145, 70, 180, 55, 120};
  const FigureSeries& series = figure.series[index];
  const bool curves = figure.kind == FigureKind::Curves, bars = figure.kind == FigureKind::StackedBars;
  const bool memory = series.part == "memory";
  report::SeriesLook look;
  look.marker = rungNumber(figure, series.variant);
  if (series.origin == SeriesOrigin::Published) {
    look.paint = {report::Role::Pale};
    look.dash = 1 + siblingNumber(figure, index);
    look.fill = bars && !memory ? report::Fill::Light : report::Fill::Hollow;
    return look;
  }
  const int variation = curves ? variationNumber(figure, index) : 0;
  look.marker += variation;
  if (series.engine.empty()) return look;
  const int shade = bars ? 0 : siblingNumber(figure, index) + variation;
  const QColor color = memory ? phaseColor(series.engine, Phase::Download)
                              : engineColor(series.engine).lighter(kLightness[static_cast<std::size_t>(shade) % 6]);
  look.paint = report::own(color.rgb() & 0xFFFFFFU);
  return look;
}

}  // namespace

std::vector<report::SeriesLook> looksOf(const Figure& figure) {
  std::vector<report::SeriesLook> looks;
  for (std::size_t i = 0; i < figure.series.size(); ++i) looks.push_back(lookOf(figure, i));
  return looks;
}

}  // namespace sscope
