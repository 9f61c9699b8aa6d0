// Horizontal bars; a bar stacks the parts of one engine or publication. Either all bars of a category are below one
// another on one scale, or each stack has a panel and an axis of its own, because devices may differ by orders of
// magnitude; panels with the same categories are side by side.

#include <algorithm>
#include <cmath>

#include "core/report/axis_scale.h"
#include "core/report/figure_layout.h"

namespace sscope::report {

namespace {

// In line heights.
constexpr double kBar = 0.95, kRowGap = 0.5, kHeading = 2.4, kFoot = 2.6, kLeastPanel = 15;
constexpr std::size_t kPanelsAcross = 3;
// A bar that is longer than the next one by this factor is cut, with its number beside it.
constexpr double kOutlier = 4;

// One part of a bar.
struct Piece {
  std::size_t series, point;
  double length;
};
using Bar = std::vector<Piece>;

struct Panel {
  std::vector<std::string> stacks;
  std::size_t first = 0;               // index of its series
  std::vector<std::vector<Bar>> rows;  // one for each category of the figure
};

// Panels side by side, with the categories that any of them has.
struct Band {
  std::vector<const Panel*> panels;
  std::vector<std::size_t> categories;
};

double totalOf(const Bar& bar) {
  double total = 0;
  for (const Piece& piece : bar) total += piece.length;
  return total;
}

std::vector<Bar> barsAt(const Figure& figure, const Panel& panel, std::size_t category) {
  std::vector<Bar> bars;
  for (const std::string& stack : panel.stacks) {
    Bar bar;
    for (std::size_t s = 0; s < figure.series.size(); ++s) {
      if (stackOf(figure.series[s]) != stack) continue;
      const auto& points = figure.series[s].points;
      for (std::size_t p = 0; p < points.size(); ++p)
        if (points[p].x == static_cast<double>(category)) bar.push_back({s, p, points[p].y});
    }
    if (!bar.empty()) bars.push_back(std::move(bar));
  }
  return bars;
}

std::vector<Panel> panelsOf(const Figure& figure) {
  std::vector<Panel> panels;
  for (std::size_t s = 0; s < figure.series.size(); ++s) {
    const std::string& stack = stackOf(figure.series[s]);
    const bool shown = std::any_of(panels.begin(), panels.end(), [&](const Panel& panel) {
      return std::find(panel.stacks.begin(), panel.stacks.end(), stack) != panel.stacks.end();
    });
    if (shown) continue;
    if (panels.empty() || !figure.beside) panels.push_back({{}, s, {}});
    panels.back().stacks.push_back(stack);
  }
  for (Panel& panel : panels)
    for (std::size_t c = 0; c < figure.categories.size(); ++c) panel.rows.push_back(barsAt(figure, panel, c));
  return panels;
}

std::vector<Band> bandsOf(const Figure& figure, const std::vector<Panel>& panels, std::size_t across) {
  std::vector<Band> bands;
  for (const Panel& panel : panels) {
    const auto has = [&](std::size_t category) { return !panel.rows[category].empty(); };
    if (bands.empty() || bands.back().panels.size() == across ||
        std::none_of(bands.back().categories.begin(), bands.back().categories.end(), has))
      bands.emplace_back();
    Band& band = bands.back();
    band.panels.push_back(&panel);
    band.categories.clear();
    for (std::size_t c = 0; c < figure.categories.size(); ++c)
      if (std::any_of(band.panels.begin(), band.panels.end(), [&](const Panel* p) { return !p->rows[c].empty(); }))
        band.categories.push_back(c);
  }
  return bands;
}

class BarsLayout {
 public:
  BarsLayout(const FigureInk& ink, DisplayList& list)
      : ink_(ink), figure_(ink.figure), font_(ink.font), list_(list), line_(ink.font.line()) {}

  void lay() {
    for (const std::string& category : figure_.categories) names_ = std::max(names_, font_.width(category));
    names_ = std::min(names_, (figure_.beside ? 0.35 : 0.28) * list_.width);
    const double room = list_.width - names_ - 0.5 * line_;
    const auto fit = static_cast<std::size_t>(std::max(1.0, room / (kLeastPanel * line_)));
    const std::vector<Panel> panels = panelsOf(figure_);
    for (const Band& band : bandsOf(figure_, panels, std::min(fit, kPanelsAcross))) layBand(band, room);
  }

 private:
  void layBand(const Band& band, double room) {
    double y = list_.height + (figure_.beside ? 0.1 : kHeading) * line_;
    const double top = y;
    std::vector<double> rows;
    for (const std::size_t category : band.categories) {
      std::size_t bars = 1;
      for (const Panel* panel : band.panels) bars = std::max(bars, panel->rows[category].size());
      const double height = (static_cast<double>(bars) * kBar + kRowGap) * line_;
      rows.push_back(y);
      list_.add(Text{{names_, y + height / 2}, Anchor::End, elided(font_, figure_.categories[category], names_), {}});
      y += height;
    }
    const double each = room / static_cast<double>(band.panels.size());
    for (std::size_t p = 0; p < band.panels.size(); ++p) {
      const double left = names_ + 0.5 * line_ + each * static_cast<double>(p);
      layPanel(*band.panels[p], band, {left, top, each, y - top}, rows);
    }
    list_.height = y + kFoot * line_;
  }

  [[nodiscard]] std::optional<PointSpread> spreadOf(const Bar& bar, double total) const {
    const Piece& last = bar.back();
    return spreadAt(ink_.measurements, figure_.series[last.series].points[last.point], total, figure_.y);
  }

