#pragma once
// sscope through a shell, for its pipes.

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/cli/program.h"
#include "tests/support/programs.h"

namespace sscope::test {

// Runs a shell command with sscope in the PATH; returns its exit status.
[[nodiscard]] inline int shell(const std::string& command) {
  useTestCache();
  const std::string folder = std::filesystem::path(builtProgram("sscope")).parent_path().string();
  const int status = std::system(("PATH=" + folder + ":$PATH; " + command).c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace sscope::test
