#include "core/report/figure_layout.h"

#include <algorithm>
#include <cmath>

#include "core/report/axis_scale.h"

namespace sscope::report {

namespace {

struct LegendEntry {
  std::size_t series;
  std::string text;
};

bool isPublished(const FigureSeries& series) { return series.origin == SeriesOrigin::Published; }

// Panels name their bars, so the legend explains only the parts, and the series only if a part has several styles.
std::vector<LegendEntry> partsLegend(const FigureInk& ink) {
  const auto& all = ink.figure.series;
  const auto same = [&](std::size_t a, std::size_t b) {
    return ink.looks[a].paint == ink.looks[b].paint && ink.looks[a].fill == ink.looks[b].fill;
  };
  std::vector<LegendEntry> entries;
  if (!divided(ink.figure)) return entries;
  for (std::size_t i = 0; i < all.size(); ++i) {
    bool one = true, there = false;
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (all[k].part != all[i].part) continue;
      one = one && same(i, k);
      there = there || (k < i && same(i, k));
    }
    if (there) continue;
    entries.push_back({i, !one ? all[i].name : all[i].part.empty() ? "not divided" : all[i].part});
  }
  return entries;
}

std::vector<LegendEntry> legendOf(const FigureInk& ink) {
  const Figure& figure = ink.figure;
  if (figure.kind == FigureKind::HeatMap || figure.kind == FigureKind::Table) return {};
  if (figure.kind == FigureKind::StackedBars && !figure.beside) return partsLegend(ink);
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const FigureSeries& series = figure.series[i];
    std::string text = series.name;
    if (figure.beside && isPublished(series)) text += ", published";
    if (figure.beside && !isPublished(series) && !series.hardware.empty()) text += ": " + series.hardware;
    entries.push_back({i, std::move(text)});
  }
  return entries;
}

void laySwatch(const FigureInk& ink, DisplayList& list, std::size_t series, const Box& box) {
  const double line = ink.font.line();
  const SeriesLook& look = ink.looks[series];
  if (ink.figure.kind == FigureKind::StackedBars) {
    list.add(Rectangle{
        {box.left + 0.25 * box.width, box.top + 0.2 * line, 0.6 * box.width, 0.6 * line}, look.paint, look.fill});
    return;
  }
  const Point middle = box.center();
  list.add(Polyline{{{box.left, middle.y}, {box.right(), middle.y}}, look.paint, 0.1 * line, look.dash});
  list.add(markerAt(look, middle, 0.22 * line));
}

// As many entries per line as fit; published ones begin a new line.
void layLegend(const FigureInk& ink, DisplayList& list) {
  const double line = ink.font.line(), swatch = 1.5 * line, gap = 0.3 * line;
  const std::vector<LegendEntry> entries = legendOf(ink);
  if (entries.empty()) return;
  double x = 0, y = list.height;
  bool publishedBefore = isPublished(ink.figure.series[entries.front().series]);
  for (const LegendEntry& entry : entries) {
    const FigureSeries& series = ink.figure.series[entry.series];
    const double width = std::min(swatch + gap + ink.font.width(entry.text), list.width);
    if (x > 0 && (x + width > list.width || isPublished(series) != publishedBefore)) {
      x = 0;
      y += 1.15 * line;
    }
    publishedBefore = isPublished(series);
    std::string about = series.hardware;
    if (!series.source.empty()) about += (about.empty() ? "" : "; ") + series.source;
    if (!about.empty()) list.beginTarget({{x, y, width, line}, entry.series, {}, std::move(about)});
    laySwatch(ink, list, entry.series, {x, y, swatch, line});
    list.add(Text{{x + swatch + gap, y + line / 2},
                  Anchor::Start,
                  elided(ink.font, entry.text, list.width - swatch - gap),
                  {isPublished(series) ? Role::Pale : Role::Ink}});
    list.endTarget();
    x += width + 0.9 * line;
  }
  list.height = y + 1.45 * line;
}

}  // namespace

