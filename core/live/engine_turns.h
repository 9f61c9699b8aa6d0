#pragma once
// Times engines against each other in the background: after a warm-up each, whose output is verified, they take turns
// (A B A B) while nothing else in the program runs. The room decides what they compute.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/engine/run_report.h"
#include "core/live/quiet_gate.h"
#include "core/measure/cpu_time.h"
#include "core/measure/verify.h"

namespace sscope {

// Samples per engine for a ranking; fewer do not give a useful median.
inline constexpr int kQuietRepetitions = 5;

struct Contest {
  struct Contestant {
    std::string engine, variant;  // variant empty: the default
    int samples = 0;              // taken already
  };
  std::vector<Contestant> contestants;
  int repetitions = kQuietRepetitions;  // samples wanted from each engine
};

// A contestant's computation, prepared on its engine.
class TimedRun {
 public:
  TimedRun() = default;
  TimedRun(const TimedRun&) = delete;
  TimedRun& operator=(const TimedRun&) = delete;
  virtual ~TimedRun() = default;
  // Computes all outputs again; phases.total of the report is the wall time of this run only.
  virtual RunReport run(const Control& control) = 0;
  // Compares the outputs of the last run with the reference.
  virtual Verification verify(const Control& control) = 0;
};

// An update about one engine.
struct TurnsUpdate {
  bool warmedUp = false;      // report is of the first run, including compile and upload; verification is of its output
  RunReport report;           // otherwise of a sample: phases.total is its wall time, phases.compile is 0
  Verification verification;  // of the warm-up
  bool disturbed = false;     // the sample was taken under other load (core/measure/cpu_time.h)
  std::string failure;        // not empty: why report.engine does not take part
};

class EngineTurns {
 public:
  // Prepares a contestant. Contestants may share outputs, so their content is invalid until its first run. Throws the
  // error that excludes the contestant, or Canceled.
  using Prepare =
      std::function<std::unique_ptr<TimedRun>(const Contest::Contestant& contestant, const Control& control)>;

  // All arguments must outlive run(). `tell` is called on run()'s thread, in order.
  EngineTurns(const Contest& contest, Prepare prepare, QuietGate& gate, const Control& control,
              std::function<void(TurnsUpdate)> tell);
  // Runs until each contestant has its repetitions. Throws Canceled; a contestant's failure is reported through `tell`.
  void run();

 private:
  struct Seat {
    Contest::Contestant contestant;
    std::unique_ptr<TimedRun> prepared;  // null: out of the race
  };
  void warmUp(Seat& seat);
  void sample(Seat& seat);
  void report(const Seat& seat, const std::string& doing);
  void fail(Seat& seat, const std::string& why);
  // Reports the latest samples, and whether there was other load meanwhile.
  void settle();

  Prepare prepare_;
  QuietGate& gate_;
  const Control& control_;
  const Control quiet_;  // stops with the caller's control, reports no progress
  std::function<void(TurnsUpdate)> tell_;
  std::vector<Seat> seats_;
  int repetitions_;
  std::vector<TurnsUpdate> waiting_;
  OtherLoadWatch load_;
};

}  // namespace sscope
