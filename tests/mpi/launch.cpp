#include "tests/mpi/launch.h"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

namespace sscope::test {

namespace {

std::vector<pid_t> ranksWith(const std::string& word) {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream stream(entry.path() / "cmdline");
    const std::string line((std::istreambuf_iterator<char>(stream)), {});
    if (line.starts_with(SSCOPE_RANKS) && contains(line, word)) found.push_back(static_cast<pid_t>(std::stol(name)));
  }
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

bool hasMpirun() {
  static const bool works = !std::string(SSCOPE_PROGRAM).empty() && launch(2, "true", {}).status == 0;
  return works;
}

Arguments ranksOf(int count, const std::string& program, const Arguments& arguments) {
  // More ranks than cores wait for each other a lot.
  Arguments all{
      "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-q", "-n", std::to_string(count), program};
  return joined(std::move(all), arguments);
}

std::vector<pid_t> busyRanks(std::size_t count, const std::string& word) {
  for (int tries = 0; tries < 6000; ++tries) {
    const std::vector<pid_t> ranks = ranksWith(word);
    if (ranks.size() == count && std::ranges::all_of(ranks, busy)) return ranks;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return {};
}

}  // namespace sscope::test
