#include "core/lattice/figures/lattice_figures.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "core/measure/table.h"
#include "core/report/figure_data.h"

namespace sscope {

// Figures 11 to 18 of "Portage d'un code de lattice QCD sur GPU": the speed-up and the rate of every version, OpenCL
// beside CUDA, and all of it as a table.

namespace {

constexpr const char *kOneCore = "scalar", *kAllThreads = "threads";
// The label of values for which the paper names no version.
constexpr const char* kNotNamed = "unnamed version";

// The row to which speed-ups are relative.
const Entry* entryOf(const FigureInput& input, const std::string& variant) {
  for (const Entry& entry : input.entries)
    if (entry.m->variant == variant) return &entry;
  return nullptr;
}

double secondsOf(const Entry& entry) { return entry.m->spread().median; }

double sitesOf(const Measurement& m) {
  double sites = 1;
  if (const auto lattice = m.params.find("lattice"); lattice != m.params.end())
    for (const nlohmann::json& extent : *lattice) sites *= extent.get<double>();
  return sites;
}

// Of a solver; columns "a site" are for each of them.
double iterationsOf(const Measurement& m) {
  const auto iterations = m.params.find("iterations");
  return iterations == m.params.end() ? 1 : iterations->get<double>();
}

double executedOf(const Measurement& m) { return m.executedOperations > 0 ? m.executedOperations : m.operations; }
double executedRate(const Entry& entry) { return executedOf(*entry.m) / secondsOf(entry) * 1e-9; }

std::string milliseconds(const Entry& entry) { return shortNumber(1e3 * secondsOf(entry)) + " ms"; }

// "v1.3", "v1.3, multiple=64", "tuned-f32 [float32]".
std::string versionOf(const Entry& entry) {
  const std::string own = parameterText(entry.own);
  return labelOf(*entry.m) + (own.empty() ? "" : ", " + own);
}

// A note about extras of lower precision; empty where there are none.
std::string extrasNote(const FigureInput& input) {
  const bool any = std::any_of(input.entries.begin(), input.entries.end(),
                               [](const Entry& entry) { return !entry.m->lowerPrecision.empty(); });
  return any ? " Entries with a precision in brackets are extras of lower precision, not versions of the paper." : "";
}

// One bar per engine and version; `value` returns nothing for rows without a bar.
struct Bars {
  std::string id, title;
  Axis axis;
  std::string quantity;  // of the published values
  std::string note;
  std::function<std::optional<double>(const Entry&)> value;
};

Figure barsOf(const FigureInput& input, const Bars& bars) {
  Figure figure;
  figure.id = input.workload + bars.id;
  figure.title = bars.title;
  figure.kind = FigureKind::StackedBars;
  figure.y = bars.axis;
  figure.beside = true;
  const auto add = [&](const std::string& category, double value, std::string label, const std::string& stack,
                       std::optional<std::size_t> measurement, const std::function<FigureSeries()>& make) {
    const auto x = static_cast<double>(placeOf(figure.categories, category));
    seriesOf(figure, stack, [&] {
      FigureSeries made = make();
      made.variant.clear();
      made.stack = stack;
      return made;
    }).points.push_back({x, value, value, std::move(label), measurement});
  };
  for (const Entry& entry : input.entries)
    if (const std::optional<double> value = bars.value(entry)) {
      const std::string& engine = entry.m->engine;
      std::string label = versionOf(entry) + ", " + engine + ": " + milliseconds(entry) + ", " +
                          shortNumber(entry.m->gflops()) + " GFLOP/s counted, " + shortNumber(executedRate(entry)) +
                          " executed";
      if (bars.axis.unit.empty()) label += ", " + shortNumber(*value) + " times as fast";
      add(versionOf(entry), *value, std::move(label), engine, entry.index,
          [&] { return measuredSeries(entry, engine); });
    }
  for (const PublishedValue* value : input.published)
    if (value->quantity == bars.quantity) {
      const std::string category = value->variant.empty() ? kNotNamed : value->variant;
      add(category, value->value,
          category + ": " + shortNumber(value->value) + (value->unit.empty() ? "" : " " + value->unit) + " (" +
              value->hardware + "; " + value->source + ")",
          value->hardware, {}, [&] { return publishedSeries(*value, value->hardware); });
    }
  // Engines in the order of the rows, whichever rung came first; published values come last, unchanged.
  std::stable_sort(figure.series.begin(), figure.series.end(), [](const FigureSeries& a, const FigureSeries& b) {
    const auto place = [](const FigureSeries& series) {
      return series.points.front().measurement.value_or(std::numeric_limits<std::size_t>::max());
    };
    return place(a) < place(b);
  });
  figure.note = "Measured: " + input.setting + ". " + bars.note + extrasNote(input);
  return figure;
}

Figure speedUps(const FigureInput& input, const std::string& base, const std::string& words, Bars bars) {
  const Entry* from = entryOf(input, base);
  bars.axis = {"speed-up over " + words, "", false};
  bars.value = [&](const Entry& entry) -> std::optional<double> {
    if (from == nullptr || (base == kAllThreads && entry.m->variant == kOneCore)) return std::nullopt;
    return secondsOf(*from) / secondsOf(entry);
  };
  if (from != nullptr)
    bars.note = "1 is the rung " + base + " in the same run: " + milliseconds(*from) + " on " + from->m->engineName +
                ", " + std::to_string(from->m->threads) + (from->m->threads == 1 ? " thread. " : " threads. ") +
                bars.note;
  return barsOf(input, bars);
}

// Every row, and the times that the paper states.
Figure tableOf(const FigureInput& input) {
  Figure figure;
  figure.id = input.workload + "-rungs";
  figure.title = "Every version: time, counted and executed operations";
  figure.kind = FigureKind::Table;
  const auto cell = [&](FigureSeries& row, const char* column, double value, std::string text,
                        std::optional<std::size_t> measurement = {}) {
    row.points.push_back(
        {static_cast<double>(placeOf(figure.categories, column)), value, value, std::move(text), measurement});
  };
  const Entry *core = entryOf(input, kOneCore), *threads = entryOf(input, kAllThreads);
  for (const Entry& entry : input.entries) {
    const Measurement& m = *entry.m;
    FigureSeries row = measuredSeries(entry, seriesName(entry));
    const double seconds = secondsOf(entry), sites = sitesOf(m) * iterationsOf(m);
    cell(row, "time", seconds, milliseconds(entry), entry.index);
    cell(row, "GFLOP/s", m.gflops(), shortNumber(m.gflops()), entry.index);
    cell(row, "counted a site", m.operations / sites, plainNumber(m.operations / sites));
    cell(row, "executed a site", executedOf(m) / sites, plainNumber(executedOf(m) / sites));
    cell(row, "GFLOP/s executed", executedRate(entry), shortNumber(executedRate(entry)));
    const auto share = m.share();
    cell(row, "of ceiling", share.value_or(0), share ? shortNumber(100 * *share) + " %" : "unknown", entry.index);
    if (core != nullptr)
      cell(row, "over one core", secondsOf(*core) / seconds, shortNumber(secondsOf(*core) / seconds) + "x");
    if (threads != nullptr)
      cell(row, "over all threads", secondsOf(*threads) / seconds, shortNumber(secondsOf(*threads) / seconds) + "x");
    figure.series.push_back(std::move(row));
  }
  for (const PublishedValue* value : input.published)
    if (value->quantity == "kernel_s") {
      FigureSeries row = publishedSeries(*value, value->variant + ", " + value->hardware);
      cell(row, "time", value->value, plainNumber(value->value) + " s");
      figure.series.push_back(std::move(row));
    }
  figure.note = "Measured: " + input.setting +
                ". Counted are 1368 operations for every site and application of the operator, executed those that "
                "the version's own products need, both for each iteration of a solver; the share is that of the "
                "ceiling for the counted operations and compulsory bytes." +
                extrasNote(input);
  return figure;
}

}  // namespace

std::vector<Figure> latticeFigures(std::string_view workload, std::span<const Measurement> measurements,
                                   std::span<const PublishedValue> published) {
  const FigureInput input = figureInput(workload, measurements, published, {});
  const bool solver = workload != "dirac";
  return {
      speedUps(input, kOneCore, "one core",
               {"-speedup-core", "Speed-up over one core (figures 11, 13, 15, 17)", {}, "", "", {}}),
      speedUps(
          input, kAllThreads, "all threads",
          {"-speedup-threads",
           "Speed-up over all threads (figures 11, 13, 15, 17)",
           {},
           "speedup_threads",
           solver ? "The paper counts from its program with OpenMP on six cores; of its bars the text states one as "
                    "a number."
                  : "The paper's bars are of 143 iterations of the whole solver: see the ladder cr.",
           {}}),
      barsOf(
          input,
          {"-gflops",
           "GFLOP/s (figures 12, 14, 16, 18)",
           {"rate", "GFLOP/s", false},
           "gflops",
           "1368 operations a site and application are counted for every version. The paper counts what each version "
           "executes (next figure); its text states the best rate of two devices without naming the version.",
           [](const Entry& entry) -> std::optional<double> { return entry.m->gflops(); }}),
      barsOf(input, {"-executed",
                     "GFLOP/s executed, as the paper counts (figures 12, 14, 16, 18)",
                     {"executed rate", "GFLOP/s", false},
                     "gflops",
                     "A version that executes more for the same result looks faster here.",
                     [](const Entry& entry) -> std::optional<double> { return executedRate(entry); }}),
      tableOf(input)};
}

// The points of the figures of the lattice ladder's paper.

namespace {

// The paper's lattice, and its sites per group; the rungs' default is 16.
std::vector<SweepPart> latticeParts(bool everyPoint) {
  SweepPart lattice{.values = {{}}};
  if (everyPoint)
    for (const std::int64_t multiple : {8, 64}) lattice.turns.front().push_back({{"multiple", multiple}});
  return {lattice};
}

}  // namespace

std::vector<LadderKind> latticeLadderKinds() {
  return {{"dirac", latticeParts, latticeFigures}, {"cr", latticeParts, latticeFigures}};
}

}  // namespace sscope
