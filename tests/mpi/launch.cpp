#include "tests/mpi/launch.h"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "tests/support/processes.h"
#include "tests/support/programs.h"
#include "tests/support/sampling.h"

namespace sscope::test {

namespace {

std::vector<pid_t> ranksWith(const std::string& word) {
  std::vector<pid_t> found;
  for (const pid_t process : allProcesses())
    if (const std::string line = commandLineOf(process);
        line.starts_with(builtProgram("sscope-mpi")) && contains(line, word))
      found.push_back(process);
  return found;
}

// Whether it has had half a second of the processor.
bool busy(pid_t process) {
  clockid_t clock{};
  timespec used{};
  return clock_getcpuclockid(process, &clock) == 0 && clock_gettime(clock, &used) == 0 &&
         (used.tv_sec > 0 || used.tv_nsec > 500'000'000);
}

}  // namespace

std::string programUnderTest() { return SSCOPE_MPIRUN; }

bool hasMpirun() {
  static const bool works = !programUnderTest().empty() && launch(2, "true", {}).status == 0;
  return works;
}

Arguments ranksOf(int count, const std::string& program, const Arguments& arguments) {
  // More ranks than cores wait for each other a lot.
  Arguments all{
      "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-q", "-n", std::to_string(count), program};
  return joined(std::move(all), arguments);
}

std::vector<int> countsOfRun(std::size_t n) {
  if (takesAll()) return {2, 3, 4, 7};
  return takes(0, 2, n) ? std::vector<int>{2, 7} : std::vector<int>{3, 4};
}

std::vector<pid_t> busyRanks(std::size_t count, const std::string& word) {
  std::vector<pid_t> ranks;
  const auto working = [&] {
    ranks = ranksWith(word);
    return ranks.size() == count && std::ranges::all_of(ranks, busy);
  };
  return eventually(working, std::chrono::minutes(1)) ? ranks : std::vector<pid_t>();
}

bool ranksEnd(const std::string& word) {
  return eventually([&] { return ranksWith(word).empty(); });
}

}  // namespace sscope::test
