#include "core/reach/scaling.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/base/error.h"
#include "core/reach/scaling_model.h"
#include "tests/reach/shares.h"

using namespace sscope;
using namespace sscope::reach;
using Catch::Matchers::ContainsSubstring;

namespace {

// Computes nothing, and is right unless it is to be wrong.
class Idle final : public RankShare {
 public:
  explicit Idle(bool right) : right_(right) {}
  ShareTimes run(Communicator& communicator, const Control& control) override {
    communicator.barrier(control);
    ++runs_;
    return {0.25, 0.5 * (communicator.rank() + 1)};
  }
  void poison(std::uint8_t) override { ++poisoned_; }
  Verification verify(Communicator& communicator, const VerifyOptions&, const Control&) override {
    Verification result;
    result.verified = right_ || communicator.rank() != 1;
    result.failure = result.verified ? "" : "it is not so";
    result.compared = 10;
    result.full = communicator.rank() == 0;
    result.relativeL2 = 0.001 * communicator.rank();
    return result;
  }
  ShareFacts facts() const override {
    ShareFacts facts;
    facts.sentBytes = 8;
    return facts;
  }
  int runs_ = 0, poisoned_ = 0;

 private:
  bool right_;
};

RankBenchOptions quick() {
  RankBenchOptions options;
  options.seconds = 0;
  options.batchSeconds = 0;
  return options;
}

RankMeasurement point(int ranks, double seconds, double bytes = 0, double copyGbs = 0) {
  RankMeasurement one;
  one.ranks = ranks;
  one.samples = {seconds, seconds, seconds};
  one.facts.work = {1, bytes};
  one.copyGbs = copyGbs;
  return one;
}

// Measured by two ranks together, each of a thread.
template <class Rate>
void requireAgreedRate(const Rate& together) {
  const test::CpuMachine machine;
  ThreadRanks ranks(2);
  std::vector<double> rates(2);
  ranks.run({}, [&](Communicator& communicator, const Control& control) {
    rates[static_cast<std::size_t>(communicator.rank())] =
        together(communicator, machine.engines.preferred(), 1, control);
  });
  CHECK(rates[0] > 0);
  CHECK(rates[0] == rates[1]);
}

}  // namespace

TEST_CASE("ranks are timed together, and all of them know the same of it") {
  ThreadRanks ranks(3);
  std::vector<RankMeasurement> results(3);
  ranks.run({}, [&](Communicator& communicator, const Control& control) {
    Idle share(true);
    results[static_cast<std::size_t>(communicator.rank())] = benchShare(communicator, share, quick(), control);
    if (share.poisoned_ != 2) throw Error(ErrorKind::Device, "the outputs were not poisoned before both checks");
  });
  for (const RankMeasurement& one : results) {
    CHECK(one.ranks == 3);
    CHECK(one.samples.size() == 7);
    CHECK(one.samples == results[0].samples);
    CHECK(one.exchange == 0.25);
    CHECK(one.compute == 1.5);  // of the rank that takes longest
    CHECK(one.verification.verified);
    CHECK(!one.verification.full);
    CHECK(one.verification.compared == 30);
    CHECK(one.verification.relativeL2 == 0.002);
    CHECK(one.facts.sentBytes == 8);
  }
}

TEST_CASE("a wrong output of one rank is an error of all") {
  ThreadRanks ranks(3);
  std::vector<std::string> told(3);
  CHECK_THROWS_WITH(ranks.run({},
                              [&](Communicator& communicator, const Control& control) {
                                Idle share(false);
                                try {
                                  static_cast<void>(benchShare(communicator, share, quick(), control));
                                } catch (const Error& error) {
                                  told[static_cast<std::size_t>(communicator.rank())] = error.what();
                                  throw;
                                }
                              }),
                    ContainsSubstring("the output of rank 1 is wrong: it is not so"));
  for (const std::string& one : told) CHECK(one == told[1]);
}

TEST_CASE("ranks copy at once, and agree on the rate") { requireAgreedRate(copyTogether); }

TEST_CASE("ranks compute at once, and agree on the rate") {
  requireAgreedRate(computeTogether);
  const test::CpuMachine machine;
  ThreadRanks ranks(2);
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(ranks.run({stop.get_token(), {}},
                            [&](Communicator& communicator, const Control& control) {
                              static_cast<void>(computeTogether(communicator, machine.engines.preferred(), 1, control));
                            }),
                  Canceled);
}

TEST_CASE("what arithmetic allows falls as ranks share cores and compute around their own") {
  ScalingReport report;
  report.workload = report.title = "filter";
  report.machines = {"a", "a"};
  report.points = {point(1, 1.0), point(2, 0.75)};
  CHECK(arithmeticEfficiency(report, report.points[1]) == 0);
  report.points[0].arithmeticGflops = 100;
  report.points[1].arithmeticGflops = 150;
  report.points[1].facts.computed = 1.25;
  CHECK(arithmeticEfficiency(report, report.points[0]) == 1);
  CHECK(arithmeticEfficiency(report, report.points[1]) == 0.6);
  CHECK_THAT(toTable(report), ContainsSubstring("60.0 %") && ContainsSubstring("work that only computes"));
  CHECK(toJson(report).at("points")[1].at("arithmetic_efficiency") == 0.6);
  report.points[1].arithmeticGflops = 300;  // what was there alone had been disturbed
  CHECK(arithmeticEfficiency(report, report.points[1]) == 0.8);
}

TEST_CASE("speed-up and efficiency are relative to the first point") {
  ScalingReport report;
  report.workload = report.title = "magic";
  report.machines = {"a", "a"};
  report.points = {point(2, 1.0, 4e9, 8), point(4, 0.625)};
  CHECK(speedUp(report, report.points[1]) == 1.6);
  CHECK(efficiency(report, report.points[1]) == 0.8);
  CHECK(shareOfCopy(report.points[0]) == 0.5);
  CHECK(shareOfCopy(report.points[1]) == 0);
  report.scaling = Scaling::Weak;
  CHECK(speedUp(report, report.points[1]) == 3.2);
  CHECK(efficiency(report, report.points[1]) == 1.6);
  const nlohmann::json json = toJson(report);
  CHECK(json.at("scaling") == "weak");
  CHECK(json.at("points").at(1).at("ranks") == 4);
  CHECK(json.at("points").at(0).at("share_of_copy") == 0.5);
  CHECK_THAT(toTable(report), ContainsSubstring("magic, weak scaling"));
}
