#include "ui/rooms/compare/look_runner.h"

#include <chrono>
#include <thread>
#include <utility>

#include "core/compare/lane.h"
#include "ui/base/text.h"

namespace sscope {

namespace {

constexpr std::chrono::milliseconds kWindDown{5};

}  // namespace

LookRunner::LookRunner(const Toolbox& toolbox, QWidget& window, std::mutex& alone, QObject* parent)
    : QObject(parent), toolbox_(toolbox), alone_(alone), quiet_(window) {
  connect(&quiet_, &QuietRelay::paused, this, &LookRunner::paused);
  connect(&quiet_, &QuietRelay::quietChanged, this, &LookRunner::quietChanged);
  connect(&task_, &BackgroundTask::progressed, this, [this](double fraction, const QString& stage) {
    fraction_ = fraction;
    stage_ = stage;
    Q_EMIT moved();
  });
  connect(&task_, &BackgroundTask::finished, this, [this] { end(tr("done")); });
  connect(&task_, &BackgroundTask::canceled, this, [this] { end(tr("canceled")); });
  connect(&task_, &BackgroundTask::failed, this, [this](const QString& message) {
    Q_EMIT failed(message);
    end(message);
  });
}

void LookRunner::run(const QString& kind, const QString& title, Look look) {
  if (busy()) cancel();
  quiet_.begin();
  kind_ = kind;
  title_ = title;
  stage_.clear();
  fraction_ = -1;
  clock_.start();
  task_.start([this, look = std::move(look), gate = quiet_.gate(), tell = quiet_.listener()](const Control& control) {
    const std::scoped_lock alone(alone_);
    for (; othersAtWork && othersAtWork(); std::this_thread::sleep_for(kWindDown)) control.check();
    return look({*toolbox_.engines, *toolbox_.variants, *gate}, tell, control);
  });
  Q_EMIT started();
  Q_EMIT moved();
}

void LookRunner::cancel() { task_.cancel(); }

void LookRunner::end(const QString& how) {
  quiet_.end();
  fraction_ = 1;
  stage_.clear();
  const double seconds = static_cast<double>(clock_.elapsed()) * 1e-3;
  Q_EMIT ended(tr("%1: %2 after %3").arg(title_, how, toQt(compare::durationText(seconds))));
}

}  // namespace sscope

#include "moc_look_runner.cpp"
