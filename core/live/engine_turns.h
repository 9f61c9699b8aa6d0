#pragma once
// Engines timed against each other beside the window: after a warm-up each, whose output is verified, they take turns
// (A B A B) while nothing else of the program runs. What they compute is the room's affair.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/engine/run_report.h"
#include "core/live/quiet_gate.h"
#include "core/measure/other_load.h"
#include "core/measure/verify.h"

namespace sscope {

// Of what ranks engines: fewer make no median worth the name.
inline constexpr int kQuietRepetitions = 5;

struct Contest {
  struct Contestant {
    std::string engine, variant;  // variant empty: the default
    int samples = 0;              // that are there already
  };
  std::vector<Contestant> contestants;
  int repetitions = kQuietRepetitions;  // wanted of each
};

// What a contestant runs, ready on its engine.
class TimedRun {
 public:
  TimedRun() = default;
  TimedRun(const TimedRun&) = delete;
  TimedRun& operator=(const TimedRun&) = delete;
  virtual ~TimedRun() = default;
  // Computes every output anew; phases.total of the report is the wall time of this run alone.
  virtual RunReport run(const Control& control) = 0;
  // Compares the outputs of the last run with the reference.
  virtual Verification verify(const Control& control) = 0;
};

// One engine's news.
struct TurnsUpdate {
  bool warmedUp = false;      // report is of the first run, compile and upload included; verification is of its output
  RunReport report;           // else: of a sample; phases.total is its wall time, phases.compile 0
  Verification verification;  // of the warm-up
  bool disturbed = false;     // a sample beside other load (core/measure/other_load.h)
  std::string failure;        // not empty: report.engine takes no part, and why
};

class EngineTurns {
 public:
  // Makes a contestant ready. The outputs, which contestants may share, hold nothing of what another engine left there
  // until its first run. Throws what keeps the contestant out, or Canceled.
  using Prepare =
      std::function<std::unique_ptr<TimedRun>(const Contest::Contestant& contestant, const Control& control)>;

  // Everything handed in outlives run(). `tell` is called on the thread of run(), in order.
  EngineTurns(const Contest& contest, Prepare prepare, QuietGate& gate, const Control& control,
              std::function<void(TurnsUpdate)> tell);
  // Until each contestant has its repetitions. Throws Canceled; a contestant's own failure is told.
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
  // Tells the samples of the last moments, and whether other load was beside them.
  void settle();

  Prepare prepare_;
  QuietGate& gate_;
  const Control& control_;
  const Control quiet_;  // stops alike, reports nothing
  std::function<void(TurnsUpdate)> tell_;
  std::vector<Seat> seats_;
  int repetitions_;
  std::vector<TurnsUpdate> waiting_;
  OtherLoadWatch load_;
};

}  // namespace sscope
