#include "core/compare/lane_figures.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/measure/table.h"
#include "core/report/figure_data.h"

namespace sscope::compare {

namespace {

// One part of a run.
struct Part {
  std::uint32_t rgb;
  double Phases::*phase;  // null: the rest of the wall time
};
constexpr std::array<Part, kRunParts.size()> kParts{{{0xb279a2, &Phases::compile},
                                                     {0x12a5b0, &Phases::upload},
                                                     {0x4c78a8, &Phases::kernel},
                                                     {0x54a24b, &Phases::download},
                                                     {0x98a0aa, nullptr}}};

std::vector<const Lane*> byMedian(const std::vector<Lane>& lanes, Times which) {
  std::vector<const Lane*> order;
  for (const Lane& lane : lanes)
    if (lane.hasFigures()) order.push_back(&lane);
  std::ranges::stable_sort(order, {}, [&](const Lane* lane) { return timesOf(*lane, which).median; });
  return order;
}

std::string labelOf(const Lane& lane, const std::string& name, Times which, double factor) {
  const Spread spread = timesOf(lane, which);
  const std::size_t count = which == Times::Total ? lane.totals.size() : lane.measurement.samples.size();
  std::string text = name + ": median " + shortNumber(1e3 * spread.median) + " ms, quartiles " +
                     shortNumber(1e3 * spread.firstQuartile) + " to " + shortNumber(1e3 * spread.thirdQuartile) +
                     " ms, " + std::to_string(count) + " repetitions";
  if (factor > 1) text += ", " + shortNumber(factor) + " times the fastest";
  for (const std::string& words : lane.disturbances()) text += "; ! " + words;
  return text;
}

void addBars(LaneFigure& drawn, const Comparison& comparison, Times which, LaneColors* colors) {
  const std::string prefix = colors != nullptr ? "" : comparison.where() + ": ";
  const Standing all = standing(comparison.lanes, which);
  for (const Lane* lane : byMedian(comparison.lanes, which)) {
    const double median = timesOf(*lane, which).median;
    const std::string engine = lane->measurement.engine, name = prefix + lane->name();
    // The lanes of a capsule's machine are one series.
    const std::string group =
        colors != nullptr ? engine : comparison.where() + ", capsule of " + comparison.date.substr(0, 10);
    const std::size_t before = drawn.figure.series.size();
    FigureSeries& series = seriesOf(drawn.figure, group, [&] {
      FigureSeries made;
      made.name = made.stack = group;
      made.engine = colors != nullptr ? engine : "";
      made.hardware = colors != nullptr ? lane->measurement.engineName : comparison.machine.cpu;
      return made;
    });
    if (drawn.figure.series.size() > before)
      drawn.looks.push_back({report::own(colors != nullptr ? colors->of(engine) : kForeignLane)});
    series.points.push_back(
        {static_cast<double>(drawn.figure.categories.size()), median, median,
         labelOf(*lane, name, which, all.factor[static_cast<std::size_t>(lane - comparison.lanes.data())]),
         drawn.measurements.size()});
    drawn.figure.categories.push_back(name + (lane->disturbances().empty() ? "" : " !"));
    Measurement& m = drawn.measurements.emplace_back(lane->measurement);
    if (which == Times::Total) m.samples = lane->totals;
  }
}

void addParts(LaneFigure& drawn, const Lane& lane, const Phases& phases, bool compiles, double total) {
  const RunParts parts = partsOfRun(phases, compiles, total);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!(parts[i] > 0)) continue;
    std::string label = lane.name() + ": " + kRunParts[i] + " " + durationText(parts[i]);
    if (kParts[i].phase != nullptr && phases.overlap > 0 && i > 0)
      label += " of the wall time, " + durationText(phases.*kParts[i].phase) + " beside other phases";
    const auto place = static_cast<std::size_t>(
        &*std::ranges::find(drawn.figure.series, kRunParts[i], &FigureSeries::name) - drawn.figure.series.data());
    drawn.figure.series[place].points.push_back(
        {static_cast<double>(drawn.figure.categories.size()), parts[i], parts[i], label, {}});
  }
  drawn.figure.categories.push_back(lane.name());
}

