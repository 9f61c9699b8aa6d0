#include "app/mpi/calls.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include "core/base/error.h"

namespace sscope::mpi {

void require(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw Error(ErrorKind::Io,
              "MPI could not " + std::string(what) + ": " + std::string(text, static_cast<std::size_t>(length)),
              "see what mpirun says, and start the job again");
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

void Pause::operator()() {
  constexpr int kAtOnce = 200;
  if (++asked_ <= kAtOnce) {
    std::this_thread::yield();
    return;
  }
  std::this_thread::sleep_for(std::chrono::microseconds(std::min(20 * (asked_ - kAtOnce), 1000)));
}

}  // namespace sscope::mpi
