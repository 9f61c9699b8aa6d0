#pragma once
// The same system solved on one engine after the other while somebody watches. Qt-free; one worker thread, so that the
// engines do not take each other's time.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/lattice/job/solve_run.h"
#include "core/live/newest_wins.h"

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

  // Returns at once; what runs or waits is canceled.
  std::uint64_t submit(SolveJob job, std::vector<SolvePlace> places) {
    return worker_.submit({std::move(job), std::move(places)});
  }
  void cancel() { worker_.cancel(); }
  [[nodiscard]] bool busy() const { return worker_.busy(); }

 private:
  struct Wish {
    SolveJob job;
    std::vector<SolvePlace> places;
  };
  using Worker = NewestWins<Wish>;
  void execute(const Wish& wish, const Worker::Turn& turn);
  void solveAt(const Wish& wish, std::size_t place, SolveReference& reference, const Worker::Turn& turn);

  const EngineSet& engines_;
  const VariantTable& variants_;
  std::function<void(SolveUpdate)> deliver_;
  Worker worker_;
};

}  // namespace sscope
