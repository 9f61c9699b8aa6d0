// sscope run: the filters of a session, or the repetition of the command that made a file.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/command_files.h"
#include "app/cli/filter/filter_task.h"
#include "app/cli/filter/run_again.h"
#include "app/cli/pipe_files.h"
#include "app/cli/program.h"
#include "app/cli/shared_options.h"
#include "core/base/error.h"
#include "core/session/data_paths.h"

namespace sscope::cli {

namespace {

// The parts of a session that belong to other rooms, with the commands that compute them; last that of the room in
// which it opens.
std::vector<std::string> notRun(const Session& session) {
  std::vector<std::string> parts, shown;
  for (const SettingsTable* table : sessionParts()) {
    if (!table->command) continue;
    const bool here = session.view.room == table->room;
    if (const std::string command = table->command(session.settings(*table).value(), here); !command.empty())
      (here ? shown : parts).push_back("the session's " + table->title + " room is not run; use " + command);
  }
  for (const auto& [name, value] : session.foreign)
    if (!name.starts_with("view."))  // view settings
      parts.push_back("the session's \"" + name + "\" is not run; this version does not know it");
  parts.insert(parts.end(), shown.begin(), shown.end());
  return parts;
}

int run(Program& program, const RunArguments& options) {
  refusePipe(options.data, "sscope run");
  if (options.output == "-")
    throw Error(ErrorKind::Usage, "sscope run prints its table to the standard output and cannot write a volume there",
                "name a file");
  if (holdsVoxels(options.session)) return runAgain(program, options);
  requireSafeTargets({{options.json}, {}}, {options.session});
  Session session = readSession(options.session);
  if (!options.data.empty()) {
    session.data = {};
    session.data.path = options.data;
  }
  if (!options.engine.empty()) {
    session.engine = options.engine;
    session.variant.clear();
  }
  const std::vector<std::string> others = notRun(session);
  if (session.data.empty())
    throw Error(
        ErrorKind::BadData, "the session " + options.session + " has no data to filter",
        others.empty() ? "name them with --data FILE, or open data in the window and save it again" : others.back());
  if (session.bank.enabled().empty() && !others.empty())
    throw Error(ErrorKind::Usage, "the session " + options.session + " has no filter to run", others.back());
  if (options.data.empty() && session.data.sample.empty() && !isThere(session.data.path))
    throw Error(ErrorKind::NotFound,
                "the data of the session " + options.session + " do not exist: " + session.data.path,
                "give their new location with --data FILE");
  if (options.memory > 0 && options.output.empty())
    throw Error(ErrorKind::Usage, "--memory applies to filtering in slabs into files, and no file is named",
                "name one with -o, or omit --memory");
  FilterTask task;
  task.source = session.data;
  task.job.bank = session.bank;
  task.job.engine = session.engine;
  task.job.variant = session.variant;
  task.job.threads = session.threads;
  task.output = options.output;
  task.reports = {options.json};
  task.inputs = {options.session};
  task.verify = true;
  task.memory = options.memory;
  Workshop workshop = makeWorkshop({}, devicesFor(session.engine));
  FilterOutcome outcome = runTask(program, workshop, task);
  outcome.notices.insert(outcome.notices.end(), others.begin(), others.end());
  for (const std::string& notice : outcome.notices) program.note("note: " + notice);
  program.tell(summary(outcome));
  // The report is written even if the table cannot be printed, as on a closed standard output.
  runEach({[&] {
             if (options.json != "-") writeText(program, "-", toTable({outcome.measurement}));
           },
           [&] {
             if (!options.json.empty()) writeJson(program, options.json, toJson(task, outcome));
           }});
  return 0;
}

}  // namespace

void addRun(CLI::App& app, Program& program) {
  const auto options = std::make_shared<RunArguments>();
  CLI::App* command =
      app.add_subcommand("run",
                         "Run the filters of a session saved by the window, and compare with the reference; or repeat "
                         "the command that made a file, and compare with its voxels");
  command
      ->add_option("FILE", options->session, "The session file, or a file that records how it was made (`sscope info`)")
      ->required()
      ->type_name("SESSION.json|FILE");
  command
      ->add_option("--data", options->data,
                   "Use this file, folder or pattern instead of the session's data, or of the input next to the file")
      ->type_name("FILE");
  command->add_option("--engine", options->engine, "The engine, instead of that of the session or the file")
      ->type_name("ID");
  command->add_option("-o,--output", options->output, "Write the results; {} becomes the filter's name")
      ->type_name("FILE");
  addMemoryOption(*command, options->memory,
                  "With -o: memory to use, as 2G or 512M; data and results that need more are filtered in slabs "
                  "(default: two thirds of the free memory)");
  command->add_option("--json", options->json, "Write a report to FILE, or to the standard output (-)")
      ->type_name("FILE|-");
  command->callback([&program, options] { program.action = [&program, options] { return run(program, *options); }; });
}

}  // namespace sscope::cli
