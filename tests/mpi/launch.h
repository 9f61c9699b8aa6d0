#pragma once
// Ranks on this machine, for tests.

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

#include "tests/cli/program.h"
#include "tests/support/support.h"

// Ends a test case where processes cannot be started together.
#define SSCOPE_NEEDS_MPIRUN()                                                    \
  do {                                                                           \
    if (!::sscope::test::hasMpirun()) SSCOPE_SKIP("mpirun starts nothing here"); \
  } while (false)

namespace sscope::test {

[[nodiscard]] bool hasMpirun();
// What mpirun is called with for so many ranks of this program, without words of its own. Open MPI wants to be told
// that root may start it, and that there may be more ranks than cores.
[[nodiscard]] Arguments ranksOf(int count, const std::string& program, const Arguments& arguments);
// The same, to its end.
[[nodiscard]] inline Outcome launch(int count, const std::string& program, const Arguments& arguments) {
  return run(ranksOf(count, program, arguments));
}

// Two of 2, 3, 4 and 7, which this run takes for the n-th case of a product; the other two for its neighbors.
[[nodiscard]] std::vector<int> countsOfRun(std::size_t n);

// The processes of so many ranks of sscope-mpi whose command line has this word, once each of them has computed for a
// while, however slow the machine is; none after a minute.
[[nodiscard]] std::vector<pid_t> busyRanks(std::size_t count, const std::string& word);
// Waits until none of them is left: mpirun may end before its ranks have cleaned up. Whether that comes.
[[nodiscard]] bool ranksEnd(const std::string& word);

}  // namespace sscope::test
