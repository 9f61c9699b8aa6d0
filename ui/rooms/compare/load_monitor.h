#pragma once
// The machine's load in the last minute, and the runs of the race on the same clock.

#include <QObject>
#include <QString>
#include <QTimer>
#include <chrono>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "core/engine/engine.h"
#include "core/measure/machine_load.h"
#include "ui/base/background_task.h"
#include "ui/rooms/compare/look_runner.h"
#include "ui/rooms/compare/race_model.h"
#include "ui/rooms/room.h"

namespace sscope {

class LoadMonitor : public QObject {
  Q_OBJECT
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kKept{60};

  // All of them outlive it. `deviceLoad` may be empty.
  LoadMonitor(const EngineSet& engines, RaceModel& race, LookRunner& looks, DeviceLoads deviceLoad,
              QObject* parent = nullptr);

  struct Moment {
    Clock::time_point at;
    MachineLoad machine;
    std::map<std::string, DeviceLoad> devices;  // by the id of the engine
  };
  // A quoted run of a lane, without transfers.
  struct Run {
    Clock::time_point at;  // when it had ended
    std::string engine;
    QString lane;
    double gbs = 0, gflops = 0;  // compulsory bytes and counted operations over its time
  };
  [[nodiscard]] const std::deque<Moment>& moments() const { return moments_; }
  [[nodiscard]] const std::deque<Run>& runs() const { return runs_; }

  // Reads the load twice a second while the room is shown; while something is timed, only between two repetitions, and
  // the next one waits for it.
  void setShown(bool shown);

 Q_SIGNALS:
  void changed();

 private:
  void sample();
  void takeRuns();
  void follow(bool quiet);

  std::vector<std::string> devices_;  // ids of available engines that are no processors
  RaceModel& race_;
  DeviceLoads deviceLoad_;
  MachineLoadSampler sampler_;  // used by one worker at a time
  std::deque<Moment> moments_;
  std::deque<Run> runs_;
  std::vector<std::size_t> counted_;  // repetitions of each lane that are already among the runs
  QTimer tick_;
  bool shown_ = false, quiet_ = false;
  BackgroundTask task_;  // last: its thread ends before the rest goes
};

}  // namespace sscope
