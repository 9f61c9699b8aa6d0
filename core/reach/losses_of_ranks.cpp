#include "core/reach/losses_of_ranks.h"

#include <array>
#include <cmath>
#include <vector>

namespace sscope::reach {

ResultLosses ofAllRanks(const ResultLosses& own, Communicator& ranks, const Control& control) {
  ResultLosses sum = own;
  const std::array counts{&sum.saturated,     &sum.nonFinite,      &sum.input.nonFinite,
                          &sum.input.nonzero, &sum.input.vanished, &sum.input.rounded};
  std::array<double, counts.size()> mine{};
  for (std::size_t i = 0; i < counts.size(); ++i) mine[i] = static_cast<double>(*counts[i]);
  const std::vector<double> all = ranks.gather(mine, control);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    double value = 0;
    for (std::size_t k = i; k < all.size(); k += counts.size()) value += all[k];
    *counts[i] = std::llround(value);
  }
  return sum;
}

}  // namespace sscope::reach
