#pragma once
// From a command line to an exit status, for all programs with these commands.

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
  std::string fuller{};                // a program with more commands; empty: none
  std::vector<std::string> onlyThere;  // the commands of `fuller` that this program lacks
};

// The commands of sscope.
[[nodiscard]] CommandSet sscopeCommands();

// Parses the command line and runs the command that it names; with several ranks, the first one prints errors of the
// command line. Returns the exit status. Throws what commands throw, and Error(Usage) for an unknown command.
[[nodiscard]] int runCommandLine(const CommandSet& set, int argc, char** argv, Program& program);

[[nodiscard]] inline int statusOf(ErrorKind kind) { return kind == ErrorKind::Usage ? kWrongUsage : kFailed; }
// "error: " and the message as one line on standard error.
void tellError(const std::string& message);

}  // namespace sscope::cli
