#include "ui/rooms/compare/race_model.h"

#include <QMetaObject>
#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "core/live/news.h"
#include "ui/base/event_bridge.h"
#include "ui/base/text.h"
#include "ui/views/auto_window.h"

namespace sscope {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kGlance{5};
// During quiet repetitions the window is told of them so often, between two of them.
constexpr std::chrono::milliseconds kBreath{400};

}  // namespace

// What the race's thread leaves for the window's.
struct RaceModel::Mail {
  std::uint64_t number = 0;
  std::shared_ptr<QuietGate> gate = std::make_shared<QuietGate>();
  std::mutex mutex;
  std::vector<compare::RaceEvent> events;
  double fraction = -1;
  std::string stage;
  // Of the race's thread alone.
  Clock::time_point breathed;

  void put(compare::RaceEvent event) {
    const std::scoped_lock lock(mutex);
    events.push_back(std::move(event));
  }
  void report(double done, std::string_view doing) {
    const std::scoped_lock lock(mutex);
    fraction = done;
    stage = doing;
  }
};

RaceModel::RaceModel(const Toolbox& toolbox, QWidget& window, QObject* parent)
    : QObject(parent), toolbox_(toolbox), quiet_(window) {
  pull_.setInterval(kProgressMilliseconds);
  connect(&pull_, &QTimer::timeout, this, &RaceModel::collect);
  connect(&task_, &BackgroundTask::finished, this, [this] { end(tr("done")); });
  connect(&task_, &BackgroundTask::canceled, this, [this] { end(tr("canceled")); });
  connect(&task_, &BackgroundTask::failed, this, [this](const QString& message) {
    Q_EMIT failed(message);
    end(message);
  });
}

RaceModel::~RaceModel() { quiet_.end(); }

void RaceModel::run(const RaceJob& job, const std::vector<BenchRow>& contenders) {
  endQuiet();
  mail_ = std::make_shared<Mail>();
  mail_->number = ++number_;
  comparison_.reset();
  recipe_ = job.recipe;
  scene_ = {job.volume ? job.volume->geometry() : Geometry{}, job.output, job.plane};
  lanes_.clear();
  seen_ = 0;
  for (const BenchRow& contender : contenders) {
    LaneState& lane = lanes_.emplace_back();
    lane.contender = contender;
    if (const EngineInfo* info = toolbox_.engines->find(contender.engine)) {
      lane.engine = *info;
    } else {
      lane.engine.id = contender.engine;
      lane.engine.absentReason = fromQt(tr("this machine has no such engine"));
    }
  }
  fraction_ = -1;
  stage_ = tr("preparing");
  clock_.start();
  running_ = true;
  Q_EMIT moved();  // first: whoever draws holds pictures of the lanes that are gone
  Q_EMIT started();
  compare::RaceOptions how = timing;
  how.threads = job.threads;
  task_.start([this, job, contenders, how, mail = mail_](const Control& control) {
    return race(job, contenders, how, mail, control);
  });
  pull_.start();
}

BackgroundTask::Finish RaceModel::race(const RaceJob& job, const std::vector<BenchRow>& contenders,
                                       const compare::RaceOptions& how, const std::shared_ptr<Mail>& mail,
                                       const Control& control) {
  const std::scoped_lock alone(computing_);
  for (; othersAtWork && othersAtWork(); std::this_thread::sleep_for(kGlance)) control.check();
  const Control told{control.stop, [mail](double fraction, std::string_view stage) { mail->report(fraction, stage); }};
  const std::shared_ptr<const Volume> volume =
      job.volume ? job.volume : std::make_shared<const Volume>(compare::noiseOf(job.recipe.data, told));
  const std::shared_ptr<const Workload> workload =
      compare::makeWorkload(job.recipe, volume->spec(), volume->geometry());
  const auto call = [this, number = mail->number](void (RaceModel::*what)(std::uint64_t)) {
    QMetaObject::invokeMethod(
        this, [this, what, number] { (this->*what)(number); }, Qt::QueuedConnection);
  };
  // The window sleeps while a sample is taken: it is called between two of them, and the next one waits for it.
  const auto emit = [&](compare::RaceEvent event) {
    const auto* phase = std::get_if<compare::QuietPhase>(&event);
    const bool begins = phase != nullptr && phase->quiet, ends = phase != nullptr && !phase->quiet;
    const bool due = std::holds_alternative<compare::Repetition>(event) && Clock::now() - mail->breathed > kBreath;
    mail->put(std::move(event));
    if (begins || due) {
      mail->gate->setHeld(true);
      mail->breathed = Clock::now();
      call(begins ? &RaceModel::beginQuiet : &RaceModel::breathe);
    }
    if (ends) call(&RaceModel::leaveQuiet);
  };
  auto result = std::make_shared<compare::Comparison>();
  result->version = SSCOPE_VERSION;
  result->machine = thisMachine();
  result->engines = toolbox_.engines->infos();
  std::erase_if(result->engines, [](const EngineInfo& info) { return info.isPeer(); });
  result->contenders = contenders;
  result->how = how;
  result->lanes = compare::executeRace({*toolbox_.engines, *toolbox_.variants, *mail->gate},
                                       {workload, volume, contenders, how}, emit, told);
  result->recipe = compare::completed(job.recipe, *workload, *volume, told);
  result->date = isoTime();
  return [this, result] {
    collect();
    comparison_ = result;
    recipe_ = result->recipe;
  };
}

void RaceModel::cancel() { task_.cancel(); }

void RaceModel::collect() {
  std::vector<compare::RaceEvent> events;
  {
    const std::scoped_lock lock(mail_->mutex);
    events.swap(mail_->events);
    fraction_ = mail_->fraction;
    if (!mail_->stage.empty()) stage_ = toQt(mail_->stage);
  }
  for (const compare::RaceEvent& event : events) apply(event, lanes_, scene_);
  chooseWindow();
  Q_EMIT moved();
}

// That of the first picture, for all: they shall be compared.
void RaceModel::chooseWindow() {
  const auto lane = std::ranges::find_if(lanes_, [](const LaneState& each) { return !each.picture.empty(); });
  if (lane == lanes_.end() || lane->picture.parts() == seen_) return;
  seen_ = lane->picture.parts();
  window_ = automaticWindow(lane->picture.values());
}

void RaceModel::beginQuiet(std::uint64_t number) {
  if (number != number_ || !running_) return;
  pull_.stop();
  collect();
  quiet_.begin(mail_->gate);
  Q_EMIT quietChanged(true);
}

void RaceModel::breathe(std::uint64_t number) {
  if (number != number_ || !quiet_.active()) return;
  collect();
  quiet_.breathe();
}

void RaceModel::leaveQuiet(std::uint64_t number) {
  if (number == number_) endQuiet();
}

void RaceModel::endQuiet() {
  if (!quiet_.active()) return;
  quiet_.end();
  Q_EMIT quietChanged(false);
  if (running_) pull_.start();
}

void RaceModel::end(const QString& how) {
  pull_.stop();
  running_ = false;
  endQuiet();
  fraction_ = 1;
  stage_.clear();
  const double seconds = static_cast<double>(clock_.elapsed()) * 1e-3;
  Q_EMIT moved();
  Q_EMIT ended(tr("race of %n lane(s): %1 after %2", nullptr, static_cast<int>(lanes_.size()))
                   .arg(how, toQt(compare::durationText(seconds))));
}

}  // namespace sscope
