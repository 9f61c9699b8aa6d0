#include "app/mpi/calls.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace sscope::mpi {

void require(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw Error(ErrorKind::Io,
              "MPI could not " + std::string(what) + ": " + std::string(text, static_cast<std::size_t>(length)),
              "read the messages of mpirun, and start the job again");
}

std::mutex& turn() {
  static std::mutex mutex;
  return mutex;
}

bool ended(MPI_Request& request) {
  int done = 0;
  call("finish a message", [&] { return MPI_Test(&request, &done, MPI_STATUS_IGNORE); });
  return done != 0;
}

void keepForever(std::shared_ptr<const void> memory) {
  static std::mutex mutex;
  static auto* const kept = new std::vector<std::shared_ptr<const void>>;
  const std::lock_guard lock(mutex);
  kept->push_back(std::move(memory));
}

void Pause::operator()() {
  // Large messages go piece by piece, a few with every question: 2 MiB at 0.1 GB/s where pauses of 1 ms began after 200
  // questions, and shorter waits than these are most of all.
  constexpr auto kAtOnce = std::chrono::milliseconds(50);
  constexpr auto kStep = std::chrono::microseconds(20), kLongest = std::chrono::microseconds(200);
  if (std::chrono::steady_clock::now() - begin_ < kAtOnce) {
    std::this_thread::yield();
    return;
  }
  std::this_thread::sleep_for(std::min(kStep * ++pauses_, kLongest));
}

}  // namespace sscope::mpi
