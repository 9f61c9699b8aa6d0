#pragma once
// From a command line to an exit status: what the programs that offer these commands share.

#include <functional>
#include <string>
#include <vector>

#include "app/cli/program.h"
#include "core/base/error.h"

namespace sscope::cli {

inline constexpr int kFailed = 1, kWrongUsage = 2;

// A program: its name, what it is for, and its commands.
struct CommandSet {
  std::string name;   // "sscope"
  std::string about;  // a sentence for --help
  std::vector<std::function<void(CLI::App&, Program&)>> commands;
  std::string fuller{};                // a program with more commands, empty: there is none
  std::vector<std::string> onlyThere;  // which these are
};

// The commands of sscope.
[[nodiscard]] CommandSet sscopeCommands();

// Parses the command line and runs the command that it names; of ranks, the first one says what was wrong with it.
// Returns the exit status. Throws what commands throw, and Error(Usage) for a command that is not there.
[[nodiscard]] int runCommandLine(const CommandSet& set, int argc, char** argv, Program& program);

[[nodiscard]] inline int statusOf(ErrorKind kind) { return kind == ErrorKind::Usage ? kWrongUsage : kFailed; }
// "error: " and the message as one line on standard error.
void tellError(const std::string& message);

}  // namespace sscope::cli
