#include "ui/rooms/compare/race_model.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "ui/base/event_bridge.h"
#include "ui/base/text.h"
#include "ui/views/auto_window.h"

namespace sscope {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kGlance{5};

}  // namespace

// What the race's thread leaves for the window's.
struct RaceModel::Mail {
  std::shared_ptr<QuietGate> gate;
  std::mutex mutex;
  struct Entry {
    Clock::time_point at;
    compare::RaceEvent event;
  };
  std::vector<Entry> events;
  Work work;
  double fraction = -1;
  std::string stage;

  void put(compare::RaceEvent event) {
    const std::scoped_lock lock(mutex);
    events.push_back({Clock::now(), std::move(event)});
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
  connect(&quiet_, &QuietRelay::paused, this, &RaceModel::collect);
  connect(&quiet_, &QuietRelay::quietChanged, this, [this](bool quiet) {
    if (quiet)
      pull_.stop();
    else if (running_)
      pull_.start();
    Q_EMIT quietChanged(quiet);
  });
  connect(&task_, &BackgroundTask::finished, this, [this] { end(tr("done")); });
  connect(&task_, &BackgroundTask::canceled, this, [this] { end(tr("canceled")); });
  connect(&task_, &BackgroundTask::failed, this, [this](const QString& message) {
    Q_EMIT failed(message);
    end(message);
  });
}

void RaceModel::run(const RaceJob& job, const std::vector<BenchRow>& contenders) {
  quiet_.begin();
  mail_ = std::make_shared<Mail>();
  mail_->gate = quiet_.gate();
  comparison_.reset();
  recipe_ = job.what.recipe;
  scene_ = {job.what.input ? job.what.input->geometry() : Geometry{}, job.output, job.plane};
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
  how.threads = job.what.threads;
  const auto emit = [mail = mail_, listen = quiet_.listener()](const compare::RaceEvent& event) {
    mail->put(event);
    listen(event);
  };
  task_.start([this, job, contenders, how, mail = mail_, emit](const Control& control) {
    return race(job, contenders, how, mail, emit, control);
  });
  pull_.start();
}

BackgroundTask::Finish RaceModel::race(const RaceJob& job, const std::vector<BenchRow>& contenders,
                                       const compare::RaceOptions& how, const std::shared_ptr<Mail>& mail,
                                       const compare::EmitRace& emit, const Control& control) {
  const std::scoped_lock alone(alone_);
  for (; othersAtWork && othersAtWork(); std::this_thread::sleep_for(kGlance)) control.check();
  const Control reporting{control.stop,
                          [mail](double fraction, std::string_view stage) { mail->report(fraction, stage); }};
  const compare::Case made = withData(job.what, reporting);
  {
    const std::scoped_lock lock(mail->mutex);
    mail->work = made.workload->work();
  }
  auto result = std::make_shared<compare::Comparison>();
  result->version = SSCOPE_VERSION;
  result->machine = thisMachine();
  result->engines = toolbox_.engines->infos();
  std::erase_if(result->engines, [](const EngineInfo& info) { return info.isPeer(); });
  result->contenders = contenders;
  result->how = how;
  result->lanes = compare::executeRace({*toolbox_.engines, *toolbox_.variants, *mail->gate},
                                       {made.workload, made.input, contenders, how}, emit, reporting);
  result->recipe = completed(made, reporting);
  result->date = isoTime();
  return [this, result] {
    collect();
    comparison_ = result;
    recipe_ = result->recipe;
  };
}

void RaceModel::cancel() { task_.cancel(); }

void RaceModel::collect() {
  std::vector<Mail::Entry> events;
  {
    const std::scoped_lock lock(mail_->mutex);
    events.swap(mail_->events);
    work_ = mail_->work;
    fraction_ = mail_->fraction;
    if (!mail_->stage.empty()) stage_ = toQt(mail_->stage);
  }
  for (const Mail::Entry& entry : events) apply(entry.event, entry.at, lanes_, scene_);
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

void RaceModel::end(const QString& how) {
  pull_.stop();
  running_ = false;
  quiet_.end();
  fraction_ = 1;
  stage_.clear();
  const double seconds = static_cast<double>(clock_.elapsed()) * 1e-3;
  Q_EMIT moved();
  Q_EMIT ended(tr("race of %n lane(s): %1 after %2", nullptr, static_cast<int>(lanes_.size()))
                   .arg(how, toQt(compare::durationText(seconds))));
}

}  // namespace sscope

#include "moc_race_model.cpp"
