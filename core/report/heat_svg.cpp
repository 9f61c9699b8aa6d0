// Heat maps: one panel a rung with a color scale of its own, the published averages below its name.

#include <algorithm>
#include <cmath>
#include <set>

#include "core/measure/text_table.h"
#include "core/report/figure_svg.h"

namespace sscope::report {

namespace {

constexpr double kMapLeft = 46, kMapTop = 62, kMap = 210, kScaleGap = 14, kScaleWidth = 12, kPanelWidth = 350,
                 kPanelHeight = 330;
constexpr std::size_t kPanelsInRow = 3;
constexpr int kScaleSteps = 32;

struct Places {
  std::vector<double> x, y;
};

Places placesOf(const FigureSeries& series) {
  std::set<double> x, y;
  for (const FigurePoint& point : series.points) {
    x.insert(point.x);
    y.insert(point.y);
  }
  return {{x.begin(), x.end()}, {y.begin(), y.end()}};
}

std::size_t indexIn(const std::vector<double>& list, double value) {
  return static_cast<std::size_t>(std::find(list.begin(), list.end(), value) - list.begin());
}

std::string rectangle(double x, double y, double width, double height, const std::string& color) {
  return "<rect x='" + number(x) + "' y='" + number(y) + "' width='" + number(width) + "' height='" + number(height) +
         "' fill='" + color + "'/>";
}

// A number in every cell as long as there is room; dark on light and light on dark.
std::string cellText(double x, double y, double fraction, double value) {
  return "<text x='" + number(x) + "' y='" + number(y) + "' text-anchor='middle' class='" +
         (fraction > 0.6 ? "ondark0" : "ondark1") + "'>" + shortNumber(value) + "</text>";
}

// "C2050", "8800 GT": what tells the devices apart.
std::string shortName(std::string name) {
  for (const std::string start : {"NVIDIA ", "AMD ", "Tesla ", "GeForce ", "Radeon "})
    if (name.starts_with(start)) name.erase(0, start.size());
  return name;
}

std::string colorScale(double left, double top, double low, double high) {
  std::string svg;
  const double step = kMap / kScaleSteps;
  for (int i = 0; i < kScaleSteps; ++i)
    svg += rectangle(left, top + kMap - step * (i + 1), kScaleWidth, step + 0.3, mapColor((i + 0.5) / kScaleSteps));
  for (const double part : {0.0, 0.5, 1.0})
    svg += textAt(left + kScaleWidth + 5, top + kMap * (1 - part) + 4, "start", shortNumber(low + part * (high - low)));
  return svg + "\n";
}

std::string panel(const Figure& figure, const FigureSeries& series, double x0, double y0) {
  const Places places = placesOf(series);
  const double left = x0 + kMapLeft, top = y0 + kMapTop;
  const double width = kMap / static_cast<double>(places.x.size()),
               height = kMap / static_cast<double>(places.y.size());
  double low = series.points.front().value, high = low;
  for (const FigurePoint& point : series.points) {
    low = std::min(low, point.value);
    high = std::max(high, point.value);
  }
  std::string svg = textAt(left, y0 + 18, "start", series.name, "label");
  if (series.average)
    svg += textAt(left, y0 + 35, "start",
                  "average " + shortNumber(*series.average) + " " + figure.value.unit + ", measured");
  std::string published;
  for (const FigureSeries& other : figure.series)
    if (other.origin == SeriesOrigin::Published && other.variant == series.variant && other.average)
      published +=
          (published.empty() ? "published: " : ", ") + shortName(other.hardware) + " " + tickText(*other.average);
  svg += textAt(left, y0 + 52, "start", published, "small") + "\n";
  for (const FigurePoint& point : series.points) {
    const double fraction = high > low ? (point.value - low) / (high - low) : 0.5;
    const double x = left + width * static_cast<double>(indexIn(places.x, point.x));
    const double y = top + kMap - height * static_cast<double>(indexIn(places.y, point.y) + 1);
    svg += "<g><title>" + escaped(point.label) + "</title>" +
           rectangle(x, y, width + 0.3, height + 0.3, mapColor(fraction));
    if (places.x.size() <= 7) svg += cellText(x + width / 2, y + height / 2 + 4, fraction, point.value);
    svg += "</g>\n";
  }
  for (std::size_t i = 0; i < places.x.size(); ++i)
    svg += textAt(left + width * (static_cast<double>(i) + 0.5), top + kMap + 15, "middle", tickText(places.x[i]));
  for (std::size_t i = 0; i < places.y.size(); ++i)
    svg += textAt(left - 6, top + kMap - height * (static_cast<double>(i) + 0.5) + 4, "end", tickText(places.y[i]));
  svg += textAt(left + kMap / 2, top + kMap + 34, "middle", figure.x.label, "label");
  const std::string middle = number(left - 32) + " " + number(top + kMap / 2);
  svg += "<g transform='rotate(-90 " + middle + ")'>" +
         textAt(left - 32, top + kMap / 2, "middle", figure.y.label, "label") + "</g>";
  svg += textAt(left + kMap + kScaleGap, top + kMap + 19, "start", figure.value.unit, "small");
  return svg + colorScale(left + kMap + kScaleGap, top, low, high);
}

}  // namespace

std::string drawHeatMaps(const Figure& figure) {
  std::string body;
  std::size_t count = 0;
  for (const FigureSeries& series : figure.series) {
    if (series.points.empty()) continue;
    body += panel(figure, series, kPanelWidth * static_cast<double>(count % kPanelsInRow),
                  kPanelHeight * static_cast<double>(count / kPanelsInRow));
    ++count;
  }
  const std::size_t rows = (count + kPanelsInRow - 1) / kPanelsInRow;
  return svgOpen(kPanelWidth * static_cast<double>(std::min(count, kPanelsInRow)),
                 kPanelHeight * static_cast<double>(rows), figure.title) +
         body + "</svg>\n";
}

}  // namespace sscope::report
