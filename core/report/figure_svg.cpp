#include "core/report/figure_svg.h"

#include <array>

#include "core/measure/table.h"
#include "core/report/figure_data.h"
#include "core/report/figure_layout.h"
#include "core/report/svg.h"

namespace sscope::report {

namespace {

constexpr double kWidth = 1000, kCurvesHeight = 420;
constexpr std::uint32_t kMemory = 0x4c78a8, kCompute = 0xf58518, kNotDivided = 0x98a0aa;

// The series' name without its device.
std::string familyOf(const FigureSeries& series) {
  for (const std::string& device : {series.engine, series.hardware})
    if (const std::string end = ", " + device; !device.empty() && series.name.ends_with(end))
      return series.name.substr(0, series.name.size() - end.size());
  return series.name;
}

SeriesLook lookOf(const Figure& figure, const FigureSeries& series, Palette& palette) {
  if (figure.kind == FigureKind::HeatMap) return {};
  const bool published = series.origin == SeriesOrigin::Published;
  if (figure.kind == FigureKind::StackedBars && divided(figure))
    return {own(series.part == "memory" ? kMemory : series.part == "compute" ? kCompute : kNotDivided)};
  SeriesLook look{own(palette.colorOf(series))};
  if (figure.kind == FigureKind::Curves) look.marker = palette.markerOf(series);
  look.dash = published ? 1 : 0;
  look.fill = published ? Fill::Hollow : Fill::Solid;
  return look;
}

std::string table(const Figure& figure) {
  std::string html = "<div class='wide'><table>\n<tr><th>device</th><th></th>";
  for (const std::string& column : figure.categories) html += "<th>" + escaped(column) + "</th>";
  html += "</tr>\n";
  for (const FigureSeries& row : figure.series) {
    const bool published = row.origin == SeriesOrigin::Published;
    html += std::string("<tr") + (published ? " class='published'" : "") + "><td>" +
            escaped(published ? row.name : row.name + ", " + row.hardware) + "</td><td>" +
            escaped(published ? "published, " + row.source : std::string("measured")) + "</td>";
    for (std::size_t c = 0; c < figure.categories.size(); ++c) {
      std::string text = "-";
      for (const FigurePoint& point : row.points)
        if (point.x == static_cast<double>(c)) text = point.label;
      html += "<td>" + escaped(text) + "</td>";
    }
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

}  // namespace

std::uint32_t Palette::colorOf(const FigureSeries& series) {
  // Readable on white and on black, distinguishable by color-blind people in this order.
  constexpr std::array<std::uint32_t, 12> kColors{0x4c78a8, 0xf58518, 0x54a24b, 0xe45756, 0xb279a2, 0x12a5b0,
                                                  0xc9a227, 0x9d755d, 0xd67195, 0x79706e, 0x6b6ecf, 0x8ca252};
  const int next = static_cast<int>(colors_.size());
  return kColors[static_cast<std::size_t>(colors_.try_emplace(familyOf(series), next).first->second) % kColors.size()];
}

int Palette::markerOf(const FigureSeries& series) {
  const int next = static_cast<int>(markers_.size());
  return markers_.try_emplace(series.engine.empty() ? series.hardware : series.engine, next).first->second;
}

std::string draw(const Figure& figure, Palette& palette, std::span<const Measurement> measurements) {
  if (figure.kind == FigureKind::Table) return table(figure);
  const PageFont font;
  FigureInk ink{figure, measurements, {}, font};
  for (const FigureSeries& series : figure.series) ink.looks.push_back(lookOf(figure, series, palette));
  return toSvg(layOut(ink, kWidth, figure.kind == FigureKind::Curves ? kCurvesHeight : 0), figure.title);
}

Figure medianFigure(std::span<const Measurement> measurements, std::span<const Measurement* const> rows) {
  Figure figure;
  figure.title = "Time of a run";
  figure.kind = FigureKind::StackedBars;
  figure.beside = true;
  figure.y = {"time of a run; whiskers: quartiles", "s", false};
  for (const Measurement* m : rows) {
    if (!m->hasFigures()) continue;
    const double median = m->spread().median;
    const std::string name = m->engine + " " + m->variant;
    FigureSeries& series = seriesOf(figure, m->engine, [&] {
      FigureSeries made;
      made.name = made.stack = made.engine = m->engine;
      made.hardware = m->engineName;
      return made;
    });
    series.points.push_back(
        {static_cast<double>(figure.categories.size()), median, median,
         name + ": median " + shortNumber(1e3 * median) + " ms, " + std::to_string(m->samples.size()) + " repetitions",
         static_cast<std::size_t>(m - measurements.data())});
    figure.categories.push_back(name);
  }
  return figure;
}

}  // namespace sscope::report
