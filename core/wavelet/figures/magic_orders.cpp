#include "core/wavelet/figures/magic_orders.h"

#include <algorithm>
#include <cmath>
#include <complex>
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

// Computed taps along all axes, which ran.
bool counts(const Measurement& m) {
  return m.workload == "magic" && m.hasFigures() && orderOf(m) > 0 && !m.params.contains("taps") &&
         m.params.value("passes", "") == "3d";
}

// Rows that differ in nothing but the order, by it; only those with several.
std::vector<std::vector<Entry>> groups(std::span<const Measurement> measurements) {
  std::map<std::string, std::vector<Entry>> all;
  std::vector<std::string> names;  // in the order in which they came
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
      "taps "
      "for order m.";
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

}  // namespace sscope
