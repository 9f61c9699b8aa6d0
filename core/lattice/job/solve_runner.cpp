#include "core/lattice/job/solve_runner.h"

#include <utility>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/base/words.h"

namespace sscope {

namespace {

// Iterations may take microseconds: their residuals are reported in batches, at most this often.
constexpr double kReportSeconds = 0.03;

}  // namespace

SolveRunner::SolveRunner(const EngineSet& engines, const VariantTable& variants, std::function<void(SolveNews)> deliver)
    : engines_(engines),
      variants_(variants),
      deliver_(std::move(deliver)),
      worker_([this](const Wish& wish, const Worker::Turn& turn) { execute(wish, turn); }) {}

void SolveRunner::execute(const Wish& wish, const Worker::Turn& turn) {
  SolveNews news{turn.number, IdleNews{}};
  try {
    SolveReference reference;
    for (std::size_t place = 0; place < wish.places.size(); ++place) {
      reference.wanted = place + 1 < wish.places.size();
      solveAt(wish, place, reference, turn);
    }
  } catch (const Canceled&) {
    news.what = CanceledNews{};
  } catch (const std::exception& error) {
    news.what = FailedNews{wordsOf(error)};
  }
  deliver_(std::move(news));
}

void SolveRunner::solveAt(const Wish& wish, std::size_t place, SolveReference& reference, const Worker::Turn& turn) {
  std::vector<SolvePoint> untold;
  Stopwatch since;
  const auto reportPoints = [&] {
    since.restart();
    if (untold.empty()) return;
    deliver_({turn.number, SolvePoints{place, std::exchange(untold, {})}});
  };
  SolveWatch watch;
  watch.point = [&](const SolvePoint& point) {
    untold.push_back(point);
    if (since.seconds() >= kReportSeconds) reportPoints();
  };
  watch.step = [&](std::string_view step) { deliver_({turn.number, SolveStep{place, std::string(step)}}); };
  watch.untraced = [&](const SolveRun& run) {
    reportPoints();
    deliver_({turn.number, SolveDone{place, std::make_shared<const SolveRun>(run), true}});
  };
  SolveDone done;
  done.place = place;
  try {
    done.run = std::make_shared<const SolveRun>(
        solveOn(engines_, variants_, wish.places[place], wish.job, reference, turn.stop, watch));
  } catch (const Canceled&) {
    reportPoints();
    throw;
  }
  reportPoints();
  deliver_({turn.number, std::move(done)});
}

}  // namespace sscope
