#include "core/reach/worst_of_ranks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace sscope::reach {

Verification worstOfRanks(const Verification& own, Communicator& ranks, const Control& control) {
  const std::array<double, 6> mine{own.relativeL2,
                                   own.maximumUlp,
                                   own.largestShare,
                                   own.full ? 0.0 : 1.0,
                                   static_cast<double>(own.compared),
                                   static_cast<double>(own.unjudged)};
  const std::vector<double> all = ranks.gather(mine, control);
  Verification worst = own;
  double sampled = 0, compared = 0, unjudged = 0;
  for (std::size_t k = 0; k < all.size(); k += mine.size()) {
    worst.relativeL2 = std::max(worst.relativeL2, all[k]);
    worst.maximumUlp = std::max(worst.maximumUlp, all[k + 1]);
    worst.largestShare = std::max(worst.largestShare, all[k + 2]);
    sampled = std::max(sampled, all[k + 3]);
    compared += all[k + 4];
    unjudged += all[k + 5];
  }
  worst.full = sampled == 0;
  worst.compared = std::llround(compared);
  worst.unjudged = std::llround(unjudged);
  return worst;
}

}  // namespace sscope::reach
