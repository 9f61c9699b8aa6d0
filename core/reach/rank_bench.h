#pragma once
// Times what ranks do together: barriers between repetitions, the slowest rank's time counts, and every rank's output
// is compared with the reference.

#include <vector>

#include "core/reach/rank_share.h"

namespace sscope::reach {

struct RankBenchOptions {
  int repetitions = 7;         // at least so many
  double seconds = 0.3;        // repeated for at least this long
  double batchSeconds = 0.02;  // a sample of shorter runs is the mean of as many as take this long: ranks leave a
                               // barrier up to a millisecond apart
  VerifyOptions verify;
};

struct RankMeasurement {
  int ranks = 1;
  int devices = 0;                   // that the ranks share; 0: they compute on processors
  int batch = 1;                     // runs that each sample is the mean of
  std::vector<double> samples;       // seconds of a run, of the slowest rank
  double exchange = 0, compute = 0;  // medians, each of the rank that takes longest
  ShareFacts facts;             // of the first rank; messages, bytes and `computed` are those of the rank that has most
  Verification verification;    // the worst of all ranks
  double copyGbs = 0;           // what all ranks copy at once (copyTogether); 0: not measured
  double arithmeticGflops = 0;  // what all ranks compute at once in registers (computeTogether); 0: not measured
  // Median seconds of one process with as many threads as these ranks have together; 0: not measured.
  double threadsSeconds = 0;
};

// Every rank. The same on all of them. Throws Error(Device) on all where the output of one is wrong, and as
// RankShare::run().
[[nodiscard]] RankMeasurement benchShare(Communicator& communicator, RankShare& share, const RankBenchOptions& options,
                                         const Control& control);

}  // namespace sscope::reach
