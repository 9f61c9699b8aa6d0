#include "core/report/figure_svg.h"

namespace sscope::report {

std::string drawTable(const Figure& figure) {
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

std::string draw(const Figure& figure, Palette& palette) {
  switch (figure.kind) {
    case FigureKind::Curves: return drawCurves(figure, palette);
    case FigureKind::StackedBars: return figure.beside ? drawBarsBeside(figure, palette) : drawBars(figure, palette);
    case FigureKind::HeatMap: return drawHeatMaps(figure);
    case FigureKind::Table: return drawTable(figure);
  }
  return {};
}

}  // namespace sscope::report
