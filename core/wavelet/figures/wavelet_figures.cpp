#include "core/wavelet/figures/wavelet_figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <map>
#include <numbers>
#include <set>
#include <vector>

#include "core/measure/table.h"
#include "core/report/extents.h"
#include "core/report/figure_data.h"
#include "core/wavelet/magic_taps.h"

namespace sscope {

namespace {

constexpr double kSamplesPerWave = 8;

int orderOf(const Measurement& m) { return m.params.value("order", 0); }

// Whether the measurement ran the filter of an order along all axes.
bool counts(const Measurement& m) {
  return m.workload == "magic" && m.hasFigures() && orderOf(m) > 0 && !m.params.contains("taps") &&
         m.params.value("passes", "") == "3d";
}

// Groups of measurements that differ only in their order, sorted by order; groups of a single order are left out.
std::vector<std::vector<Entry>> groups(std::span<const Measurement> measurements) {
  std::map<std::string, std::vector<Entry>> all;
  std::vector<std::string> names;  // in order of appearance
  for (std::size_t i = 0; i < measurements.size(); ++i) {
    const Measurement& m = measurements[i];
    if (!counts(m)) continue;
    nlohmann::json params = m.params;
    params.erase("order");
    const std::string name = m.engine + "\n" + m.variant + "\n" + nlohmann::json(m.shape).dump() + params.dump();
    if (!all.contains(name)) names.push_back(name);
    all[name].push_back({&m, i, nlohmann::json::object()});
  }
  std::vector<std::vector<Entry>> result;
  for (const std::string& name : names) {
    std::vector<Entry>& entries = all[name];
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return orderOf(*a.m) < orderOf(*b.m); });
    if (orderOf(*entries.front().m) != orderOf(*entries.back().m)) result.push_back(std::move(entries));
  }
  return result;
}

}  // namespace

double magicOrderError(int order, double samplesPerWave) {
  const std::vector<double> taps = magicTaps(order);
  std::complex<double> sum = 0;
  for (std::size_t k = 0; k < taps.size(); ++k)
    sum += taps[k] * std::polar(1.0, 2 * std::numbers::pi / samplesPerWave * static_cast<double>(k));
  return std::abs(std::norm(sum) - 1);
}

bool hasSeveralOrders(std::span<const Measurement> measurements) { return !groups(measurements).empty(); }

Figure magicOrdersFigure(std::span<const Measurement> measurements) {
  Figure figure;
  figure.id = "magic-orders";
  figure.title = "Accuracy over cost: orders of the filter";
  figure.kind = FigureKind::Curves;
  figure.x = {"median time", "ms", true};
  figure.y = {"error of a wave of 8 samples", "", true};
  std::set<std::string> shapes;
  for (const std::vector<Entry>& entries : groups(measurements)) {
    FigureSeries& series = seriesOf(figure, seriesName(entries.front()),
                                    [&] { return measuredSeries(entries.front(), seriesName(entries.front())); });
    for (const Entry& entry : entries) {
      const double error = magicOrderError(orderOf(*entry.m), kSamplesPerWave);
      const double time = 1e3 * entry.m->spread().median;
      series.points.push_back({time, error, error,
                               "order " + std::to_string(orderOf(*entry.m)) + ": " + shortNumber(error) + " in " +
                                   shortNumber(time) + " ms",
                               entry.index});
      shapes.insert(extentsText(extentsOf(*entry.m)));
    }
  }
  sortPoints(figure);
  for (const std::string& shape : shapes) figure.note += (figure.note.empty() ? "Measured: " : " and ") + shape;
  figure.note +=
      ". The error is what the filter and its adjoint after it change of a wave of eight samples, from the taps; 2m "
      "taps for order m.";
  return figure;
}

std::string magicOrdersTable(std::span<const Measurement> measurements) {
  TextRows rows{{"order", "taps", "engine", "variant", "ms", "GFLOP/s", "error, 16 samples a wave", "8", "4"}};
  for (const std::vector<Entry>& entries : groups(measurements))
    for (const Entry& entry : entries) {
      const Measurement& m = *entry.m;
      const int order = orderOf(m);
      rows.push_back({std::to_string(order), std::to_string(2 * order), m.engine, m.variant,
                      shortNumber(1e3 * m.spread().median), shortNumber(m.gflops()),
                      shortNumber(magicOrderError(order, 16)), shortNumber(magicOrderError(order, kSamplesPerWave)),
                      shortNumber(magicOrderError(order, 4))});
    }
  return rows.size() == 1 ? std::string() : textTable(rows);
}

