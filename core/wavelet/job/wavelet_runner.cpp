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
      thread_([this](const std::stop_token& ending) { loop(ending); }) {}

WaveletRunner::~WaveletRunner() {
  thread_.request_stop();
  const std::lock_guard lock(mutex_);
  waiting_.reset();
  stop_.request_stop();
  previewStop_.request_stop();
}

std::uint64_t WaveletRunner::submit(WaveletJob job, std::vector<std::string> compare) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t number = ++numbers_;
  canceled_ = false;
  if (working_ && (verifying_ || !(lastSeconds_ < kShortSeconds && sameForward(job, running_)))) stop_.request_stop();
  waiting_ = Numbered{number, std::move(job), std::move(compare)};
  wake_.notify_all();
  return number;
}

void WaveletRunner::cancel() {
  const std::lock_guard lock(mutex_);
  waiting_.reset();
  canceled_ = true;
  stop_.request_stop();
  previewStop_.request_stop();
}

void WaveletRunner::loop(const std::stop_token& ending) {
  while (true) {
    Numbered next;
    std::stop_token stop, previewStop;
    {
      std::unique_lock lock(mutex_);
      working_ = verifying_ = false;
      if (!wake_.wait(lock, ending, [&] { return waiting_.has_value(); })) return;
      next = std::move(*waiting_);
      waiting_.reset();
      running_ = next.job;
      working_ = true;
      stop_ = std::stop_source();
      stop = stop_.get_token();
      previewStop_ = std::stop_source();
      previewStop = previewStop_.get_token();
    }
    execute(next, stop, previewStop);
  }
}

void WaveletRunner::execute(const Numbered& numbered, const std::stop_token& stop, const std::stop_token& previewStop) {
  WaveletUpdate update;
  update.request = numbered.number;
  Control control;
  control.stop = stop;
  control.progress = [&](double fraction, std::string_view stage) {
    WaveletUpdate progress;
    progress.stage = WaveletUpdate::Stage::Progress;
    progress.request = numbered.number;
    progress.message = stage;
    progress.fraction = fraction;
    deliver_(std::move(progress));
  };
  try {
    if (numbered.job.settings.transform == "dwt" && numbered.job.input &&
        numbered.job.input->shape().voxels() >= kPreviewVoxels) {
      pipeline_.transform(numbered.job, control);
      WaveletUpdate preview;
      preview.stage = WaveletUpdate::Stage::Preview;
      preview.request = numbered.number;
      preview.preview = pipeline_.preview(numbered.job, {previewStop, {}});
      deliver_(std::move(preview));
      control.check();
    }
    update.result = pipeline_.run(numbered.job, control);
    bool superseded = false;
    {
      const std::lock_guard lock(mutex_);
      if (update.result->forwardReused) lastSeconds_ = update.result->seconds;
      superseded = waiting_.has_value();
      verifying_ = !superseded;
    }
    if (!superseded) {
      deliver_(update);
      update.verification = pipeline_.verifyLast({stop, {}});
      update.stage = WaveletUpdate::Stage::Verified;
      deliver_(update);
      compare(numbered, {stop, {}});
      return;
    }
  } catch (const Canceled&) {
    const std::lock_guard lock(mutex_);
    if (!canceled_) return;
    update.stage = WaveletUpdate::Stage::Canceled;
  } catch (const std::exception& error) {
    update.stage = WaveletUpdate::Stage::Failed;
    update.message = wordsOf(error);
  }
  deliver_(std::move(update));
}

void WaveletRunner::compare(const Numbered& numbered, const Control& control) {
  for (const std::string& engine : numbered.compare) {
    if (engine == numbered.job.engine) continue;
    WaveletUpdate update;
    update.stage = WaveletUpdate::Stage::Compared;
    update.request = numbered.number;
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