double crisp(double coordinate) { return std::round(coordinate) + 0.5; }

const std::string& stackOf(const FigureSeries& series) { return series.stack.empty() ? series.name : series.stack; }

bool divided(const Figure& figure) {
  return std::any_of(figure.series.begin(), figure.series.end(), [](const FigureSeries& s) { return !s.part.empty(); });
}

Polyline markerAt(const SeriesLook& look, Point at, double radius) {
  struct Marker {
    int corners;
    double first, radius;  // turns, of the circle's
  };
  constexpr Marker kMarkers[] = {{16, 0, 1},  {4, 0.125, 1.2}, {3, -0.25, 1.3},
                                 {4, 0, 1.3}, {3, 0.25, 1.3},  {6, 0, 1.15}};
  constexpr double kTurn = 2 * 3.14159265358979323846;
  const Marker& marker = kMarkers[look.marker % 6];
  Polyline shape{{}, look.paint, std::max(1.0, radius * 0.35), 0, look.fill};
  for (int i = 0; i < marker.corners; ++i) {
    const double angle = kTurn * (marker.first + static_cast<double>(i) / marker.corners);
    shape.points.push_back(
        {at.x + marker.radius * radius * std::cos(angle), at.y + marker.radius * radius * std::sin(angle)});
  }
  return shape;
}

DisplayList layOut(const FigureInk& ink, double width, double height) {
  DisplayList list;
  list.width = width;
  layLegend(ink, list);
  switch (ink.figure.kind) {
    case FigureKind::Curves: layCurves(ink, list, height - list.height); break;
    case FigureKind::StackedBars: layBars(ink, list); break;
    case FigureKind::HeatMap: layHeatMaps(ink, list); break;
    case FigureKind::Table: layTable(ink, list); break;
  }
  list.height = std::max(list.height, height);
  return list;
}

namespace {

constexpr double kTableRow = 1.45, kWidestColumn = 14;  // lines

}  // namespace

void layTable(const FigureInk& ink, DisplayList& list) {
  const Figure& figure = ink.figure;
  const double line = ink.font.line(), row = kTableRow * line;
  double names = 0;
  for (const FigureSeries& series : figure.series) names = std::max(names, ink.font.width(series.name));
  names = std::min(names + 1.4 * line, 0.45 * list.width);
  const double columns = std::max<double>(1, static_cast<double>(figure.categories.size()));
  const double width = std::min((list.width - names) / columns, kWidestColumn * line);
  double y = list.height;
  const auto cell = [&](double column) { return Box{names + column * width, y, width - 0.5 * line, row}; };
  for (std::size_t c = 0; c < figure.categories.size(); ++c) {
    const Box box = cell(static_cast<double>(c));
    list.add(Text{
        {box.right(), box.center().y}, Anchor::End, elided(ink.font, figure.categories[c], box.width), {Role::Pale}});
  }
  y += row;
  list.addLine({0, crisp(y)}, {names + columns * width, crisp(y)}, {Role::Axis});
  for (std::size_t s = 0; s < figure.series.size(); ++s) {
    const FigureSeries& series = figure.series[s];
    const Paint paint{series.origin == SeriesOrigin::Published ? Role::Pale : Role::Ink};
    list.add(Rectangle{
        {0.1 * line, y + row / 2 - 0.3 * line, 0.6 * line, 0.6 * line}, ink.looks[s].paint, ink.looks[s].fill});
    list.add(Text{{1.1 * line, y + row / 2}, Anchor::Start, elided(ink.font, series.name, names - 1.4 * line), paint});
    for (std::size_t p = 0; p < series.points.size(); ++p) {
      const FigurePoint& point = series.points[p];
      const Box box = cell(point.x);
      list.beginTarget({box, s, p, point.label});
      list.add(Text{{box.right(), box.center().y},
                    Anchor::End,
                    point.label.empty() ? valueText(figure.value, point.value) : point.label,
                    paint});
      list.endTarget();
    }
    y += row;
  }
  list.height = y;
}

}  // namespace sscope::report
