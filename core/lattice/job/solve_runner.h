#pragma once
// Solves the same system on several engines, one after the other, with live updates. Qt-free; one worker thread, so
// that the engines do not compete.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/lattice/job/solve_run.h"
#include "core/live/newest_wins.h"
#include "core/live/news.h"

namespace sscope {

// The current step of a place ("preparing"). Places are indices into those submitted.
struct SolveStep {
  std::size_t place = 0;
  std::string message;
};
// New points, in order.
struct SolvePoints {
  std::size_t place = 0;
  std::vector<SolvePoint> points;
};
// The run of a place, even if it failed.
struct SolveDone {
  std::size_t place = 0;
  std::shared_ptr<const SolveRun> run;
  bool untraced = false;  // its kernels are not timed yet; sent again with them unless canceled
};
// IdleNews: all places are done; FailedNews: nothing could be run. News before a CanceledNews stay valid. CanceledNews
// are also sent for superseded solves.
using SolveNews = News<SolveStep, SolvePoints, SolveDone, IdleNews>;

class SolveRunner {
 public:
  // `deliver` is called on the worker thread, in order.
  SolveRunner(const EngineSet& engines, const VariantTable& variants, std::function<void(SolveNews)> deliver);

  // Returns at once and cancels running and waiting jobs.
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
  std::function<void(SolveNews)> deliver_;
  Worker worker_;
};

}  // namespace sscope
