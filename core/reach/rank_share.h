#pragma once
// The part of one rank in a computation of several ranks, for repeated timing, and checks that ranks share.

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

// Seconds of a run on this rank; overlapping time counts as computing.
struct ShareTimes {
  double exchange = 0;  // waiting for messages of other ranks
  double compute = 0;
};

struct ShareFacts {
  std::string engine, variant;
  int threads = 1;             // of the processor
  ArraySpec whole;             // the input of all ranks together
  Work work;                   // of all ranks together, halos not counted
  std::int64_t sentBytes = 0;  // to other ranks, in one run
  std::int64_t messages = 0;   // with those bytes
  std::int64_t sums = 0;       // over all ranks, in one run
  double computed = 1;         // elements computed, halos included, divided by this rank's own
};

class RankShare {
 public:
  virtual ~RankShare() = default;
  // All ranks: repeats the computation from the same input. Throws what exchanging and computing throw.
  virtual ShareTimes run(Communicator& communicator, const Control& control) = 0;
  // Fills this rank's outputs with a pattern that no run produces (core/measure/verify.h).
  virtual void poison(std::uint8_t pattern) = 0;
  // All ranks: compares the outputs of the last run with the reference.
  [[nodiscard]] virtual Verification verify(Communicator& communicator, const VerifyOptions& options,
                                            const Control& control) = 0;
  // Valid after a run.
  [[nodiscard]] virtual ShareFacts facts() const = 0;
};

// The request for which every share is made.
struct ShareRequest {
  std::string variant;  // empty: the engine's first
  std::uint64_t seed = 1;
  int threads = 0;        // of the processor; 0: all
  OptionValues values{};  // of the variant
};

// Compares received planes with the noise (core/workload/noise.h) of the whole, which every rank can generate: "the
// planes 4 to 6 that were received are wrong", or empty. This is needed because results from a wrong halo agree with
// the reference on that halo. `slots`: the address of slot 0. Throws Canceled, Error(Memory).
[[nodiscard]] std::string wrongHalo(std::span<const WantedPlanes> wanted, const std::byte* slots,
                                    std::int64_t planeBytes, ElementType type, std::uint64_t seed,
                                    const Control& control);

// All ranks: joins the verifications of their parts of the same outputs (core/measure/judged_parts.h). All ranks get
// the same result, except for the words of a coverage that counts nothing.
[[nodiscard]] Verification worstOfRanks(const Verification& own, Communicator& ranks, const Control& control);

// All ranks: the sums of the losses of all parts.
[[nodiscard]] ResultLosses ofAllRanks(const ResultLosses& own, Communicator& ranks, const Control& control);

}  // namespace sscope::reach
