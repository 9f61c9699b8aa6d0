#include "app/cli/entry.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iostream>

#include "app/cli/file_options.h"
#include "core/base/error_words.h"

namespace sscope::cli {

namespace {

std::vector<const CLI::App*> commandsOf(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string namesOf(const std::vector<const CLI::App*>& commands) {
  std::string names;
  for (const CLI::App* command : commands) names += (names.empty() ? "" : ", ") + command->get_name();
  return names;
}

// "sscope lattice dirac".
std::string callOf(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : callOf(*app.get_parent()) + " " + app.get_name();
}

std::string helpHint(const CLI::App& app) { return "see `" + callOf(app) + " --help`"; }

bool hasOption(const CLI::App& app, const std::string& name) {
  const std::string bare = name.substr(0, name.find('='));
  return app.get_option_no_throw(bare) != nullptr ||
         (app.get_parent() != nullptr && hasOption(*app.get_parent(), bare));
}

// The command that the words name, as deep as they go. CLI11 would call an unknown command an unexpected argument or a
// missing one, and miss a command after an unknown option.
const CLI::App& namedCommand(const CLI::App& app, const CommandSet& set, int argc, char** argv) {
  const CLI::App* at = &app;
  for (int i = 1; i < argc; ++i) {
    const std::vector<const CLI::App*> commands = commandsOf(*at);
    if (commands.empty()) break;
    const std::string word = argv[i];
    if (word.starts_with('-')) {
      if (!hasOption(*at, word))
        throw Error(ErrorKind::Usage, "there is no option " + word + " before the command", helpHint(*at));
      continue;
    }
    const auto found = std::find_if(commands.begin(), commands.end(),
                                    [&](const CLI::App* command) { return command->get_name() == word; });
    if (found == commands.end() && at == &app &&
        std::find(set.onlyThere.begin(), set.onlyThere.end(), word) != set.onlyThere.end())
      throw Error(ErrorKind::Usage, set.name + " has no command " + word, "use " + set.fuller + " " + word);
    if (found == commands.end())
      throw Error(ErrorKind::Usage, "there is no command " + (at == &app ? "" : at->get_name() + " ") + word,
                  "use one of " + namesOf(commands));
    at = *found;
  }
  return *at;
}

// "-@t=3" is a name, the standard input's with a choice behind it; CLI11 would look for an option. And -o=FILE would
// become the file "=FILE".
std::vector<std::string> argumentsOf(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + std::max(argc, 1));
  for (std::string& word : words) {
    if (word.starts_with("-@")) word.replace(0, 1, "/dev/stdin");
    if (word.starts_with("-o=")) word.replace(0, 2, "--output");
  }
  return words;
}

bool isOf(const CLI::ParseError& error, CLI::ExitCodes kind) { return error.get_exit_code() == static_cast<int>(kind); }

// CLI11 reports arguments that are missing or too many, but not the option that it did not know.
std::string explain(const CLI::ParseError& error, const CLI::App& command, int argc, char** argv) {
  const bool about = isOf(error, CLI::ExitCodes::RequiredError) || isOf(error, CLI::ExitCodes::ExtrasError);
  for (int i = 1; about && i < argc && argv[i] != std::string("--"); ++i) {
    const std::string word = argv[i];
    const bool isLong = word.starts_with("--");
    const std::string name = isLong ? word : word.substr(0, 2);
    if (word.size() < 2 || word[0] != '-' || (!isLong && std::isalpha(static_cast<unsigned char>(word[1])) == 0) ||
        hasOption(command, name))
      continue;
    std::error_code code;
    return "there is no option " + word +
           (std::filesystem::exists(word, code) ? "; write ./" + word + " for the file of this name"
                                                : "; " + helpHint(command));
  }
  return std::string(error.what()) + "; " + helpHint(command);
}

// What a parser that stopped says: 0 for --help and --version.
int stopped(const CLI::App& app, const CLI::App& command, const CLI::ParseError& error, int argc, char** argv,
            Program& program) {
  if (isOf(error, CLI::ExitCodes::Success)) {
    if (program.speaks()) static_cast<void>(app.exit(error));
    writeText(program, "-", "");  // whether it came out
    return 0;
  }
  if (!program.speaks()) return kWrongUsage;
  const std::vector<const CLI::App*> commands = commandsOf(command);
  if (commands.empty() || !isOf(error, CLI::ExitCodes::RequiredError)) {
    tellError(explain(error, command, argc, argv));
  } else {
    std::cerr << command.help(command.get_parent() == nullptr ? "" : callOf(*command.get_parent()));
    tellError(callOf(command) + " needs a command: " + namesOf(commands));
  }
  return kWrongUsage;
}

}  // namespace

CommandSet sscopeCommands() {
  return {"sscope",
          "Filters images and volumes on every engine of this machine, with timings and proof that they agree.",
          {addDevices, addInfo, addSample, addFilter, addConvert,
#ifndef SSCOPE_WITHOUT_WAVELET
           addMagic, addDwt,
#endif
           addBench, addCompare,
#ifndef SSCOPE_WITHOUT_LATTICE
           addLattice,
#endif
           addRun},
          {},
          {}};
}

int runCommandLine(const CommandSet& set, int argc, char** argv, Program& program) {
  CLI::App app(set.about, set.name);
  app.set_version_flag("--version", set.name + " " SSCOPE_VERSION);
  app.add_flag("--verbose", program.verbose, "Report on standard error what is being done");
  app.require_subcommand(1);
  app.fallthrough();
  for (const auto& add : set.commands) add(app, program);
  const CLI::App& command = namedCommand(app, set, argc, argv);
  try {
    std::vector<std::string> words = argumentsOf(argc, argv);
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    app.parse(std::move(words));
    requireFileNames(app);
  } catch (const CLI::ParseError& error) {
    return stopped(app, command, error, argc, argv, program);
  }
  return program.action();
}

void tellError(const std::string& message) { std::cerr << "error: " << inOneLine(message) << '\n'; }

}  // namespace sscope::cli
