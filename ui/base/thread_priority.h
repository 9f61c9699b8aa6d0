#pragma once

namespace sscope {

// The calling thread, and every thread it starts from now on, gets the processor only where the window and the
// computation leave it. Does nothing where the system has no such priorities for single threads.
void stepBehindOtherThreads();

}  // namespace sscope
