#pragma once
// What one rank does of a computation that ranks do together, for timing it over and over.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/base/control.h"
#include "core/measure/verify.h"
#include "core/options/option.h"
#include "core/parts/communicator.h"
#include "core/parts/plane_exchange.h"
#include "core/volume/element_type.h"
#include "core/volume/losses.h"
#include "core/workload/workload.h"

namespace sscope::reach {

// Seconds of a run on this rank; what overlaps counts as computing.
struct ShareTimes {
  double exchange = 0;  // waiting for what other ranks send
  double compute = 0;
};

struct ShareFacts {
  std::string engine, variant;
  int threads = 1;             // of the processor
  ArraySpec whole;             // the input of all ranks together
  Work work;                   // of all ranks together, halos not counted
  std::int64_t sentBytes = 0;  // to other ranks, in one run
  std::int64_t messages = 0;   // that those bytes are
  std::int64_t sums = 0;       // over all ranks, in one run
  double computed = 1;         // elements computed, halos included, over those that are this rank's
};

class RankShare {
 public:
  virtual ~RankShare() = default;
  // Every rank: once more, from the same input. Throws what exchanging and computing throw.
  virtual ShareTimes run(Communicator& communicator, const Control& control) = 0;
  // Fills this rank's outputs with what no run leaves there (core/measure/verify.h).
  virtual void poison(std::uint8_t pattern) = 0;
  // Every rank: compares what the last run left with the reference.
  [[nodiscard]] virtual Verification verify(Communicator& communicator, const VerifyOptions& options,
                                            const Control& control) = 0;
  // Known after a run.
  [[nodiscard]] virtual ShareFacts facts() const = 0;
};

// What every share is made for.
struct ShareRequest {
  std::string variant;  // empty: the engine's first
  std::uint64_t seed = 1;
  int threads = 0;        // of the processor; 0: all
  OptionValues values{};  // of the variant
};

// Whether the planes that a rank has received are those of the whole.

// Of noise (core/workload/noise.h), which anybody can make again: "the planes 4 to 6 that were received are wrong", or
// empty. What a rank computes from a wrong halo agrees with the reference on that halo. `slots`: the place of slot 0.
// Throws Canceled, Error(Memory).
[[nodiscard]] std::string wrongHalo(std::span<const WantedPlanes> wanted, const std::byte* slots,
                                    std::int64_t planeBytes, ElementType type, std::uint64_t seed,
                                    const Control& control);

// What ranks have compared with the reference and what values have lost, each rank its part, as one.

// Every rank, with what it found of as many outputs: all together (core/measure/judged_parts.h). The same on all ranks
// but for words of a coverage that does not count.
[[nodiscard]] Verification worstOfRanks(const Verification& own, Communicator& ranks, const Control& control);

// Every rank: the sums of what the values of all have lost, each those of its part.
[[nodiscard]] ResultLosses ofAllRanks(const ResultLosses& own, Communicator& ranks, const Control& control);

}  // namespace sscope::reach