// Tables I to IV of "Optimizing 3D convolutions for wavelet transforms on CPUs with SSE units and GPUs".

namespace {

using Params = nlohmann::json;

bool onProcessor(const Measurement& m) { return !isDevice(m.engineKind); }
bool alongLines(const Params& params) { return params.value("passes", "") == "lines"; }
bool asColumns(const Params& params) { return params.value("transposed", false); }
bool backwards(const Params& params) { return params.value("direction", "") == "inverse"; }
// The paper's taps.
bool usualTaps(const Params& params) { return params.value("order", 0) == 8; }

// The measurements that `wanted` selects, in the shape that most of them have.
template <class Wanted>
std::vector<Entry> entriesOf(std::span<const Measurement> measurements, Wanted&& wanted) {
  std::map<std::array<std::int64_t, 3>, std::size_t> shapes;
  const bool usual = hasSeveralOrders(measurements);  // then the tables show the paper's order
  const auto shown = [&](const Measurement& m) {
    return m.workload == "magic" && m.hasFigures() && wanted(m) && (!usual || usualTaps(m.params));
  };
  for (const Measurement& m : measurements)
    if (shown(m)) ++shapes[m.shape];
  const auto most =
      std::max_element(shapes.begin(), shapes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < measurements.size(); ++i)
    if (shown(measurements[i]) && measurements[i].shape == most->first)
      entries.push_back({&measurements[i], i, Params::object()});
  // The top of the ladder comes last.
  std::stable_partition(entries.begin(), entries.end(), [](const Entry& e) { return e.m->variant != "tuned"; });
  return entries;
}

std::string settingOf(const std::vector<Entry>& entries) {
  if (entries.empty()) return {};
  const Measurement& m = *entries.front().m;
  std::string text = "Measured: " + std::to_string(m.shape[0]) + " x " + std::to_string(m.shape[1]);
  if (m.shape[2] > 1) text += " x " + std::to_string(m.shape[2]);
  if (!usualTaps(m.params))
    text += ", taps " + m.params.value("taps", "of order " + m.params.value("order", Params()).dump());
  return text + ". ";
}

class TableFigure {
 public:
  TableFigure(std::string id, std::string title, const std::string& value) {
    figure_.id = std::move(id);
    figure_.title = std::move(title);
    figure_.kind = FigureKind::Table;
    figure_.value = {value, "", false};
  }
  void column(const std::string& name) { static_cast<void>(indexOf(name)); }
  void cell(FigureSeries& row, const std::string& name, double value, std::string text,
            std::optional<std::size_t> measurement = {}) {
    row.points.push_back({static_cast<double>(indexOf(name)), value, value, std::move(text), measurement});
  }
  [[nodiscard]] FigureSeries& measuredRow(const Entry& entry, const std::string& name) {
    return seriesOf(figure_, name, [&] { return measuredSeries(entry, name); });
  }
  [[nodiscard]] FigureSeries& publishedRow(const PublishedValue& value, const std::string& name) {
    return seriesOf(figure_, name, [&] { return publishedSeries(value, name); });
  }
  [[nodiscard]] Figure take(std::string note) {
    figure_.note = std::move(note);
    return std::move(figure_);
  }

 private:
  std::size_t indexOf(const std::string& name) {
    const auto found = std::find(figure_.categories.begin(), figure_.categories.end(), name);
    if (found != figure_.categories.end()) return static_cast<std::size_t>(found - figure_.categories.begin());
    figure_.categories.push_back(name);
    return figure_.categories.size() - 1;
  }

