#include "core/lattice/job/solve_runner.h"

#include <utility>

#include "core/base/error.h"
#include "core/base/error_words.h"
#include "core/base/stopwatch.h"

namespace sscope {

namespace {

// Iterations may take microseconds: their residuals are told together, at most so often.
constexpr double kTellSeconds = 0.03;

}  // namespace

SolveRunner::SolveRunner(const EngineSet& engines, const VariantTable& variants,
                         std::function<void(SolveUpdate)> deliver)
    : engines_(engines),
      variants_(variants),
      deliver_(std::move(deliver)),
      worker_([this](const Wish& wish, const Worker::Turn& turn) { execute(wish, turn); }) {}

void SolveRunner::execute(const Wish& wish, const Worker::Turn& turn) {
  SolveUpdate update;
  update.request = turn.number;
  try {
    SolveReference reference;
    for (std::size_t place = 0; place < wish.places.size(); ++place) {
      reference.wanted = place + 1 < wish.places.size();
      solveAt(wish, place, reference, turn);
    }
    update.stage = SolveUpdate::Stage::Finished;
  } catch (const Canceled&) {
    update.stage = SolveUpdate::Stage::Canceled;
  } catch (const std::exception& error) {
    update.stage = SolveUpdate::Stage::Failed;
    update.message = wordsOf(error);
  }
  deliver_(std::move(update));
}

void SolveRunner::solveAt(const Wish& wish, std::size_t place, SolveReference& reference, const Worker::Turn& turn) {
  const auto updateOf = [&](SolveUpdate::Stage stage) {
    SolveUpdate update;
    update.stage = stage;
    update.request = turn.number;
    update.place = place;
    return update;
  };
  std::vector<SolvePoint> untold;
  Stopwatch since;
  const auto tell = [&] {
    since.restart();
    if (untold.empty()) return;
    SolveUpdate update = updateOf(SolveUpdate::Stage::Points);
    update.points = std::exchange(untold, {});
    deliver_(std::move(update));
  };
  SolveWatch watch;
  watch.point = [&](const SolvePoint& point) {
    untold.push_back(point);
    if (since.seconds() >= kTellSeconds) tell();
  };
  watch.step = [&](std::string_view step) {
    SolveUpdate update = updateOf(SolveUpdate::Stage::Step);
    update.message = step;
    deliver_(std::move(update));
  };
  watch.untraced = [&](const SolveRun& run) {
    tell();
    SolveUpdate update = updateOf(SolveUpdate::Stage::Untraced);
    update.run = std::make_shared<const SolveRun>(run);
    deliver_(std::move(update));
  };
  SolveUpdate done = updateOf(SolveUpdate::Stage::Done);
  try {
    done.run = std::make_shared<const SolveRun>(
        solveOn(engines_, variants_, wish.places[place], wish.job, reference, turn.stop, watch));
  } catch (const Canceled&) {
    tell();
    throw;
  }
  tell();
  deliver_(std::move(done));
}

}  // namespace sscope
