#include "core/reach/rank_bench.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/base/statistics.h"
#include "core/base/stopwatch.h"
#include "core/measure/judged_parts.h"
#include "core/parts/agreed.h"
#include "core/reach/worst_of_ranks.h"

namespace sscope::reach {

namespace {

constexpr int kMostRuns = 1000;  // of a sample

// Of each value the largest that a rank has.
template <std::size_t N>
std::array<double, N> largest(const std::array<double, N>& own, Communicator& communicator, const Control& control) {
  const std::vector<double> all = communicator.gather(own, control);
  std::array<double, N> result = own;
  for (std::size_t i = 0; i < all.size(); ++i) result[i % N] = std::max(result[i % N], all[i]);
  return result;
}

class RankBench {
 public:
  RankBench(Communicator& communicator, RankShare& share, const RankBenchOptions& options, const Control& control)
      : communicator_(communicator), share_(share), options_(options), control_(control), quiet_{control.stop, {}} {
    result_.ranks = communicator.size();
  }

  RankMeasurement run() {
    control_.report(0, "checking");
    check(kPoison);
    chooseBatch();
    race();
    control_.report(0.9, "checking the last run");
    check(kOtherPoison);
    gatherFacts();
    control_.report(1, "done");
    return std::move(result_);
  }

 private:
  // A run that is not timed, over poison.
  void check(std::uint8_t pattern) {
    share_.poison(pattern);
    share_.run(communicator_, quiet_);
    const Verification own = share_.verify(communicator_, options_.verify, quiet_);
    agreed(communicator_, quiet_, [&] {
      if (verdictOf(own) == Verdict::Wrong) refuse("the output of rank " + std::to_string(communicator_.rank()), own);
    });
    const Verification all = worstOfRanks(own, communicator_, quiet_);
    if (!all.verified) refuse("the output", all);
    keepWorse(all);
  }

  [[noreturn]] static void refuse(const std::string& what, const Verification& found) {
    throw Error(ErrorKind::Device, judgmentText(what, found), "its figures are left out");
  }

  // Of two checks of the same elements: the larger errors.
  void keepWorse(Verification now) {
    const Verification& first = result_.verification;
    now.relativeL2 = std::max(now.relativeL2, first.relativeL2);
    now.maximumUlp = std::max(now.maximumUlp, first.maximumUlp);
    now.largestShare = std::max(now.largestShare, first.largestShare);
    now.full = now.full && (first.full || !first.verified);
    result_.verification = std::move(now);
  }

  // Seconds of `runs` runs, one right after the other, and of their parts; each of the rank that takes longest.
  std::array<double, 3> timed(int runs) {
    ShareTimes sum;
    communicator_.barrier(quiet_);
    const Stopwatch watch;
    for (int i = 0; i < runs; ++i) {
      const ShareTimes one = share_.run(communicator_, quiet_);
      sum.exchange += one.exchange;
      sum.compute += one.compute;
    }
    std::array<double, 3> all = largest<3>({watch.seconds(), sum.exchange, sum.compute}, communicator_, quiet_);
    for (double& each : all) each /= runs;
    return all;
  }

  void chooseBatch() {
    constexpr int kTried = 3;
    double quickest = timed(1)[0];
    for (int i = 1; i < kTried; ++i) quickest = std::min(quickest, timed(1)[0]);
    const double runs = std::ceil(options_.batchSeconds / std::max(quickest, 1e-9));
    result_.batch = static_cast<int>(std::clamp(runs, 1.0, double{kMostRuns}));
  }

  void race() {
    std::vector<double> exchange, compute;
    double elapsed = 0;
    for (int i = 0; i < options_.repetitions || elapsed < options_.seconds; ++i) {
      const double done = std::max(elapsed / options_.seconds, static_cast<double>(i) / options_.repetitions);
      control_.report(0.1 + 0.8 * std::min(done, 1.0), "timing");
      const auto [total, waited, computed] = timed(result_.batch);
      result_.samples.push_back(total);
      exchange.push_back(waited);
      compute.push_back(computed);
      elapsed += total * result_.batch;
    }
    result_.exchange = medianOf(exchange);
    result_.compute = medianOf(compute);
  }

  void gatherFacts() {
    ShareFacts& facts = result_.facts = share_.facts();
    const auto [bytes, messages, computed] =
        largest<3>({static_cast<double>(facts.sentBytes), static_cast<double>(facts.messages), facts.computed},
                   communicator_, quiet_);
    facts.sentBytes = std::llround(bytes);
    facts.messages = std::llround(messages);
    facts.computed = computed;
  }

  Communicator& communicator_;
  RankShare& share_;
  const RankBenchOptions& options_;
  const Control& control_;
  Control quiet_;
  RankMeasurement result_;
};

}  // namespace

RankMeasurement benchShare(Communicator& communicator, RankShare& share, const RankBenchOptions& options,
                           const Control& control) {
  return RankBench(communicator, share, options, control).run();
}

}  // namespace sscope::reach