  Figure figure_;
};

// "82.2 M".
std::string millions(double value) { return shortNumber(1e-6 * value) + " M"; }

struct Quantity {
  const char* name;
  const char* title;
};
constexpr std::array<Quantity, 2> kWork{{{"cycles", "cycles"}, {"instructions", "instructions"}}};
constexpr std::array<Quantity, 3> kCaches{
    {{"l1d_accesses", "L1 data accesses"}, {"l1d_misses", "L1 data misses"}, {"l2_misses", "L2 misses"}}};
constexpr const char* kPerCycle = "instructions a cycle";
constexpr const char* kRate = "GFLOP/s";
constexpr const char* kShare = "of ceiling";

// `count` returns a counter's value, or nothing.
template <class Count>
void counterCells(TableFigure& table, FigureSeries& row, const std::string& missing, Count&& count) {
  const auto add = [&](const Quantity& quantity) {
    const std::optional<double> value = count(quantity.name);
    table.cell(row, quantity.title, value.value_or(0), value ? millions(*value) : missing);
  };
  for (const Quantity& quantity : kWork) add(quantity);
  const std::optional<double> cycles = count("cycles"), instructions = count("instructions");
  const bool both = cycles && instructions && *cycles > 0;
  table.cell(row, kPerCycle, both ? *instructions / *cycles : 0, both ? shortNumber(*instructions / *cycles) : missing);
  for (const Quantity& quantity : kCaches) add(quantity);
}

Figure countersTable(std::span<const Measurement> measurements, std::span<const PublishedValue> published) {
  const std::vector<Entry> entries = entriesOf(measurements, [](const Measurement& m) {
    return onProcessor(m) && !alongLines(m.params) && !backwards(m.params);
  });
  TableFigure table("magic-counters", "All three axes: counters and rate of each rung (table I)", "");
  std::string reason;
  for (const Entry& entry : entries) {
    const Measurement& m = *entry.m;
    FigureSeries& row = table.measuredRow(entry, seriesName(entry));
    if (reason.empty()) reason = m.counters.unavailable;
    counterCells(table, row, "unavailable", [&](const char* name) -> std::optional<double> {
      const auto found = m.counters.values.find(name);
      return found == m.counters.values.end() ? std::nullopt : std::optional(found->second);
    });
    table.cell(row, kRate, m.gflops(), shortNumber(m.gflops()), entry.index);
    const auto share = m.share();
    table.cell(row, kShare, share.value_or(0), share ? shortNumber(100 * *share) + " %" : "unknown", entry.index);
  }
  const auto valueOf = [&](const std::string& variant, std::string_view quantity) -> std::optional<double> {
    for (const PublishedValue& value : published)
      if (value.workload == "magic" && value.variant == variant && value.quantity == quantity &&
          !alongLines(value.params))
        return value.value;
    return std::nullopt;
  };
  for (const PublishedValue& value : published) {
    if (value.workload != "magic" || value.quantity != "cycles") continue;
    FigureSeries& row = table.publishedRow(value, value.variant + ", " + value.hardware);
    counterCells(table, row, "-", [&](const char* name) { return valueOf(value.variant, name); });
    if (const auto rate = valueOf(value.variant, "gflops")) table.cell(row, kRate, *rate, plainNumber(*rate));
  }
  std::string note =
      settingOf(entries) +
      "Published: 128 x 126 x 130, mean of 10 runs; instructions per cycle are the ratio of its columns.";
  if (!reason.empty()) note += " Hardware counters: unavailable: " + reason + ".";
  return table.take(note);
}

// One row per engine, one column per variant.
Figure ratesTable(std::string id, std::string title, const std::vector<Entry>& entries,
                  const std::vector<const PublishedValue*>& published, const std::string& note,
                  const std::function<std::string(const std::string& variant, const Params&)>& columnOf) {
  TableFigure table(std::move(id), std::move(title), "GFLOP/s");
  for (const PublishedValue* value : published) table.column(columnOf(value->variant, value->params));
  for (const Entry& entry : entries) {
    FigureSeries& row = table.measuredRow(entry, entry.m->engine);
    row.variant.clear();
    table.cell(row, columnOf(entry.m->variant, entry.m->params), entry.m->gflops(), shortNumber(entry.m->gflops()),
               entry.index);
  }
  for (const PublishedValue* value : published) {
    FigureSeries& row = table.publishedRow(*value, value->hardware);
    row.variant.clear();
    table.cell(row, columnOf(value->variant, value->params), value->value, plainNumber(value->value));
  }
  return table.take(settingOf(entries) + note);
}

std::vector<const PublishedValue*> ratesOf(std::span<const PublishedValue> published, std::string_view table) {
  std::vector<const PublishedValue*> values;
  for (const PublishedValue& value : published)
    if (value.workload == "magic" && value.quantity == "gflops" && value.source.ends_with(table))
      values.push_back(&value);
  return values;
}

std::string variantName(const std::string& variant, const Params&) { return variant; }

std::string deviceColumn(const std::string& variant, const Params& params) {
  const bool named = variant.find("inverse") != std::string::npos;
  return variant + (backwards(params) && !named ? " inverse" : "") + (alongLines(params) ? ", 1D" : ", 3D");
}

}  // namespace

