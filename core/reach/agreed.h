#pragma once
// Work that all ranks do, or none.

#include <exception>

#include "core/reach/communicator.h"

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

}  // namespace sscope::reach