  // Up to the longest bar, or slightly beyond the second if the longest is far longer than the others.
  [[nodiscard]] AxisScale scaleOf(const Panel& panel, const Box& box) const {
    double texts = 0, longest = 0, second = 0;
    for (const auto& row : panel.rows)
      for (const Bar& bar : row) {
        const double total = totalOf(bar);
        texts = std::max(texts, font_.width(valueText(figure_.y, total)));
        const auto spread = spreadOf(bar, total);
        const double reach = spread ? std::max(total, spread->high) : total;
        second = std::max(second, std::min(longest, reach));
        longest = std::max(longest, reach);
      }
    const bool cut = !figure_.beside && second > 0 && longest > kOutlier * second;
    Axis linear = figure_.y;
    linear.log = false;  // bars begin at zero
    const double width = std::max(3 * line_, box.width - texts - (figure_.beside ? 0.8 : 1.8) * line_);
    const int most = std::clamp(static_cast<int>(width / (3.5 * line_)), 1, 8);
    return scaleFor(linear, {cut ? 1.15 * second : longest}, false, box.left, box.left + width, most);
  }

  void layPanel(const Panel& panel, const Band& band, const Box& box, const std::vector<double>& rows) {
    const FigureSeries& first = figure_.series[panel.first];
    const bool published = first.origin == SeriesOrigin::Published;
    if (!figure_.beside) layHeading(panel.stacks.front(), first, box);
    const AxisScale scale = scaleOf(panel, box);
    for (const double tick : scale.ticks) {
      const double x = crisp(scale.at(tick));
      list_.addLine({x, box.top}, {x, box.bottom()}, {tick == 0 ? Role::Axis : Role::Grid});
      list_.add(Text{{x, box.bottom() + 0.65 * line_}, Anchor::Middle, scale.label(tick), {Role::Pale}});
    }
    list_.add(
        Text{{(scale.from + scale.to) / 2, box.bottom() + 1.8 * line_}, Anchor::Middle, scale.title, {Role::Pale}});
    for (std::size_t row = 0; row < rows.size(); ++row) {
      double y = rows[row] + kRowGap / 2 * line_;
      const auto& bars = panel.rows[band.categories[row]];
      if (bars.empty())
        list_.add(Text{{box.left + 0.4 * line_, y + kBar / 2 * line_},
                       Anchor::Start,
                       published ? "not stated" : "not run",
                       {Role::Pale}});
      for (const Bar& bar : bars) {
        layBar(bar, {box.left, y, box.width, kBar * line_}, scale);
        y += kBar * line_;
      }
    }
  }

  void layHeading(const std::string& stack, const FigureSeries& first, const Box& box) {
    std::string below = "measured";
    if (first.origin == SeriesOrigin::Published) {
      below = "published" + (first.source.empty() ? "" : ", " + first.source);
    } else if (!first.hardware.empty() && first.hardware != stack) {
      below += ", " + first.hardware;
    }
    const double room = box.width - 0.5 * line_;
    list_.add(Text{{box.left, box.top - 1.8 * line_}, Anchor::Start, elided(font_, stack, room, true), {}, true});
    list_.add(Text{{box.left, box.top - 0.7 * line_}, Anchor::Start, elided(font_, below, room), {Role::Pale}});
  }

  void layBar(const Bar& bar, const Box& lane, const AxisScale& scale) {
    const double total = totalOf(bar), middle = lane.center().y;
    double sum = 0;
    for (const Piece& piece : bar) {
      const double from = scale.at(std::min(sum, scale.high)), to = scale.at(std::min(sum + piece.length, scale.high));
      sum += piece.length;
      const FigureSeries& series = figure_.series[piece.series];
      // Keeps the target of a thin bar wide enough for the mouse.
      list_.beginTarget({{from, lane.top, std::max(to - from, 0.4 * line_), lane.height},
                         piece.series,
                         piece.point,
                         series.points[piece.point].label});
      const SeriesLook& look = ink_.looks[piece.series];
      if (piece.length > 0)
        list_.add(Rectangle{
            {from, lane.top + 0.1 * lane.height, std::max(1.0, to - from), 0.8 * lane.height}, look.paint, look.fill});
      list_.endTarget();
    }
    double end = scale.at(std::min(total, scale.high));
    if (total > scale.high) {
      list_.addLine({end - line_, lane.top}, {end - 1.3 * line_, lane.bottom()}, {Role::Paper}, 0.3 * line_);
    } else if (const auto spread = spreadOf(bar, total)) {
      const double from = scale.at(spread->low), to = scale.at(spread->high), tick = 0.25 * lane.height;
      list_.addLine({from, middle}, {to, middle}, {}, 1.2);
      for (const double x : {from, to}) list_.addLine({x, middle - tick}, {x, middle + tick}, {}, 1.2);
      end = std::max(end, to);
    }
    const bool published = figure_.series[bar.back().series].origin == SeriesOrigin::Published;
    list_.add(Text{
        {end + 0.4 * line_, middle}, Anchor::Start, valueText(figure_.y, total), {published ? Role::Pale : Role::Ink}});
  }

  const FigureInk& ink_;
  const Figure& figure_;
  const FontMeasure& font_;
  DisplayList& list_;
  double line_;
  double names_ = 0;
};

}  // namespace

void layBars(const FigureInk& ink, DisplayList& list) { BarsLayout(ink, list).lay(); }

}  // namespace sscope::report