std::vector<Figure> magicFigures(std::string_view /*workload*/, std::span<const Measurement> measurements,
                                 std::span<const PublishedValue> published) {
  const auto lines = [&](bool columns) {
    return entriesOf(measurements, [columns](const Measurement& m) {
      return onProcessor(m) && alongLines(m.params) && asColumns(m.params) == columns && !backwards(m.params);
    });
  };
  return {countersTable(measurements, published),
          ratesTable("magic-patterns", "Patterns without transposition (table II)", lines(false),
                     ratesOf(published, "table II"), "Published: 32 columns of 5040 elements, mean of 20 runs.",
                     variantName),
          ratesTable("magic-columns", "Patterns with transposition (table III)", lines(true),
                     ratesOf(published, "table III"), "Published: 32 columns of 5040 elements, mean of 20 runs.",
                     variantName),
          ratesTable("magic-devices", "Rungs on graphics processors (table IV)",
                     entriesOf(measurements, [](const Measurement& m) { return !onProcessor(m); }),
                     ratesOf(published, "table IV"),
                     "1D is a pass along 17160 lines of 124, written as columns; 3D is 124 x 132 x 130.", deviceColumn),
          magicOrdersFigure(measurements)};
}

// The points of the figures of the magic filter's paper.

namespace {

// Tables I, II and III for processors, table IV for devices.
std::vector<SweepPart> magicParts() {
  const OptionValues lines{{"passes", std::string("lines")}};
  const OptionValues columns{{"passes", std::string("lines")}, {"transposed", true}};
  const auto pattern = [](std::string_view name) { return name.starts_with("sse-") && name != "sse-t"; };
  const auto column = [](std::string_view name) { return name.ends_with("-t"); };
  SweepPart volume{.values = {{}}}, patterns{.values = {lines}}, turned{.values = {columns}};
  volume.takes = [=](EngineKind kind, std::string_view name) { return !isDevice(kind) && !pattern(name); };
  patterns.shape = turned.shape = {5040, 32, 1};
  patterns.takes = [=](EngineKind kind, std::string_view name) { return hasThreads(kind) && !column(name); };
  turned.takes = [=](EngineKind kind, std::string_view name) {
    return hasThreads(kind) && name != "sse-t" && (column(name) || name == "tuned");
  };
  std::vector<SweepPart> parts{volume, patterns, turned};
  for (const bool inverse : {false, true})
    for (OptionValues values : {columns, OptionValues{}}) {
      if (inverse) values["direction"] = std::string("inverse");
      SweepPart part{.values = {values}};
      part.shape = {124, 132, 130};
      part.takes = [=](EngineKind kind, std::string_view name) {
        const bool backward = name == "magic-inverse";
        return isDevice(kind) && (inverse ? backward || name == "tuned" : !backward);
      };
      parts.push_back(std::move(part));
    }
  return parts;
}

// The cost of each order of the filter; magicOrderError() computes its accuracy.
std::vector<SweepPart> magicOrders() {
  SweepPart orders;
  for (std::int64_t order = 1; order <= kMagicMaximumOrder; ++order) orders.values.push_back({{"order", order}});
  return {orders};
}

}  // namespace

std::vector<LadderKind> waveletLadderKinds() {
  LadderKind magic{"magic", [](bool) { return magicParts(); }, magicFigures};
  magic.threads = 1;  // tables I to III are for one core, and the counters of table I can be read for one thread only
  magic.option = "order";
  magic.overOption = magicOrders;
  magic.overTable = magicOrdersTable;
  return {magic, {"dwt", [](bool) { return std::vector<SweepPart>{{.values = {{}}}}; }}};
}

}  // namespace sscope
