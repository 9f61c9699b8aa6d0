#include "core/wavelet/job/wavelet_runner.h"

#include <utility>

#include "core/base/error.h"
#include "core/base/error_words.h"

namespace sscope {

namespace {
// A run of up to this length is not worth stopping for the next position of a slider.
constexpr double kShortSeconds = 0.05;
// Of smaller data the whole is there as soon as slices are.
constexpr std::int64_t kPreviewVoxels = 1 << 21;
}  // namespace

WaveletRunner::WaveletRunner(const EngineSet& engines, const VariantTable& variants,
                             std::function<void(WaveletUpdate)> deliver)
    : deliver_(std::move(deliver)),
      pipeline_(engines, variants),
      worker_([this](const Wish& wish, const Worker::Turn& turn) { execute(wish, turn); },
              [this](const Wish& running, const Wish& next) { return goesOn(running, next); }) {}

bool WaveletRunner::goesOn(const Wish& running, const Wish& next) const {
  const auto* now = std::get_if<WaveletJob>(&running);
  const auto* then = std::get_if<WaveletJob>(&next);
  return now != nullptr && then != nullptr && !verifying_ && lastSeconds_ < kShortSeconds && sameForward(*then, *now);
}

void WaveletRunner::execute(const Wish& wish, const Worker::Turn& turn) {
  WaveletUpdate update;
  update.request = turn.number;
  try {
    if (const auto* job = std::get_if<WaveletJob>(&wish)) {
      transform(*job, turn);
      verifying_ = false;
      return;
    }
    race(std::get<WaveletContest>(wish), turn);
    update.stage = WaveletUpdate::Stage::Idle;
  } catch (const Canceled&) {
    verifying_ = false;
    if (!worker_.canceled()) return;
    update.stage = WaveletUpdate::Stage::Canceled;
  } catch (const std::exception& error) {
    verifying_ = false;
    update.stage = WaveletUpdate::Stage::Failed;
    update.message = wordsOf(error);
  }
  deliver_(std::move(update));
}

Control WaveletRunner::controlOf(const Worker::Turn& turn) const {
  Control control;
  control.stop = turn.stop;
  control.progress = [this, number = turn.number](double fraction, std::string_view stage) {
    WaveletUpdate progress;
    progress.stage = WaveletUpdate::Stage::Progress;
    progress.request = number;
    progress.message = stage;
    progress.fraction = fraction;
    deliver_(std::move(progress));
  };
  return control;
}

void WaveletRunner::transform(const WaveletJob& job, const Worker::Turn& turn) {
  const Control control = controlOf(turn);
  if (job.settings.transform == "dwt" && job.input && job.input->shape().voxels() >= kPreviewVoxels) {
    pipeline_.transform(job, control);
    WaveletUpdate preview;
    preview.stage = WaveletUpdate::Stage::Preview;
    preview.request = turn.number;
    preview.preview = pipeline_.preview(job, {turn.canceled, {}});
    deliver_(std::move(preview));
    control.check();
  }
  WaveletUpdate update;
  update.request = turn.number;
  update.result = pipeline_.run(job, control);
  if (update.result->forwardReused) lastSeconds_ = update.result->seconds;
  verifying_ = true;  // from here on a newer setting stops the work
  deliver_(update);
  if (worker_.superseded()) return;
  update.verification = pipeline_.verifyLast({turn.stop, {}});
  update.stage = WaveletUpdate::Stage::Verified;
  deliver_(std::move(update));
}

void WaveletRunner::race(const WaveletContest& contest, const Worker::Turn& turn) {
  const Control control = controlOf(turn);
  EngineTurns turns(contest.contest, pipeline_.preparing(contest.job, control), gate_, control, [&](TurnsUpdate news) {
    WaveletUpdate update;
    update.stage = WaveletUpdate::Stage::Turn;
    update.request = turn.number;
    update.turn = std::move(news);
    deliver_(std::move(update));
  });
  turns.run();
}

}  // namespace sscope
