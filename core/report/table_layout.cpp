// A table of a paper: one row a series, one column a category.

#include <algorithm>

#include "core/report/axis_scale.h"
#include "core/report/figure_layout.h"

namespace sscope::report {

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
