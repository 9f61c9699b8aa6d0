#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/mpi/probe/probe.h"

namespace sscope::test {

namespace {

// Computes until it is canceled, with a file that has to be removed then.
void computeForever(Probe& probe) {
  if (!probe.file.empty()) {
    probe.program.interrupt.removes(probe.file);
    if (probe.ranks().rank() == 0) std::ofstream(probe.file) << "half";
  }
  try {
    for (;;) {
      probe.control().check();
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  } catch (...) {
    if (!probe.file.empty()) std::filesystem::remove(probe.file);
    throw;
  }
}

void afterAll(Probe& probe) {
  probe.ranks().barrier(probe.control());
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

}  // namespace

void failAlone(Probe& probe) {
  if (probe.isChosen()) throw Error(ErrorKind::BadData, "the chosen rank fails", "choose none");
  const double own = 1;
  static_cast<void>(probe.ranks().gather({&own, 1}, probe.control()));
}

void failTogether(Probe& probe) {
  std::this_thread::sleep_for(std::chrono::milliseconds(3 * probe.ranks().rank()));
  throw Error(ErrorKind::Usage, "all ranks fail", "choose another");
}

void die(Probe& probe) {
  afterAll(probe);
  if (probe.isChosen()) ::raise(SIGKILL);
  computeForever(probe);
}

void hang(Probe& probe) {
  afterAll(probe);
  if (probe.isChosen()) ::raise(SIGSTOP);
  computeForever(probe);
}

void leave(Probe& probe) {
  afterAll(probe);
  if (probe.isChosen()) _exit(0);
  computeForever(probe);
}

void work(Probe& probe) { computeForever(probe); }

}  // namespace sscope::test
