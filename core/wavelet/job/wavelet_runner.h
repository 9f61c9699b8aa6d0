#pragma once
// Computes the Wavelet room's results in the background while a slider moves: the newest setting wins, the last one is
// never dropped. Qt-free; one worker thread.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/compare/race.h"
#include "core/live/newest_wins.h"
#include "core/live/news.h"
#include "core/live/quiet_gate.h"
#include "core/wavelet/job/wavelet_job.h"

namespace sscope {

// Preview slices of the coming result.
using WaveletSlices = std::shared_ptr<const WaveletPreview>;
struct WaveletReady {
  std::shared_ptr<const WaveletResult> result;
};
struct WaveletVerified {
  std::shared_ptr<const WaveletResult> result;  // the one that was verified
  Verification verification;
};
// A short race (core/compare/race.h) of engines at the first direction of a job.
struct WaveletRace {
  std::vector<BenchRow> contenders;
  int repetitions = compare::kShortRepetitions;
  WaveletJob job;  // if it is the last one that ran, its results are reused
};
// RaceEvent: of a short race; IdleNews: a race has ended.
using WaveletNews = News<WaveletSlices, WaveletReady, WaveletVerified, compare::RaceEvent, IdleNews>;

class WaveletRunner {
 public:
  // `deliver` is called on the worker thread, in order.
  WaveletRunner(const EngineSet& engines, const VariantTable& variants, std::function<void(WaveletNews)> deliver);

  // Returns at once. Replaces a waiting job. Stops a running job, but not before the preview of large data, and not if
  // only the threshold differs and such runs are short, so that the picture follows a slider that is dragged without a
  // pause.
  std::uint64_t submit(WaveletJob job) { return worker_.submit(std::move(job)); }
  // The same for a race: its events, then IdleNews.
  std::uint64_t race(WaveletRace race) { return worker_.submit(std::move(race)); }
  // While held, nothing is timed because something else in the program is running.
  void holdRace(bool held) { gate_.setHeld(held); }
  void cancel() { worker_.cancel(); }
  [[nodiscard]] bool busy() const { return worker_.busy(); }
  // For tests.
  void waitIdle() { worker_.waitIdle(); }

 private:
  using Wish = std::variant<WaveletJob, WaveletRace>;
  using Worker = NewestWins<Wish>;
  void execute(const Wish& wish, const Worker::Turn& turn);
  // Delivers preview and result, then the verification unless a newer wish is waiting.
  void transform(const WaveletJob& job, const Worker::Turn& turn);
  void runRace(const WaveletRace& race, const Worker::Turn& turn);
  [[nodiscard]] Control controlOf(const Worker::Turn& turn, bool racing) const;  // cancellation and progress
  [[nodiscard]] bool goesOn(const Wish& running, const Wish& next) const;

  const EngineSet& engines_;
  const VariantTable& variants_;
  std::function<void(WaveletNews)> deliver_;
  std::atomic<bool> verifying_{false};
  std::atomic<double> lastSeconds_{0};  // of the last run that reused its coefficients
  WaveletPipeline pipeline_;
  QuietGate gate_;
  Worker worker_;
};

}  // namespace sscope
