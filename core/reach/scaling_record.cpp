#include "core/reach/scaling_record.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/paths.h"
#include "core/compare/checked_json.h"

namespace sscope::reach {

namespace {

using compare::CheckedJson;

constexpr const char* kSchema = "stencilscope.scaling/1";
constexpr std::size_t kMostPoints = 256, kMostMachines = 1U << 20;
constexpr std::int64_t kMostRanks = 1 << 20;
constexpr double kLongest = 1e9, kLeast = 1e-12, kLargest = 1e30;  // seconds; counts and rates

int ranksIn(const CheckedJson& point) { return static_cast<int>(point.at("ranks").whole(1, kMostRanks)); }

ScalingRecord::Point pointFrom(const CheckedJson& json) {
  ScalingRecord::Point point;
  point.ranks = ranksIn(json);
  point.devices = static_cast<int>(json.whole("devices", 0, kMostRanks, 0));
  point.seconds = json.at("median_s").number(kLeast, kLongest);
  const std::vector<double> quartiles = json.at("quartiles_s").numbers(0, kLongest, 2);
  if (quartiles.size() != 2) json.at("quartiles_s").refuse("must hold two numbers");
  point.quartiles = {quartiles[0], quartiles[1]};
  point.operations = json.at("operations").number(0, kLargest);
  point.copyGbs = json.number("copy_gbs", 0, kLargest, 0);
  // What was not compared has no time.
  static_cast<void>(json.at("compared").whole(1, INT64_MAX));
  return point;
}

ScalingRecord::Predicted predictedFrom(const CheckedJson& json) {
  return {ranksIn(json), json.at("model_s").number(kLeast, kLongest), json.number("measured_s", kLeast, kLongest, 0)};
}

template <class Points>
void requireAscending(const Points& points, const CheckedJson& list) {
  const auto notMore = [](const auto& a, const auto& b) { return a.ranks >= b.ranks; };
  if (std::ranges::adjacent_find(points, notMore) != points.end()) list.refuse("must be in the order of their ranks");
}

ScalingRecord recordFrom(const CheckedJson& document) {
  ScalingRecord record;
  record.workload = document.at("workload").text(64);
  record.title = document.at("title").text(256);
  record.date = document.at("date").text(64);
  record.cpu = document.at("machine").text("cpu", "unknown");
  std::vector<std::string> hosts;
  for (const CheckedJson& host : document.at("machines").list(kMostMachines)) hosts.push_back(host.text(256));
  std::ranges::sort(hosts);
  hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
  record.machines = std::max(1, static_cast<int>(hosts.size()));
  const std::string scaling = document.at("scaling").text(16);
  if (scaling != "weak" && scaling != "strong") document.at("scaling").refuse("must be strong or weak");
  record.weak = scaling == "weak";
  const CheckedJson points = document.at("points");
  for (const CheckedJson& point : points.list(kMostPoints)) record.points.push_back(pointFrom(point));
  if (record.points.empty()) points.refuse("must not be empty");
  requireAscending(record.points, points);
  const CheckedJson last = points.list(kMostPoints).back();
  record.engine = last.at("engine").text(64);
  record.variant = last.at("variant").text(64);
  record.threads = static_cast<int>(last.at("threads_per_rank").whole(1, kMostRanks));
  if (const auto model = document.find("model")) {
    for (const CheckedJson& point : model->at("points").list(kMostPoints)) record.model.push_back(predictedFrom(point));
    requireAscending(record.model, model->at("points"));
  }
  return record;
}

}  // namespace

double ScalingRecord::speedUp(int ranks, double seconds) const {
  const Point& first = points.front();
  return (weak ? static_cast<double>(ranks) / first.ranks : 1) * first.seconds / seconds;
}

double ScalingRecord::efficiency(int ranks, double seconds) const {
  return speedUp(ranks, seconds) * points.front().ranks / ranks;
}

ScalingRecord parseScaling(const nlohmann::json& document, const std::string& name) {
  try {
    const CheckedJson checked(document);
    if (checked.at("schema").text(64) != kSchema)
      throw Error(ErrorKind::Unsupported, "it is no " + std::string(kSchema),
                  "open what `sscope-mpi bench --scaling strong --json FILE` of this version wrote");
    return recordFrom(checked);
  } catch (const Error& error) {
    throw Error(error.kind(), "cannot read the scaling report " + name + ": " + error.what());
  }
}

ScalingRecord readScaling(const std::filesystem::path& path) {
  const std::string text = readTextFile(path);
  nlohmann::json document;
  try {
    document = parseJson(text);
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorKind::BadData, "cannot read the scaling report " + path.string() + ": it is no JSON",
                "write it anew with sscope-mpi bench --json");
  } catch (const Error& error) {
    throw Error(error.kind(), "cannot read the scaling report " + path.string() + ": " + error.what());
  }
  return parseScaling(document, path.string());
}

}  // namespace sscope::reach
