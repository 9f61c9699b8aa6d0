#include "ui/rooms/compare/load_monitor.h"

#include <utility>

#include "core/compare/whole_result.h"
#include "ui/base/text.h"

namespace sscope {

namespace {

constexpr int kTickMilliseconds = 500;

}  // namespace

LoadMonitor::LoadMonitor(const EngineSet& engines, RaceModel& race, LookRunner& looks, DeviceLoads deviceLoad,
                         QObject* parent)
    : QObject(parent), race_(race), deviceLoad_(std::move(deviceLoad)) {
  for (const EngineInfo& info : engines.infos())
    if (info.available() && info.isDevice() && !info.isProcessor) devices_.push_back(info.id);
  tick_.setInterval(kTickMilliseconds);
  connect(&tick_, &QTimer::timeout, this, &LoadMonitor::sample);
  connect(&race_, &RaceModel::started, this, [this] { counted_.clear(); });
  connect(&race_, &RaceModel::moved, this, [this] {
    takeRuns();
    if (race_.quiet()) sample();
  });
  connect(&race_, &RaceModel::quietChanged, this, &LoadMonitor::follow);
  connect(&looks, &LookRunner::paused, this, &LoadMonitor::sample);
  connect(&looks, &LookRunner::quietChanged, this, &LoadMonitor::follow);
}

void LoadMonitor::setShown(bool shown) {
  shown_ = shown;
  follow(quiet_);
}

void LoadMonitor::follow(bool quiet) {
  quiet_ = quiet;
  if (shown_ && !quiet)
    tick_.start();
  else
    tick_.stop();
}

void LoadMonitor::sample() {
  if (!shown_ || task_.working()) return;
  task_.start([this](const Control& control) -> BackgroundTask::Finish {
    Moment moment;
    moment.machine = sampler_.sample();
    for (const std::string& id : devices_) {
      control.check();
      if (!deviceLoad_) break;
      if (auto load = deviceLoad_(id)) moment.devices[id] = *load;
    }
    moment.at = Clock::now();
    return [this, moment = std::move(moment)] {
      moments_.push_back(moment);
      const Clock::time_point oldest = moment.at - kKept;
      while (moments_.front().at < oldest) moments_.pop_front();
      while (!runs_.empty() && runs_.front().at < oldest) runs_.pop_front();
      Q_EMIT changed();
    };
  });
}

void LoadMonitor::takeRuns() {
  const std::vector<LaneState>& lanes = race_.lanes();
  counted_.resize(lanes.size());
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const LaneState& lane = lanes[i];
    for (std::size_t k = std::exchange(counted_[i], lane.repeated.size()); k < lane.repeated.size(); ++k) {
      const double seconds = lane.repeated[k].kernel > 0 ? lane.repeated[k].kernel : lane.totals[k];
      if (!(seconds > 0)) continue;
      runs_.push_back({lane.repeatedAt[k], lane.contender.engine, toQt(compare::laneName(lane.contender, "")),
                       race_.work().bytes / seconds * 1e-9, race_.work().operations / seconds * 1e-9});
    }
  }
}

}  // namespace sscope

#include "moc_load_monitor.cpp"
