#pragma once
// Engines timed against each other beside the window: after a warm-up each, whose output is verified, they take turns
// (A B A B) while nothing else of the program runs.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/filter/job/filter_job.h"
#include "core/live/quiet_gate.h"
#include "core/measure/other_load.h"

namespace sscope {

// Of what ranks engines: fewer make no median worth the name.
inline constexpr int kQuietRepetitions = 5;

struct TurnsRequest {
  struct Contestant {
    std::string engine, variant;  // variant empty: the default
    int samples = 0;              // that are there already
  };
  std::shared_ptr<const Volume> input;
  std::uint64_t inputIdentity = 0;
  FilterBank bank;  // filters that do not fit the data are left out
  int threads = 0;
  std::vector<Contestant> contestants;
  int repetitions = kQuietRepetitions;  // wanted of each
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
  // Everything handed in outlives run(). `tell` is called on the thread of run(), in order.
  EngineTurns(const EngineSet& engines, const VariantTable& variants, const TurnsRequest& request, QuietGate& gate,
              const Control& control, std::function<void(TurnsUpdate)> tell);
  // Until each contestant has its repetitions. Throws Canceled; a contestant's own failure is told.
  void run();

 private:
  struct Seat {
    TurnsRequest::Contestant contestant;
    FilterJob job;
    std::optional<PreparedFilter> prepared;  // empty: out of the race
  };
  void warmUp(Seat& seat);
  void sample(Seat& seat);
  void report(const Seat& seat, const std::string& doing);
  void fail(Seat& seat, const std::string& why);
  // Tells the samples of the last moments, and whether other load was beside them.
  void settle();

  const EngineSet& engines_;
  const VariantTable& variants_;
  const TurnsRequest& request_;
  QuietGate& gate_;
  const Control& control_;
  const Control quiet_;  // stops alike, reports nothing
  std::function<void(TurnsUpdate)> tell_;
  std::vector<Seat> seats_;
  FilterResult room_;  // the outputs, shared by all
  std::vector<TurnsUpdate> waiting_;
  OtherLoadWatch load_;
};

}  // namespace sscope
