// Stacked bars: one panel a stack with an axis of its own, because devices may lie orders of magnitude apart; the
// categories stand at the left of every row of panels.

#include <algorithm>
#include <cmath>

#include "core/measure/text_table.h"
#include "core/report/figure_svg.h"

namespace sscope::report {

namespace {

constexpr double kLabels = 210, kPanel = 250, kGap = 58, kRow = 22, kBar = 15, kHead = 44, kFoot = 44;
constexpr std::size_t kPanelsInRow = 3;
// A bar so many times longer than the next one is cut, with its number beside it.
constexpr double kOutlier = 4;

struct Panel {
  std::string stack;
  std::vector<const FigureSeries*> series;
};

std::vector<Panel> panelsOf(const Figure& figure) {
  std::vector<Panel> panels;
  for (const FigureSeries& series : figure.series) {
    auto found = std::find_if(panels.begin(), panels.end(), [&](const Panel& p) { return p.stack == series.stack; });
    if (found == panels.end()) found = panels.insert(panels.end(), {series.stack, {}});
    found->series.push_back(&series);
  }
  return panels;
}

const FigurePoint* pointAt(const FigureSeries& series, std::size_t category) {
  for (const FigurePoint& point : series.points)
    if (point.x == static_cast<double>(category)) return &point;
  return nullptr;
}

double totalOf(const Panel& panel, std::size_t category) {
  double sum = 0;
  for (const FigureSeries* series : panel.series)
    if (const FigurePoint* point = pointAt(*series, category)) sum += point->y;
  return sum;
}

std::string colorOf(const FigureSeries& series, Palette& palette) {
  if (series.part == "memory") return "#4c78a8";
  if (series.part == "compute") return "#f58518";
  return palette.colorOf(series);
}

class Painter {
 public:
  Painter(const Figure& figure, const Panel& panel, Palette& palette, double left, double top)
      : figure_(figure), panel_(panel), palette_(palette), left_(left), top_(top) {}

  std::string draw() {
    const std::size_t rows = figure_.categories.size();
    double longest = 0, second = 0;
    for (std::size_t c = 0; c < rows; ++c) {
      const double total = totalOf(panel_, c);
      second = std::max(second, std::min(longest, total));
      longest = std::max(longest, total);
    }
    const bool cut = second > 0 && longest > kOutlier * second;
    const Scale scale(0, cut ? 1.15 * second : longest, false, left_, left_ + kPanel);
    const double bottom = top_ + kRow * static_cast<double>(rows);
    std::string svg = heading();
    for (const double tick : scale.ticks())
      svg += "<path class='grid' d='M" + number(scale.at(tick)) + " " + number(top_) + "V" + number(bottom) + "'/>" +
             textAt(scale.at(tick), bottom + 16, "middle", tickText(tick)) + "\n";
    for (std::size_t c = 0; c < rows; ++c) svg += bar(c, scale);
    svg += "<path class='axis' d='M" + number(left_) + " " + number(top_) + "V" + number(bottom) + "'/>\n";
    const Axis& axis = figure_.y;
    return svg +
           textAt(left_ + kPanel / 2, bottom + 34, "middle",
                  axis.unit.empty() ? axis.label : axis.label + " [" + axis.unit + "]", "label") +
           "\n";
  }

 private:
  [[nodiscard]] std::string heading() const {
    const FigureSeries& first = *panel_.series.front();
    const bool published = first.origin == SeriesOrigin::Published;
    std::string below = published ? "published" + (first.source.empty() ? "" : ", " + first.source) : "measured";
    if (!published && !first.hardware.empty() && first.hardware != panel_.stack) below += ", " + first.hardware;
    if (below.size() > 46) below = below.substr(0, 43) + "...";
    return textAt(left_, top_ - 24, "start", panel_.stack, "label") + textAt(left_, top_ - 8, "start", below, "faint") +
           "\n";
  }

  std::string bar(std::size_t category, const Scale& scale) {
    const double y = top_ + kRow * static_cast<double>(category) + (kRow - kBar) / 2;
    const double total = totalOf(panel_, category), end = scale.ticks().back();
    std::string svg;
    double from = 0;
    const FigurePoint* any = nullptr;
    for (const FigureSeries* series : panel_.series) {
      const FigurePoint* point = pointAt(*series, category);
      if (point == nullptr) continue;
      any = point;
      const double to = std::min(from + point->y, end);
      if (to > from)
        svg += "<rect x='" + number(scale.at(from)) + "' y='" + number(y) + "' width='" +
               number(scale.at(to) - scale.at(from)) + "' height='" + number(kBar) + "' fill='" +
               colorOf(*series, palette_) + "'/>";
      from = to;
    }
    if (any == nullptr) return textAt(left_ + 6, y + kBar - 3, "start", "not run", "faint") + "\n";
    if (total > end)
      svg += "<path class='cut' d='M" + number(left_ + kPanel - 16) + " " + number(y - 2) + "l-6 " + number(kBar + 4) +
             "'/>";
    svg += textAt(scale.at(std::min(total, end)) + 5, y + kBar - 3, "start", shortNumber(total));
    return "<g><title>" + escaped(any->label) + "</title>" + svg + "</g>\n";
  }

  const Figure& figure_;
  const Panel& panel_;
  Palette& palette_;
  double left_, top_;
};

std::string legend(const Figure& figure, Palette& palette, double y) {
  std::vector<std::string> names;
  std::string svg;
  double x = kLabels;
  for (const FigureSeries& series : figure.series) {
    const std::string name = series.part.empty() ? "not divided" : series.part;
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    names.push_back(name);
    svg += "<rect x='" + number(x) + "' y='" + number(y - 10) + "' width='12' height='12' fill='" +
           colorOf(series, palette) + "'/>" + textAt(x + 18, y, "start", name);
    x += 110;
  }
  return svg + "\n";
}

}  // namespace

std::string drawBars(const Figure& figure, Palette& palette) {
  const std::vector<Panel> panels = panelsOf(figure);
  const bool parts =
      std::any_of(figure.series.begin(), figure.series.end(), [](const FigureSeries& s) { return !s.part.empty(); });
  const double rows = kRow * static_cast<double>(figure.categories.size());
  double top = parts ? 24 : 0;
  std::string body = parts ? legend(figure, palette, 14) : std::string();
  for (std::size_t first = 0; first < panels.size(); first += kPanelsInRow) {
    top += kHead;
    for (std::size_t c = 0; c < figure.categories.size(); ++c)
      body += textAt(kLabels - 10, top + kRow * (static_cast<double>(c) + 0.5) + 4, "end", figure.categories[c]) + "\n";
    for (std::size_t p = first; p < std::min(first + kPanelsInRow, panels.size()); ++p)
      body +=
          Painter(figure, panels[p], palette, kLabels + (kPanel + kGap) * static_cast<double>(p - first), top).draw();
    top += rows + kFoot;
  }
  const double columns = static_cast<double>(std::min(panels.size(), kPanelsInRow));
  return svgOpen(kLabels + (kPanel + kGap) * columns, top, figure.title) + body + "</svg>\n";
}

}  // namespace sscope::report
