#include "core/reach/scaling_model.h"

#include <nlohmann/json.hpp>

#include "core/parts/thread_ranks.h"
#include "tests/support/catch.h"

using namespace sscope::reach;
using Catch::Matchers::ContainsSubstring;

namespace {

// 64 planes, of which every rank sends one to each side; more ranks than planes cannot share them.
std::optional<RankWork> planes(int ranks) {
  if (ranks > 64) return {};
  return RankWork{64.0 / ranks, ranks > 1 ? 2.0 : 0.0, ranks > 1 ? 100.0 : 0.0, 3};
}

RankMeasurement measured(int ranks, double seconds, double compute) {
  RankMeasurement one;
  one.ranks = ranks;
  one.samples = {seconds};
  one.compute = compute;
  return one;
}

constexpr ExchangeRates kRates{4, 0.25, 200, 0.5};  // sums: half a second with four ranks, a quarter with two

}  // namespace

TEST_CASE("the model scales computing by the elements, and adds messages and sums") {
  const RankMeasurement one = measured(1, 8, 8);
  CHECK(modelSeconds(one, 1, planes, kRates) == 8.0);
  // Half of 8 s, two exchanges, 100 bytes at 200 a second, three sums.
  CHECK(modelSeconds(one, 2, planes, kRates) == 4 + 2 * 0.25 + 0.5 + 3 * 0.25);
  // Sums are not computing: 4 s were, of the 4.75 that were not spent waiting for messages.
  CHECK(modelSeconds(measured(2, 6, 4.75), 4, planes, kRates) == 2 + 2 * 0.25 + 0.5 + 3 * 0.5);
  CHECK(!modelSeconds(one, 128, planes, kRates));
}

TEST_CASE("what was measured checks the model, which goes on beyond as far as the work can be shared") {
  ScalingReport report;
  report.workload = report.title = "planes";
  report.points = {measured(1, 8, 8), measured(2, 5, 4.75)};
  const std::vector<ModelPoint> points = modelPoints(report, planes, kRates);
  REQUIRE(points.size() == 5);  // 2, and 8 to 64
  CHECK(points[0].ranks == 2);
  CHECK(points[0].from == 1);
  CHECK(points[0].error() == 5.75 / 5 - 1);
  CHECK(points[1].ranks == 8);
  CHECK(points[1].from == 2);
  CHECK(points[1].measured == 0);
  CHECK(points.back().ranks == 64);
  const std::string text = toTable(report, points, kRates);
  CHECK_THAT(text, ContainsSubstring("model, not measured") && ContainsSubstring("not measured"));
  const nlohmann::json json = toJson(report, points, kRates);
  CHECK(json.at("points").at(0).contains("error"));
  CHECK(!json.at("points").at(1).contains("error"));
  CHECK(toTable(report, points, ExchangeRates{}).empty());  // one rank: there is nothing to go by
}

TEST_CASE("the rates of messages are measured, and the same on all ranks") {
  for (const int count : {1, 2, 3}) {
    ThreadRanks ranks(count);
    std::vector<ExchangeRates> rates(static_cast<std::size_t>(count));
    ranks.run({}, [&](Communicator& communicator, const sscope::Control& control) {
      rates[static_cast<std::size_t>(communicator.rank())] = measureExchange(communicator, control);
    });
    for (const ExchangeRates& one : rates) {
      CHECK(one.ranks == count);
      CHECK((one.latency > 0) == (count > 1));
      CHECK((one.bandwidth > 0) == (count > 1));
      CHECK(one.latency == rates[0].latency);
      CHECK(one.sum == rates[0].sum);
    }
  }
}