LaneFigure partsFigure(const std::string& id, const std::string& title, const std::string& axis) {
  LaneFigure drawn;
  drawn.figure.id = id;
  drawn.figure.title = title;
  drawn.figure.kind = FigureKind::StackedBars;
  drawn.figure.beside = true;
  drawn.figure.y = {axis, "s", false};
  for (std::size_t i = 0; i < kParts.size(); ++i) {
    FigureSeries series;
    series.name = kRunParts[i];
    series.stack = "lane";
    drawn.figure.series.push_back(std::move(series));
    drawn.looks.push_back({report::own(kParts[i].rgb)});
  }
  return drawn;
}

// Parts that no lane has get no entry in the legend.
LaneFigure withoutEmpty(LaneFigure drawn) {
  for (std::size_t i = drawn.figure.series.size(); i-- > 0;)
    if (drawn.figure.series[i].points.empty()) {
      drawn.figure.series.erase(drawn.figure.series.begin() + static_cast<std::ptrdiff_t>(i));
      drawn.looks.erase(drawn.looks.begin() + static_cast<std::ptrdiff_t>(i));
    }
  return drawn;
}

}  // namespace

RunParts partsOfRun(const Phases& phases, bool compiles, double total) {
  RunParts parts{};
  const double sum = phases.upload + phases.kernel + phases.download;
  const double share = sum > 0 ? phases.together() / sum : 1;
  for (std::size_t i = 0; i < kParts.size(); ++i)
    if (kParts[i].phase != nullptr) parts[i] = phases.*kParts[i].phase * (i == 0 ? (compiles ? 1 : 0) : share);
  double left = total;
  for (double& part : parts) {
    part = std::min(part, left);
    left -= part;
  }
  parts.back() = left;
  return parts;
}

std::uint32_t LaneColors::of(const std::string& engine) {
  constexpr std::array<std::uint32_t, 10> kColors{0x4c78a8, 0xf58518, 0x54a24b, 0xe45756, 0xb279a2,
                                                  0x12a5b0, 0xc9a227, 0x9d755d, 0xd67195, 0x6b6ecf};
  return kColors[known_.try_emplace(engine, known_.size()).first->second % kColors.size()];
}

LaneFigure timesFigure(const Comparison& comparison, std::span<const Comparison> others, Times which,
                       LaneColors& colors) {
  LaneFigure drawn;
  const bool total = which == Times::Total;
  drawn.figure.id = total ? "total" : "kernel";
  drawn.figure.title = total ? "Time of a run with transfers" : "Time of a run without transfers";
  drawn.figure.kind = FigureKind::StackedBars;
  drawn.figure.beside = true;
  drawn.figure.y = {total ? "from the call to the result; whiskers: quartiles"
                          : "kernels on devices, wall time elsewhere; whiskers: quartiles",
                    "s", false};
  addBars(drawn, comparison, which, &colors);
  for (const Comparison& other : others) addBars(drawn, other, which, nullptr);
  return drawn;
}

LaneFigure phasesFigure(const Comparison& comparison) {
  LaneFigure drawn = partsFigure("phases", "Where the time of a run goes", "median of a run with transfers");
  for (const Lane* lane : byMedian(comparison.lanes, Times::Total))
    addParts(drawn, *lane, lane->measurement.phases, false, lane->total().median);
  return withoutEmpty(std::move(drawn));
}

LaneFigure firstFigure(const Comparison& comparison) {
  LaneFigure drawn =
      partsFigure("first", "The first result, from nothing", "one run in slabs, with all that is paid once");
  for (const Lane* lane : byMedian(comparison.lanes, Times::Total))
    if (lane->first) addParts(drawn, *lane, lane->first->phases, true, lane->first->seconds);
  return withoutEmpty(std::move(drawn));
}

}  // namespace sscope::compare
