#pragma once
// Work that all ranks do, or none.

#include <algorithm>
#include <exception>
#include <vector>

#include "core/parts/communicator.h"

namespace sscope::reach {

// Every rank: does its work, and throws on all ranks what the first one that failed threw.
template <class Work>
void agreed(Communicator& ranks, const Control& control, Work&& work) {
  std::exception_ptr error;
  try {
    work();
  } catch (...) {
    error = std::current_exception();
  }
  ranks.agree(error, control);
}

// Every rank: whether it is so on all of them.
[[nodiscard]] inline bool everywhere(bool here, Communicator& ranks, const Control& control) {
  const double value = here ? 1 : 0;
  const std::vector<double> all = ranks.gather({&value, 1}, control);
  return std::find(all.begin(), all.end(), 0.0) == all.end();
}

}  // namespace sscope::reach
