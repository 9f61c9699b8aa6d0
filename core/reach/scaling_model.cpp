#include "core/reach/scaling_model.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/base/statistics.h"
#include "core/measure/table.h"

namespace sscope::reach {

namespace {

constexpr int kFirst = 8, kLast = 4096;

// Sums meet in a tree.
double sumSeconds(int ranks, const ExchangeRates& rates) {
  return rates.ranks > 1 && ranks > 1 ? rates.sum * std::log2(ranks) / std::log2(rates.ranks) : 0;
}

double speedUpOf(const ScalingReport& report, const ModelPoint& point) {
  const RankMeasurement& first = report.points.front();
  const double work = report.scaling == Scaling::Weak ? static_cast<double>(point.ranks) / first.ranks : 1;
  return work * medianOf(first.samples) / point.seconds;
}

}  // namespace

std::optional<double> modelSeconds(const RankMeasurement& from, int ranks, const WorkOfRanks& work,
                                   const ExchangeRates& rates) {
  const std::optional<RankWork> known = work(from.ranks), wanted = work(ranks);
  if (!known || !wanted) return {};
  // Sums are waited for while computing.
  const double computing = std::max(0.0, from.compute - known->sums * sumSeconds(from.ranks, rates));
  double seconds = computing * wanted->elements / known->elements + wanted->sums * sumSeconds(ranks, rates);
  if (ranks > 1 && rates.bandwidth > 0) seconds += wanted->exchanges * rates.latency + wanted->bytes / rates.bandwidth;
  return seconds;
}

std::vector<ModelPoint> modelPoints(const ScalingReport& report, const WorkOfRanks& work, const ExchangeRates& rates) {
  std::vector<ModelPoint> points;
  const auto add = [&](const RankMeasurement& from, int ranks, double measured) {
    if (const auto seconds = modelSeconds(from, ranks, work, rates))
      points.push_back({ranks, from.ranks, *seconds, measured});
  };
  for (std::size_t i = 1; i < report.points.size(); ++i)
    add(report.points[i - 1], report.points[i].ranks, medianOf(report.points[i].samples));
  const RankMeasurement& last = report.points.back();
  for (int ranks = kFirst; ranks <= kLast; ranks *= 2)
    if (ranks > last.ranks) add(last, ranks, 0);
  return points;
}

std::string toTable(const ScalingReport& report, const std::vector<ModelPoint>& points, const ExchangeRates& rates) {
  if (points.empty() || rates.bandwidth <= 0) return {};
  TextRows rows{{"ranks", "model ms", "speed-up", "efficiency", "model's error"}};
  for (const ModelPoint& point : points) {
    const double speed = speedUpOf(report, point);
    rows.push_back({std::to_string(point.ranks), shortNumber(1e3 * point.seconds), shortNumber(speed),
                    shortNumber(100 * speed * report.points.front().ranks / point.ranks) + " %",
                    point.measured > 0 ? shortNumber(100 * point.error()) + " %" : "not measured"});
  }
  return "model, not measured: computing as of the largest number of ranks measured before, messages at " +
         shortNumber(1e6 * rates.latency) + " us and " + shortNumber(rates.bandwidth * 1e-9) + " GB/s, sums at " +
         shortNumber(1e6 * rates.sum) + " us with " + std::to_string(rates.ranks) + " ranks\n" + textTable(rows);
}

nlohmann::json toJson(const ScalingReport& report, const std::vector<ModelPoint>& points, const ExchangeRates& rates) {
  nlohmann::json json{{"latency_s", rates.latency},
                      {"bandwidth", rates.bandwidth},
                      {"sum_s", rates.sum},
                      {"measured_with_ranks", rates.ranks},
                      {"points", nlohmann::json::array()}};
  for (const ModelPoint& point : points) {
    nlohmann::json one{{"ranks", point.ranks},
                       {"from_ranks", point.from},
                       {"model_s", point.seconds},
                       {"speed_up", speedUpOf(report, point)}};
    if (point.measured > 0) one.update({{"measured_s", point.measured}, {"error", point.error()}});
    json["points"].push_back(one);
  }
  return json;
}

}  // namespace sscope::reach
