#pragma once

#include <functional>

namespace sscope::cpu {

// Calls work(thread) on every thread at the same moment and gives the seconds from the first to begin to the last to
// end.
double together(int threads, const std::function<void(int)>& work);

}  // namespace sscope::cpu
