// sscope: the command line. main() only starts things and catches.

#include <CLI/CLI.hpp>
#include <iostream>
#include <new>

#include "app/cli/program.h"
#include "core/base/error.h"

namespace {

using namespace sscope;
using namespace sscope::cli;

constexpr int kFailed = 1, kWrongUsage = 2;

int fail(const std::string& message, int status) {
  std::cerr << "error: " << message << '\n';
  return status;
}

// CLI11 would call an unknown command an unexpected argument, and miss a command after an unknown option.
void requireKnownCommand(const CLI::App& app, int argc, char** argv) {
  if (argc < 2) return;
  if (argv[1][0] == '-') {
    if (app.get_option_no_throw(argv[1]) != nullptr) return;
    throw Error(ErrorKind::Usage, "there is no option " + std::string(argv[1]) + " before the command",
                "see `sscope --help`");
  }
  std::string known;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == argv[1]) return;
    known += (known.empty() ? "" : ", ") + command->get_name();
  }
  throw Error(ErrorKind::Usage, "there is no command " + std::string(argv[1]), "use one of " + known);
}

int runProgram(int argc, char** argv, Program& program) {
  CLI::App app("Filters images and volumes on every engine of this machine, with timings and proof that they agree.",
               "sscope");
  app.set_version_flag("--version", "sscope " SSCOPE_VERSION);
  app.add_flag("--verbose", program.verbose, "Tell on standard error what is done");
  app.require_subcommand(1);
  app.fallthrough();
  addDevices(app, program);
  addInfo(app, program);
  addSample(app, program);
  addFilter(app, program);
  addMagic(app, program);
  addDwt(app, program);
  addBench(app, program);
  addLattice(app, program);
  addRun(app, program);
  requireKnownCommand(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);  // --help, --version
  } catch (const CLI::ParseError& error) {
    return fail(std::string(error.what()) + "; see `sscope --help`", kWrongUsage);
  }
  return program.action();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Interrupt interrupt;
    ProgressLine progress;
    Program program{interrupt, progress, false, {}, {}};
    return runProgram(argc, argv, program);
  } catch (const Error& error) {
    return fail(error.what(), error.kind() == ErrorKind::Usage ? kWrongUsage : kFailed);
  } catch (const std::bad_alloc&) {
    return fail("the memory does not suffice; use smaller data or fewer filters", kFailed);
  } catch (const std::exception& error) {
    return fail(error.what(), kFailed);
  }
}
