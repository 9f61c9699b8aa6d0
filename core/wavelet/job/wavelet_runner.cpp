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
              [this](const Wish& running, const Wish& next) {
                return !verifying_ && lastSeconds_ < kShortSeconds && sameForward(next.job, running.job);
              }) {}

void WaveletRunner::execute(const Wish& wish, const Worker::Turn& turn) {
  WaveletUpdate update;
  update.request = turn.number;
  try {
    transform(wish, turn);
    verifying_ = false;
    return;
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

void WaveletRunner::transform(const Wish& wish, const Worker::Turn& turn) {
  Control control;
  control.stop = turn.stop;
  control.progress = [&](double fraction, std::string_view stage) {
    WaveletUpdate progress;
    progress.stage = WaveletUpdate::Stage::Progress;
    progress.request = turn.number;
    progress.message = stage;
    progress.fraction = fraction;
    deliver_(std::move(progress));
  };
  if (wish.job.settings.transform == "dwt" && wish.job.input && wish.job.input->shape().voxels() >= kPreviewVoxels) {
    pipeline_.transform(wish.job, control);
    WaveletUpdate preview;
    preview.stage = WaveletUpdate::Stage::Preview;
    preview.request = turn.number;
    preview.preview = pipeline_.preview(wish.job, {turn.canceled, {}});
    deliver_(std::move(preview));
    control.check();
  }
  WaveletUpdate update;
  update.request = turn.number;
  update.result = pipeline_.run(wish.job, control);
  if (update.result->forwardReused) lastSeconds_ = update.result->seconds;
  verifying_ = true;  // from here on a newer setting stops the work
  deliver_(update);
  if (worker_.superseded()) return;
  update.verification = pipeline_.verifyLast({turn.stop, {}});
  update.stage = WaveletUpdate::Stage::Verified;
  deliver_(std::move(update));
  compare(wish, turn);
}

void WaveletRunner::compare(const Wish& wish, const Worker::Turn& turn) {
  const Control control{turn.stop, {}};
  for (const std::string& engine : wish.compare) {
    if (engine == wish.job.engine) continue;
    WaveletUpdate update;
    update.stage = WaveletUpdate::Stage::Compared;
    update.request = turn.number;
    try {
      update.elsewhere = pipeline_.runElsewhere(engine, control);
    } catch (const Canceled&) {
      throw;
    } catch (const std::exception& error) {
      update.elsewhere.report.engine = engine;
      update.message = wordsOf(error);
    }
    control.check();
    deliver_(std::move(update));
  }
}

}  // namespace sscope
