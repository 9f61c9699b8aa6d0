#pragma once
// Recomputing while a slider moves: the newest request wins, the last one is never dropped, the visible slices
// come first. Engines are timed against each other by the same thread, so never beside a computation. Qt-free.

#include <array>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/filter/job/engine_turns.h"
#include "core/filter/job/filter_job.h"
#include "core/filter/job/fitting_bank.h"
#include "core/filter/recipe.h"
#include "core/measure/verify.h"
#include "core/volume/volume.h"

namespace sscope {

struct LiveRequest {
  std::shared_ptr<const Volume> input;
  std::uint64_t inputIdentity = 0;  // changes with the data, not with the bank
  FilterBank bank;
  std::string engine, variant;
  int threads = 0;
  std::array<std::int64_t, 3> crosshair{0, 0, 0};  // the visible slices
  std::size_t shownFilter = 0;                     // index among the enabled filters: previewed first
  bool preview = true;                             // slices before the whole
  bool whole = true;                               // false while a slider is held on slow data: slices only
};

struct LiveUpdate {
  enum class Stage : std::uint8_t {
    Preview,   // slices[0..2] hold the axial (z), coronal (y) and sagittal (x) slice of the shown filter
    Whole,     // result holds every output
    Verified,  // verification of the last Whole
    Turn,      // turn: news of an engine that is timed against others
    Failed,    // message says why
    Canceled,
    Progress,  // fraction and stage of the work under way
    Idle,      // nothing more to do for this request
  };
  Stage stage = Stage::Idle;
  std::uint64_t request = 0;  // number given by submit()
  std::array<std::shared_ptr<const Volume>, 3> slices;
  std::array<std::int64_t, 3> sliceAt{0, 0, 0};
  std::shared_ptr<const FilterResult> result;
  std::vector<LeftOut> leftOut;  // enabled filters that do not fit the data; the outputs are of the others
  RunReport report;
  Verification verification;
  TurnsUpdate turn;
  std::string message;
  double fraction = 0;
};

class LiveRunner {
 public:
  // `deliver` is called on the worker thread, in order; updates of superseded requests are not delivered
  // once a newer one was submitted (previews excepted: a finished preview is always shown).
  LiveRunner(const EngineSet& engines, const VariantTable& variants, std::function<void(LiveUpdate)> deliver);
  ~LiveRunner();  // cancels and joins
  LiveRunner(const LiveRunner&) = delete;
  LiveRunner& operator=(const LiveRunner&) = delete;

  // Returns at once. Replaces a request that has not started; stops one that runs.
  std::uint64_t submit(LiveRequest request);
  // The same for timing engines: Turn for each piece of news, then Idle.
  std::uint64_t takeTurns(TurnsRequest request);
  // While held no sample is taken: something else of the program works.
  void holdTurns(bool held) { gate_.setHeld(held); }
  // Stops what runs and drops what waits; Canceled is delivered for it.
  void cancel();
  [[nodiscard]] bool busy() const;
  // For tests and batch use.
  void waitIdle();

 private:
  struct Job {
    std::uint64_t number = 0;
    std::variant<LiveRequest, TurnsRequest> request;
  };
  // What computing one request needs.
  struct Work {
    std::uint64_t number = 0;
    const LiveRequest& request;
    FittingBank fitting;
    std::optional<std::size_t> shown;  // the shown filter among those that fit
  };
  std::uint64_t enqueue(std::variant<LiveRequest, TurnsRequest> request);
  void loop(const std::stop_token& ending);
  void execute(const Job& job, const std::stop_token& stop, const std::stop_token& previewStop);
  void compute(std::uint64_t number, const LiveRequest& request, const Control& control,
               const std::stop_token& previewStop);
  void preview(const Work& work, const Control& control);
  void whole(const Work& work, const Control& control);
  void race(std::uint64_t number, const TurnsRequest& request, const Control& control);

  const EngineSet& engines_;
  const VariantTable& variants_;
  std::function<void(LiveUpdate)> deliver_;
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::optional<Job> waiting_;
  std::stop_source running_;     // superseded or canceled: ends the whole result
  std::stop_source previewing_;  // canceled only: a superseded preview is finished and shown
  bool working_ = false;
  bool canceled_ = false;
  std::uint64_t numbers_ = 0;
  QuietGate gate_;
  std::jthread thread_;
};

}  // namespace sscope
