// sscope run: what the window would do with a session.

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/filter_task.h"
#include "app/cli/program.h"
#include "core/base/error.h"

namespace sscope::cli {

namespace {

struct Options {
  std::string session, output, json;
};

int run(Program& program, const Options& options) {
  requireTargets({options.json}, options.session);
  const Session session = readSession(options.session);
  if (session.data.empty())
    throw Error(ErrorKind::BadData, "the session " + options.session + " names no data",
                "open data in the window and save it again");
  requireTargets({options.json}, session.data.path);
  FilterTask task;
  task.source = session.data;
  task.job.bank = session.bank;
  task.job.engine = session.engine;
  task.job.variant = session.variant;
  task.job.threads = session.threads;
  task.output = options.output;
  task.verify = true;
  Workshop workshop = makeWorkshop({}, devicesFor(session.engine));
  const FilterOutcome outcome = runTask(program, workshop, task);
  for (const std::string& notice : outcome.notices) program.note("note: " + notice);
  program.tell(summary(outcome));
  if (options.json != "-") writeText(program, "-", toTable({outcome.measurement}));
  if (!options.json.empty()) writeJson(program, options.json, toJson(task, outcome));
  return 0;
}

}  // namespace

void addRun(CLI::App& app, Program& program) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("run", "Run a session saved by the window, and compare with the reference");
  command->add_option("SESSION", options->session, "The session file")->required()->type_name("SESSION.json");
  command->add_option("-o,--output", options->output, "Write the results; {} becomes the filter's name")
      ->type_name("FILE");
  command->add_option("--json", options->json, "Write a report to FILE, or to the standard output (-)")
      ->type_name("FILE|-");
  command->callback([&program, options] { program.action = [&program, options] { return run(program, *options); }; });
}

}  // namespace sscope::cli
