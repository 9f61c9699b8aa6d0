#pragma once
// The same system solved on one engine after the other while somebody watches. Qt-free; one worker thread, so that the
// engines do not take each other's time.

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "core/lattice/job/solve_run.h"

namespace sscope {

struct SolveUpdate {
  enum class Stage : std::uint8_t {
    Step,      // message: what `place` does now ("preparing")
    Points,    // points: new ones of `place`, in order
    Untraced,  // run: of `place`, whose kernels are still to be timed; Done follows unless it is canceled
    Done,      // run: of `place`, also where it failed
    Finished,  // all places are done
    Failed,    // nothing could be run; message says why
    Canceled,  // on demand or superseded; what was told until then stays true
  };
  Stage stage = Stage::Step;
  std::uint64_t request = 0;  // number given by submit()
  std::size_t place = 0;      // index into those submitted
  std::vector<SolvePoint> points;
  std::shared_ptr<const SolveRun> run;
  std::string message;
};

class SolveRunner {
 public:
  // `deliver` is called on the worker thread, in order.
  SolveRunner(const EngineSet& engines, const VariantTable& variants, std::function<void(SolveUpdate)> deliver);
  ~SolveRunner();  // cancels and joins
  SolveRunner(const SolveRunner&) = delete;
  SolveRunner& operator=(const SolveRunner&) = delete;

  // Returns at once; what runs or waits is canceled.
  std::uint64_t submit(SolveJob job, std::vector<SolvePlace> places);
  void cancel();

 private:
  struct Numbered {
    std::uint64_t number = 0;
    SolveJob job;
    std::vector<SolvePlace> places;
  };
  void loop(const std::stop_token& ending);
  void execute(const Numbered& numbered, const std::stop_token& stop);
  void solveAt(const Numbered& numbered, std::size_t place, SolveReference& reference, const std::stop_token& stop);

  const EngineSet& engines_;
  const VariantTable& variants_;
  std::function<void(SolveUpdate)> deliver_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::optional<Numbered> waiting_;
  std::stop_source stop_;
  std::uint64_t numbers_ = 0;
  std::jthread thread_;
};

}  // namespace sscope
