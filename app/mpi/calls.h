#pragma once
// MPI's functions are called by one thread at a time (MPI_THREAD_SERIALIZED), and none that waits for another rank:
// what takes time is begun, and then asked after.

#include <mpi.h>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>

namespace sscope::mpi {

// MPI's answer to a call, as an exception. Throws Error(Io): "MPI could not WHAT: its reason".
void require(int code, const char* what);

[[nodiscard]] std::mutex& turn();

// Calls MPI when it is this thread's turn. `what` completes "MPI could not ...".
template <class Call>
void call(const char* what, const Call& function) {
  const std::lock_guard lock(turn());
  require(function(), what);
}

// Whether the request has ended.
[[nodiscard]] bool ended(MPI_Request& request);

// Memory that MPI may still read and write after a wait that was ended early: the job ends soon after.
void keepForever(std::shared_ptr<const void> memory);

// Between two questions: nothing but a yield at first, then longer and longer pauses of up to 0.2 ms, so that ranks
// which wait for long leave the processor to those that compute.
class Pause {
 public:
  void operator()();

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  int pauses_ = 0;
};

}  // namespace sscope::mpi
