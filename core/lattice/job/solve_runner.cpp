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
      thread_([this](const std::stop_token& ending) { loop(ending); }) {}

SolveRunner::~SolveRunner() {
  thread_.request_stop();
  const std::lock_guard lock(mutex_);
  waiting_.reset();
  stop_.request_stop();
}

std::uint64_t SolveRunner::submit(SolveJob job, std::vector<SolvePlace> places) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t number = ++numbers_;
  stop_.request_stop();
  waiting_ = Numbered{number, std::move(job), std::move(places)};
  wake_.notify_all();
  return number;
}

void SolveRunner::cancel() {
  const std::lock_guard lock(mutex_);
  waiting_.reset();
  stop_.request_stop();
}

void SolveRunner::loop(const std::stop_token& ending) {
  while (true) {
    Numbered next;
    std::stop_token stop;
    {
      std::unique_lock lock(mutex_);
      if (!wake_.wait(lock, ending, [&] { return waiting_.has_value(); })) return;
      next = std::move(*waiting_);
      waiting_.reset();
      stop_ = std::stop_source();
      stop = stop_.get_token();
    }
    execute(next, stop);
  }
}

void SolveRunner::execute(const Numbered& numbered, const std::stop_token& stop) {
  SolveUpdate update;
  update.request = numbered.number;
  try {
    SolveReference reference;
    for (std::size_t place = 0; place < numbered.places.size(); ++place) {
      reference.wanted = place + 1 < numbered.places.size();
      solveAt(numbered, place, reference, stop);
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

void SolveRunner::solveAt(const Numbered& numbered, std::size_t place, SolveReference& reference,
                          const std::stop_token& stop) {
  const auto updateOf = [&](SolveUpdate::Stage stage) {
    SolveUpdate update;
    update.stage = stage;
    update.request = numbered.number;
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
        solveOn(engines_, variants_, numbered.places[place], numbered.job, reference, stop, watch));
  } catch (const Canceled&) {
    tell();
    throw;
  }
  tell();
  deliver_(std::move(done));
}

}  // namespace sscope
