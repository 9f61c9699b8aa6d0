#pragma once

namespace sscope {

// Lowers the priority of the calling thread and of every thread it starts later below the window's and the
// computation's. No effect if the system has no such priorities per thread.
void stepBehindOtherThreads();

}  // namespace sscope
