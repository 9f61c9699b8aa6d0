#include "core/reach/exchange_rates.h"

#include <algorithm>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/measure/statistics.h"

namespace sscope::reach {

namespace {

constexpr int kAttempts = 11, kShortRuns = 50, kLongRuns = 3, kRing = 7;
constexpr std::size_t kShort = 8, kLong = std::size_t{4} << 20;

// Median seconds of one run of `work`, of the slowest rank.
template <class Work>
double secondsOf(int runs, Communicator& communicator, const Control& control, Work&& work) {
  std::vector<double> samples;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    communicator.barrier(control);
    const Stopwatch watch;
    for (int run = 0; run < runs; ++run) work();
    const double own = watch.seconds() / runs;
    const std::vector<double> all = communicator.gather({&own, 1}, control);
    samples.push_back(*std::max_element(all.begin(), all.end()));
  }
  return medianOf(samples);
}

}  // namespace

ExchangeRates measureExchange(Communicator& communicator, const Control& control) {
  ExchangeRates rates;
  rates.ranks = communicator.size();
  if (rates.ranks == 1) return rates;
  const int rank = communicator.rank(), next = (rank + 1) % rates.ranks;
  const int before = (rank + rates.ranks - 1) % rates.ranks;
  struct Memory {
    std::vector<std::byte> out, in;
  };
  const auto memory = std::make_shared<Memory>(std::vector(kLong, std::byte{1}), std::vector<std::byte>(kLong));
  const auto shift = [&](std::size_t bytes) {
    const Send send{next, kRing, std::span(memory->out).first(bytes)};
    const Receive receive{before, kRing, std::span(memory->in).first(bytes)};
    communicator.begin({&send, 1}, {&receive, 1}, memory)->end(control);
  };
  shift(kLong);  // connections are made with the first messages
  rates.latency = secondsOf(kShortRuns, communicator, control, [&] { shift(kShort); });
  const double seconds = secondsOf(kLongRuns, communicator, control, [&] { shift(kLong); });
  rates.bandwidth = static_cast<double>(kLong) / std::max(seconds - rates.latency, 1e-9);
  rates.sum = secondsOf(kShortRuns, communicator, control, [&] {
    const double one = 1;
    static_cast<void>(communicator.gather({&one, 1}, control));
  });
  return rates;
}

}  // namespace sscope::reach
