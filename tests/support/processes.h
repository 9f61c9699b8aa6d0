#pragma once
// Looks at other processes, and waits for what they do. A process may end at any moment while it is looked at: its
// folder in /proc is gone then, or can be read no further, and none of that is an error here.

#include <algorithm>
#include <chrono>
#include <concepts>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <sys/types.h>

namespace sscope::test {

// Whether it holds within 20 s: long enough for any machine, and no longer than it takes where all is well.
template <std::predicate Condition>
[[nodiscard]] bool eventually(const Condition& condition, std::chrono::seconds most = std::chrono::seconds(20)) {
  const auto end = std::chrono::steady_clock::now() + most;
  while (!condition()) {
    // Asked once more at the end: the machine may have been away since the last time.
    if (std::chrono::steady_clock::now() > end) return condition();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

// What is in a folder, as far as it can be read.
[[nodiscard]] inline std::vector<std::filesystem::path> readableEntries(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> entries;
  std::error_code code;
  // Not a range-based for: its increments throw.
  for (auto at = std::filesystem::directory_iterator(folder, code);
       !code && at != std::filesystem::directory_iterator(); at.increment(code))
    entries.push_back(at->path());
  return entries;
}

[[nodiscard]] inline std::filesystem::path folderOf(pid_t process) {
  return std::filesystem::path("/proc") / std::to_string(process);
}

[[nodiscard]] inline std::vector<pid_t> allProcesses() {
  std::vector<pid_t> found;
  for (const std::filesystem::path& entry : readableEntries("/proc")) {
    const std::string name = entry.filename();
    if (name.find_first_not_of("0123456789") == std::string::npos) found.push_back(static_cast<pid_t>(std::stol(name)));
  }
  return found;
}

// Its words with a zero behind each; nothing once it has ended.
[[nodiscard]] inline std::string commandLineOf(pid_t process) {
  std::ifstream stream(folderOf(process) / "cmdline");
  std::string line;
  // Of a stream, which only notes what an iterator over its buffer would throw.
  std::getline(stream, line, '\n');
  return line;
}

}  // namespace sscope::test
