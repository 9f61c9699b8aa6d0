// Heat maps: one panel a series, each with a color scale of its own. Of published maps only the means are known; they
// are shown below the map of the same rung.

#include <algorithm>
#include <cmath>

#include "core/measure/table.h"
#include "core/report/axis_scale.h"
#include "core/report/figure_layout.h"

namespace sscope::report {

namespace {

// In line heights: the minimum width of a panel, the height of cells, the space above and below them, and of a mean.
constexpr double kPanelWidth = 17, kCells = 10, kAbove = 2.5, kBelow = 2.3, kMean = 1.1;
constexpr int kScaleSteps = 32;
constexpr double kBright = 0.6;  // text is dark from this share on

std::vector<double> valuesAlong(const FigureSeries& series, double FigurePoint::*coordinate) {
  std::vector<double> values;
  for (const FigurePoint& point : series.points) values.push_back(point.*coordinate);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

double placeIn(const std::vector<double>& values, double value) {
  return static_cast<double>(std::lower_bound(values.begin(), values.end(), value) - values.begin());
}

// The published means of a rung, one per line.
std::vector<std::string> publishedMeans(const Figure& figure, const std::string& variant) {
  std::vector<std::string> lines;
  for (const FigureSeries& series : figure.series)
    if (series.origin == SeriesOrigin::Published && series.points.empty() && series.average &&
        series.variant == variant)
      lines.push_back(series.hardware + ": " + valueText(figure.value, *series.average));
  if (!lines.empty()) lines.insert(lines.begin(), "published means");
  return lines;
}

// One panel for each series with a map, and one for each rung that has only published means.
std::vector<std::size_t> mapsOf(const Figure& figure) {
  std::vector<std::size_t> panels;
  for (const bool maps : {true, false})
    for (std::size_t i = 0; i < figure.series.size(); ++i) {
      if (figure.series[i].points.empty() == maps) continue;
      const bool shown = std::any_of(panels.begin(), panels.end(), [&](std::size_t other) {
        return figure.series[other].variant == figure.series[i].variant;
      });
      if (maps || !shown) panels.push_back(i);
    }
  return panels;
}

class MapLayout {
 public:
  MapLayout(const FigureInk& ink, DisplayList& list, std::size_t index)
      : ink_(ink),
        list_(list),
        index_(index),
        series_(ink.figure.series[index]),
        line_(ink.font.line()),
        xs_(valuesAlong(series_, &FigurePoint::x)),
        ys_(valuesAlong(series_, &FigurePoint::y)) {
    for (std::size_t i = 0; i < series_.points.size(); ++i) {
      const double value = series_.points[i].value;
      low_ = i == 0 ? value : std::min(low_, value);
      high_ = i == 0 ? value : std::max(high_, value);
    }
  }

  // Returns the bottom.
  double lay(double left, double top, double width) {
    const bool map = !series_.points.empty();
    const double room = width - 0.5 * line_;
    text({left, top + 0.6 * line_}, elided(ink_.font, map ? series_.name : series_.variant, room, true),
         map ? Role::Ink : Role::Pale, Anchor::Start, true);
    double y = top + 1.4 * line_;
    if (map && series_.average)
      text({left, y + 0.3 * line_}, "mean " + valueText(ink_.figure.value, *series_.average) + ", measured",
           Role::Pale);
    if (map) {
      y = top + kAbove * line_;
      double labels = ink_.font.width(ink_.figure.value.unit) - line_;  // it begins below the color bar
      for (const double value : {low_, (low_ + high_) / 2, high_})
        labels = std::max(labels, ink_.font.width(shortNumber(value)));
      layMap({left + 3.4 * line_, y, width - 5.6 * line_ - labels, kCells * line_}, left);
      y += (kCells + kBelow) * line_;
    }
    for (const std::string& mean : publishedMeans(ink_.figure, series_.variant)) {
      text({left, y + kMean / 2 * line_}, elided(ink_.font, mean, room), Role::Pale);
      y += kMean * line_;
    }
    return y + 0.8 * line_;
  }

 private:
  void text(Point at, std::string words, Role role, Anchor anchor = Anchor::Start, bool bold = false) {
    list_.add(Text{at, anchor, std::move(words), {role}, bold});
  }

  void layMap(const Box& cells, double left) {
    const double width = cells.width / static_cast<double>(xs_.size());
    const double height = cells.height / static_cast<double>(ys_.size());
    bool fit = height > line_;  // numbers are shown if they fit into every cell
    for (const FigurePoint& point : series_.points)
      fit = fit && ink_.font.width(shortNumber(point.value)) + 0.3 * line_ < width;
    list_.add(Rectangle{cells, {Role::Shade}});
    for (std::size_t i = 0; i < series_.points.size(); ++i) {
      const FigurePoint& point = series_.points[i];
      // Rounded to whole pixels: no seams between neighbors.
      const double x = placeIn(xs_, point.x), y = placeIn(ys_, point.y);
      const double from = std::round(cells.left + x * width), to = std::round(cells.left + (x + 1) * width);
      const double above = std::round(cells.bottom() - (y + 1) * height),
                   below = std::round(cells.bottom() - y * height);
      const Box cell{from, above, to - from, below - above};
      const double share = high_ > low_ ? (point.value - low_) / (high_ - low_) : 0.5;
      list_.beginTarget({cell, index_, i, point.label});
      list_.add(Rectangle{cell, own(magnitudeRgb(share))});
      if (fit)
        list_.add(
            Text{cell.center(), Anchor::Middle, shortNumber(point.value), own(share > kBright ? 0x101418 : 0xffffff)});
      list_.endTarget();
    }
    layLabels(cells, width, height);
    layColorBar({cells.right() + 0.5 * line_, cells.top, 0.8 * line_, cells.height});
    text({cells.center().x, cells.bottom() + 1.7 * line_}, ink_.figure.x.label, Role::Pale, Anchor::Middle);
    list_.add(
        Text{{left + 0.6 * line_, cells.center().y}, Anchor::Middle, ink_.figure.y.label, {Role::Pale}, false, true});
  }

  // Labels beside the cells, as many as fit.
  void layLabels(const Box& cells, double width, double height) {
    double free = cells.left - line_;
    for (std::size_t i = 0; i < xs_.size(); ++i) {
      const std::string label = tickText(xs_[i]);
      const double x = cells.left + (static_cast<double>(i) + 0.5) * width, half = ink_.font.width(label) / 2;
      if (x - half < free) continue;
      free = x + half + 0.35 * line_;
      text({x, cells.bottom() + 0.6 * line_}, label, Role::Pale, Anchor::Middle);
    }
    double room = cells.bottom() + line_;
    for (std::size_t i = 0; i < ys_.size(); ++i) {
      const double y = cells.bottom() - (static_cast<double>(i) + 0.5) * height;
      if (y + line_ / 2 > room) continue;
      room = y - line_ / 2;
      text({cells.left - 0.3 * line_, y}, tickText(ys_[i]), Role::Pale, Anchor::End);
    }
  }

  void layColorBar(const Box& bar) {
    const double step = bar.height / kScaleSteps;
    for (int i = 0; i < kScaleSteps; ++i)
      list_.add(Rectangle{{bar.left, bar.bottom() - step * (i + 1), bar.width, step + 0.3},
                          own(magnitudeRgb((i + 0.5) / kScaleSteps))});
    for (const double part : {0.0, 0.5, 1.0})
      text({bar.right() + 0.3 * line_, bar.bottom() - part * bar.height}, shortNumber(low_ + part * (high_ - low_)),
           Role::Pale);
    text({bar.left, bar.bottom() + 1.0 * line_}, ink_.figure.value.unit, Role::Pale);
  }

  const FigureInk& ink_;
  DisplayList& list_;
  std::size_t index_;
  const FigureSeries& series_;
  double line_;
  std::vector<double> xs_, ys_;
  double low_ = 0, high_ = 0;
};

}  // namespace

void layHeatMaps(const FigureInk& ink, DisplayList& list) {
  const std::vector<std::size_t> panels = mapsOf(ink.figure);
  const auto fit = static_cast<std::size_t>(std::max(1.0, list.width / (kPanelWidth * ink.font.line())));
  const std::size_t columns = std::clamp<std::size_t>(fit, 1, std::max<std::size_t>(1, panels.size()));
  const double width = list.width / static_cast<double>(columns);
  double top = list.height;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    if (i % columns == 0) top = list.height;
    const double left = static_cast<double>(i % columns) * width;
    list.height = std::max(list.height, MapLayout(ink, list, panels[i]).lay(left, top, width));
  }
}

}  // namespace sscope::report
