#include "core/wavelet/job/wavelet_runner.h"

#include <utility>

#include "core/base/error.h"
#include "core/base/words.h"

namespace sscope {

namespace {
// A run of up to this length is not worth stopping for the next position of a slider.
constexpr double kShortSeconds = 0.05;
// For smaller data the whole takes no longer than slices.
constexpr std::int64_t kPreviewVoxels = 1 << 21;
}  // namespace

WaveletRunner::WaveletRunner(const EngineSet& engines, const VariantTable& variants,
                             std::function<void(WaveletNews)> deliver)
    : engines_(engines),
      variants_(variants),
      deliver_(std::move(deliver)),
      pipeline_(engines, variants),
      worker_([this](const Wish& wish, const Worker::Turn& turn) { execute(wish, turn); },
              [this](const Wish& running, const Wish& next) { return goesOn(running, next); }) {}

bool WaveletRunner::goesOn(const Wish& running, const Wish& next) const {
  const auto* now = std::get_if<WaveletJob>(&running);
  const auto* then = std::get_if<WaveletJob>(&next);
  return now != nullptr && then != nullptr && !verifying_ && lastSeconds_ < kShortSeconds && sameForward(*then, *now);
}

void WaveletRunner::execute(const Wish& wish, const Worker::Turn& turn) {
  WaveletNews news{turn.number, IdleNews{}};
  try {
    if (const auto* job = std::get_if<WaveletJob>(&wish)) {
      transform(*job, turn);
      verifying_ = false;
      return;
    }
    runRace(std::get<WaveletRace>(wish), turn);
  } catch (const Canceled&) {
    verifying_ = false;
    if (!worker_.canceled()) return;
    news.what = CanceledNews{};
  } catch (const std::exception& error) {
    verifying_ = false;
    news.what = FailedNews{wordsOf(error)};
  }
  deliver_(std::move(news));
}

Control WaveletRunner::controlOf(const Worker::Turn& turn, bool racing) const {
  Control control;
  control.stop = turn.stop;
  control.progress = [this, number = turn.number, racing](double fraction, std::string_view stage) {
    deliver_({number, ProgressNews{fraction, gate_.open() || !racing ? std::string(stage) : kWaiting}});
  };
  return control;
}

void WaveletRunner::transform(const WaveletJob& job, const Worker::Turn& turn) {
  const Control control = controlOf(turn, false);
  if (job.settings.transform == "dwt" && job.input && job.input->shape().voxels() >= kPreviewVoxels) {
    pipeline_.transform(job, control);
    deliver_({turn.number, WaveletSlices(pipeline_.preview(job, {turn.canceled, {}}))});
    control.check();
  }
  const std::shared_ptr<const WaveletResult> result = pipeline_.run(job, control);
  if (result->forwardReused) lastSeconds_ = result->seconds;
  verifying_ = true;  // a newer setting now stops the work
  deliver_({turn.number, WaveletReady{result}});
  if (worker_.superseded()) return;
  deliver_({turn.number, WaveletVerified{result, pipeline_.verifyLast({turn.stop, {}})}});
}

void WaveletRunner::runRace(const WaveletRace& race, const Worker::Turn& turn) {
  const Control control = controlOf(turn, true);
  const auto [workload, input] = pipeline_.firstDirection(race.job, control);
  compare::RaceOptions how = compare::shortRace(race.repetitions, 0, race.job.threads);
  how.verify.fullBudgetSeconds = kVerifySeconds;
  static_cast<void>(compare::executeRace(
      {engines_, variants_, gate_}, {workload, input, race.contenders, how},
      [&](compare::RaceEvent event) {
        deliver_({turn.number, std::move(event)});
      },
      control));
}

}  // namespace sscope
