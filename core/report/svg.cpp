#include "core/report/svg.h"

#include <array>

#include <fmt/core.h>

#include "core/measure/table.h"
#include "core/report/figure_data.h"
#include "core/report/figure_layout.h"

namespace sscope::report {

namespace {

constexpr double kFontSize = 12, kBaseline = 0.36;  // pixels; of the size, below the middle of a line

std::string colorOf(const Paint& paint) {
  switch (paint.role) {
    case Role::Ink: return "var(--ink)";
    case Role::Pale: return "var(--faint)";
    case Role::Grid: return "var(--grid)";
    case Role::Axis: return "var(--faint)";
    case Role::Paper: return "var(--paper)";
    case Role::Shade: return "var(--shade)";
    case Role::Own: break;
  }
  return fmt::format("#{:06x}", paint.rgb);
}

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "='" + value + "'";
}

std::string fillOf(Fill fill, const Paint& paint) {
  switch (fill) {
    case Fill::Solid: return attribute("fill", colorOf(paint));
    case Fill::Light: return attribute("fill", colorOf(paint)) + attribute("fill-opacity", "0.3");
    case Fill::Hollow: return attribute("fill", "var(--paper)");
    case Fill::None: break;
  }
  return attribute("fill", "none");
}

std::string written(const Rectangle& rectangle) {
  const Box& box = rectangle.box;
  std::string svg = "<rect" + attribute("x", number(box.left)) + attribute("y", number(box.top)) +
                    attribute("width", number(box.width)) + attribute("height", number(box.height)) +
                    fillOf(rectangle.fill, rectangle.paint);
  if (rectangle.fill != Fill::Solid)
    svg += attribute("stroke", colorOf(rectangle.paint)) + attribute("stroke-dasharray", "4 3");
  return svg + "/>";
}

std::string written(const Polyline& line) {
  constexpr std::array<const char*, 4> kDashes{"6 4", "2 3", "7 3 2 3", "9 3 2 3 2 3"};
  std::string path;
  for (const Point& point : line.points) path += (path.empty() ? "M" : "L") + number(point.x) + " " + number(point.y);
  if (line.fill != Fill::None) path += "z";
  std::string svg = "<path" + attribute("d", path) + fillOf(line.fill, line.paint) +
                    attribute("stroke", colorOf(line.paint)) + attribute("stroke-width", number(line.width));
  if (line.dash > 0) svg += attribute("stroke-dasharray", kDashes[static_cast<std::size_t>(line.dash - 1) % 4]);
  return svg + "/>";
}

std::string written(const Text& text) {
  const std::string x = number(text.at.x), y = number(text.at.y + kBaseline * kFontSize);
  std::string svg = "<text" + attribute("x", x) + attribute("y", y) + attribute("fill", colorOf(text.paint));
  if (text.anchor != Anchor::Start) svg += attribute("text-anchor", text.anchor == Anchor::End ? "end" : "middle");
  if (text.bold) svg += attribute("font-weight", "600");
  if (text.upwards) svg += attribute("transform", "rotate(-90 " + x + " " + number(text.at.y) + ")");
  return svg + ">" + escaped(text.text) + "</text>";
}

}  // namespace

std::string number(double value) { return fmt::format("{:.2f}", value); }

double PageFont::width(std::string_view text, bool bold) const {
  double ems = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0U) == 0x80U) continue;  // of a character that was counted
    if (std::string_view("ijlI.,:;'|! ").find(c) != std::string_view::npos) {
      ems += 0.31;
    } else if (std::string_view("frt()[]-/\"").find(c) != std::string_view::npos) {
      ems += 0.4;
    } else if (std::string_view("mwMW@%").find(c) != std::string_view::npos) {
      ems += 0.92;
    } else {
      ems += c >= 'A' && c <= 'Z' ? 0.68 : 0.6;
    }
  }
  return ems * kFontSize * (bold ? 1.08 : 1);
}

std::string toSvg(const DisplayList& list, std::string_view label) {
  std::string svg = "<svg xmlns='http://www.w3.org/2000/svg'" +
                    attribute("viewBox", "0 0 " + number(list.width) + " " + number(list.height)) +
                    attribute("width", number(list.width)) + attribute("height", number(list.height)) + " role='img'" +
                    attribute("aria-label", escaped(label)) + ">\n";
  std::optional<std::size_t> open;
  for (const DisplayItem& item : list.items) {
    if (item.target != open) {
      if (open) svg += "</g>\n";
      if (item.target) svg += "<g><title>" + escaped(list.targets[*item.target].text) + "</title>";
      open = item.target;
    }
    svg += std::visit([](const auto& what) { return written(what); }, item.what);
    if (!open) svg += "\n";
  }
  return svg + (open ? "</g>\n" : "") + "</svg>\n";
}

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
