#pragma once
// The Wavelet room's pictures while a slider moves: the newest setting wins, the last one is never dropped. Qt-free;
// one worker thread.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "core/live/engine_turns.h"
#include "core/live/newest_wins.h"
#include "core/live/news.h"
#include "core/live/quiet_gate.h"
#include "core/wavelet/job/wavelet_job.h"

namespace sscope {

// Slices of the result that is on its way.
using WaveletSlices = std::shared_ptr<const WaveletPreview>;
struct WaveletReady {
  std::shared_ptr<const WaveletResult> result;
};
struct WaveletVerified {
  std::shared_ptr<const WaveletResult> result;  // that was ready before
  Verification verification;
};
// TurnsUpdate: of an engine that is timed against others; IdleNews when the turns are over.
using WaveletNews = News<WaveletSlices, WaveletReady, WaveletVerified, TurnsUpdate, IdleNews>;

// Engines timed against each other by the first direction of a job.
struct WaveletContest {
  Contest contest;
  WaveletJob job;  // as it ran last: nothing of it is then computed again
};

class WaveletRunner {
 public:
  // `deliver` is called on the worker thread, in order.
  WaveletRunner(const EngineSet& engines, const VariantTable& variants, std::function<void(WaveletNews)> deliver);

  // Returns at once. Replaces a job that has not started. One that runs is stopped, but not before the slices of large
  // data, and not where it differs by its threshold alone and such runs are short: so that a slider dragged without a
  // pause still moves the picture.
  std::uint64_t submit(WaveletJob job) { return worker_.submit(std::move(job)); }
  // The same for timing engines: TurnsUpdate for each piece of news, then IdleNews.
  std::uint64_t takeTurns(WaveletContest contest) { return worker_.submit(std::move(contest)); }
  // While held no sample is taken: something else of the program works.
  void holdTurns(bool held) { gate_.setHeld(held); }
  void cancel() { worker_.cancel(); }
  [[nodiscard]] bool busy() const { return worker_.busy(); }
  // For tests.
  void waitIdle() { worker_.waitIdle(); }

 private:
  using Wish = std::variant<WaveletJob, WaveletContest>;
  using Worker = NewestWins<Wish>;
  void execute(const Wish& wish, const Worker::Turn& turn);
  // The result and its preview; then, where nothing newer waits, its verification.
  void transform(const WaveletJob& job, const Worker::Turn& turn);
  void race(const WaveletContest& contest, const Worker::Turn& turn);
  [[nodiscard]] Control controlOf(const Worker::Turn& turn) const;  // stops and tells progress
  [[nodiscard]] bool goesOn(const Wish& running, const Wish& next) const;

  std::function<void(WaveletNews)> deliver_;
  std::atomic<bool> verifying_{false};
  std::atomic<double> lastSeconds_{0};  // of the last run that reused its coefficients
  WaveletPipeline pipeline_;
  QuietGate gate_;
  Worker worker_;
};

}  // namespace sscope
