#pragma once
// What ranks are asked to do. Each throws where something is not as it should be, which ends the job.

#include <stdexcept>
#include <string>

#include "app/cli/program.h"
#include "app/mpi/world.h"

namespace sscope::test {

struct Probe {
  mpi::World& world;
  cli::Program& program;
  int chosen = 0;      // a rank
  std::string file{};  // made while a rank works, to be removed by all that clean up

  [[nodiscard]] reach::Communicator& ranks() const { return program.ranks; }
  [[nodiscard]] bool isChosen() const { return ranks().rank() == chosen; }
  [[nodiscard]] Control control() const { return program.control(); }
};

inline void expect(bool holds, const std::string& what) {
  if (!holds) throw std::logic_error("not so: " + what);
}

void checkMessages(Probe& probe);
void checkCollectives(Probe& probe);
void checkAgreement(Probe& probe);
void checkCanceling(Probe& probe);
void checkGivenUp(Probe& probe);
void checkParts(Probe& probe);

// The chosen rank throws while the others wait for it, or all throw the same.
void failAlone(Probe& probe);
void failTogether(Probe& probe);
// The chosen rank is killed, stands still, or leaves without a word, while the others compute.
void die(Probe& probe);
void hang(Probe& probe);
void leave(Probe& probe);
// All compute until they are canceled.
void work(Probe& probe);

}  // namespace sscope::test
