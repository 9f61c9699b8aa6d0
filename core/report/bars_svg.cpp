// Stacked bars: one panel a stack with an axis of its own, because devices may lie orders of magnitude apart. Panels
// with the same categories stand side by side, the names at the left of each row of panels.

#include <algorithm>
#include <cmath>

#include "core/measure/text_table.h"
#include "core/report/figure_svg.h"

namespace sscope::report {

namespace {

constexpr double kBarsLabels = 250, kPanel = 250, kGap = 58, kBarsRow = 22, kBarsBar = 15, kHead = 44, kBarsFoot = 44;
constexpr std::size_t kPanelsAcross = 3;
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

bool divided(const Figure& figure) {
  return std::any_of(figure.series.begin(), figure.series.end(), [](const FigureSeries& s) { return !s.part.empty(); });
}

std::string colorOf(const Figure& figure, const FigureSeries& series, Palette& palette) {
  if (series.part == "memory") return "#4c78a8";
  if (series.part == "compute") return "#f58518";
  return divided(figure) ? "#98a0aa" : palette.colorOf(series);
}

// Panels side by side, with the categories that any of them has.
struct Band {
  std::vector<const Panel*> panels;
  std::vector<std::size_t> categories;
};

bool has(const Panel& panel, std::size_t category) {
  return std::any_of(panel.series.begin(), panel.series.end(),
                     [&](const FigureSeries* series) { return pointAt(*series, category) != nullptr; });
}

std::vector<Band> bandsOf(const Figure& figure, const std::vector<Panel>& panels) {
  std::vector<Band> bands;
  for (const Panel& panel : panels) {
    const auto shared = [&](std::size_t category) { return has(panel, category); };
    if (bands.empty() || bands.back().panels.size() == kPanelsAcross ||
        std::none_of(bands.back().categories.begin(), bands.back().categories.end(), shared))
      bands.emplace_back();
    Band& band = bands.back();
    band.panels.push_back(&panel);
    band.categories.clear();
    for (std::size_t c = 0; c < figure.categories.size(); ++c)
      if (std::any_of(band.panels.begin(), band.panels.end(), [&](const Panel* p) { return has(*p, c); }))
        band.categories.push_back(c);
  }
  return bands;
}

class Painter {
 public:
  Painter(const Figure& figure, const Panel& panel, const std::vector<std::size_t>& categories, Palette& palette,
          double left, double top)
      : figure_(figure), panel_(panel), categories_(categories), palette_(palette), left_(left), top_(top) {}

  std::string draw() {
    const std::size_t rows = categories_.size();
    double longest = 0, second = 0;
    for (const std::size_t c : categories_) {
      const double total = totalOf(panel_, c);
      second = std::max(second, std::min(longest, total));
      longest = std::max(longest, total);
    }
    const bool cut = second > 0 && longest > kOutlier * second;
    const Scale scale(0, cut ? 1.15 * second : longest, false, left_, left_ + kPanel);
    const double bottom = top_ + kBarsRow * static_cast<double>(rows);
    std::string svg = heading();
    for (const double tick : scale.ticks())
      svg += "<path class='grid' d='M" + number(scale.at(tick)) + " " + number(top_) + "V" + number(bottom) + "'/>" +
             textAt(scale.at(tick), bottom + 16, "middle", tickText(tick)) + "\n";
    for (std::size_t row = 0; row < rows; ++row) svg += bar(categories_[row], row, scale);
    svg += "<path class='axis' d='M" + number(left_) + " " + number(top_) + "V" + number(bottom) + "'/>\n";
    const Axis& axis = figure_.y;
    return svg +
           textAt(left_ + kPanel / 2, bottom + 34, "middle",
                  axis.unit.empty() ? axis.label : axis.label + " [" + axis.unit + "]", "label") +
           "\n";
  }

 private:
  [[nodiscard]] bool published() const { return panel_.series.front()->origin == SeriesOrigin::Published; }

  [[nodiscard]] std::string heading() const {
    const FigureSeries& first = *panel_.series.front();
    std::string below = published() ? "published" + (first.source.empty() ? "" : ", " + first.source) : "measured";
    if (!published() && !first.hardware.empty() && first.hardware != panel_.stack) below += ", " + first.hardware;
    if (below.size() > 46) below = below.substr(0, 43) + "...";
    return textAt(left_, top_ - 24, "start", panel_.stack, "label") + textAt(left_, top_ - 8, "start", below, "faint") +
           "\n";
  }

  std::string bar(std::size_t category, std::size_t row, const Scale& scale) {
    const double y = top_ + kBarsRow * static_cast<double>(row) + (kBarsRow - kBarsBar) / 2;
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
               number(scale.at(to) - scale.at(from)) + "' height='" + number(kBarsBar) + "' fill='" +
               colorOf(figure_, *series, palette_) + "'/>";
      from = to;
    }
    if (any == nullptr)
      return textAt(left_ + 6, y + kBarsBar - 3, "start", published() ? "not stated" : "not run", "faint") + "\n";
    if (total > end)
      svg += "<path class='cut' d='M" + number(left_ + kPanel - 16) + " " + number(y - 2) + "l-6 " +
             number(kBarsBar + 4) + "'/>";
    svg += textAt(scale.at(std::min(total, end)) + 5, y + kBarsBar - 3, "start", shortNumber(total));
    return "<g><title>" + escaped(any->label) + "</title>" + svg + "</g>\n";
  }

  const Figure& figure_;
  const Panel& panel_;
  const std::vector<std::size_t>& categories_;
  Palette& palette_;
  double left_, top_;
};

std::string legend(const Figure& figure, Palette& palette, double y) {
  std::vector<std::string> names;
  std::string svg;
  double x = kBarsLabels;
  for (const FigureSeries& series : figure.series) {
    const std::string name = series.part.empty() ? "not divided" : series.part;
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    names.push_back(name);
    svg += "<rect x='" + number(x) + "' y='" + number(y - 10) + "' width='12' height='12' fill='" +
           colorOf(figure, series, palette) + "'/>" + textAt(x + 18, y, "start", name);
    x += 110;
  }
  return svg + "\n";
}

}  // namespace

std::string drawBars(const Figure& figure, Palette& palette) {
  const std::vector<Panel> panels = panelsOf(figure);
  double top = divided(figure) ? 24 : 0;
  std::size_t columns = 0;
  std::string body = divided(figure) ? legend(figure, palette, 14) : std::string();
  for (const Band& band : bandsOf(figure, panels)) {
    top += kHead;
    for (std::size_t row = 0; row < band.categories.size(); ++row)
      body += textAt(kBarsLabels - 10, top + kBarsRow * (static_cast<double>(row) + 0.5) + 4, "end",
                     figure.categories[band.categories[row]]) +
              "\n";
    for (std::size_t p = 0; p < band.panels.size(); ++p)
      body += Painter(figure, *band.panels[p], band.categories, palette,
                      kBarsLabels + (kPanel + kGap) * static_cast<double>(p), top)
                  .draw();
    top += kBarsRow * static_cast<double>(band.categories.size()) + kBarsFoot;
    columns = std::max(columns, band.panels.size());
  }
  return svgOpen(kBarsLabels + (kPanel + kGap) * static_cast<double>(columns), top, figure.title) + body + "</svg>\n";
}

}  // namespace sscope::report
