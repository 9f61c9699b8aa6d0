#pragma once
// Planes that ranks send each other, so that each has what its part reads.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/parts/communicator.h"
#include "core/parts/partition.h"

namespace sscope::reach {

// Planes of the whole that a rank wants, and where it puts the first one: `slot` planes after a place of its own.
struct WantedPlanes {
  std::int64_t begin = 0, count = 0, slot = 0;
};

class PlaneExchange {
 public:
  // `owned`: of each rank, covering all planes. `wanted`: by each rank, beside those that are at their place already;
  // own planes are allowed.
  PlaneExchange(int rank, std::span<const Range> owned, std::span<const std::vector<WantedPlanes>> wanted);

  // Every rank. `own`: its planes, one after the other; `slots`: the place of slot 0; `keeps` owns both, as
  // Communicator's. What is sent must not be written until the exchange has ended.
  [[nodiscard]] std::unique_ptr<Exchange> begin(Communicator& communicator, const std::byte* own, std::byte* slots,
                                                std::int64_t planeBytes, std::shared_ptr<const void> keeps) const;

  // That this rank sends to others.
  [[nodiscard]] std::int64_t sentPlanes() const;
  [[nodiscard]] std::int64_t messages() const;

 private:
  struct Run {
    int other = 0;
    std::int64_t at = 0, count = 0;  // of own planes that are sent, of slots that are filled
  };
  int rank_;
  std::vector<Run> sent_, received_;
};

}  // namespace sscope::reach
