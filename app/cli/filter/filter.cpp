// sscope filter: a bank of filters on a file.

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "app/cli/batch.h"
#include "app/cli/checks.h"
#include "app/cli/filter/bank_options.h"
#include "app/cli/filter/filter_task.h"
#include "app/cli/memory_option.h"
#include "app/cli/pipe_files.h"
#include "app/cli/program.h"
#include "core/base/bytes_text.h"
#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/filter/noise_estimate.h"
#include "core/volume/streamable_input.h"
#include "core/volume/volume_stream.h"

namespace sscope::cli {

namespace {

struct FilterArguments {
  Batch batch;
  BankOptions bank;
  std::string engine, variant, json;
  int threads = 0;
  std::int64_t memory = 0;
  bool verify = false;
};

// What finding out about the values took, where they were read by planes for that.
struct Looked {
  std::int64_t bytes = 0;
  double seconds = 0;
};

// The bank for these data: perhaps for their dimensions, voxels, noise and range.
BankForData bankForFile(Program& program, Workshop& workshop, const FilterArguments& options, const std::string& in,
                        Looked& looked) {
  if (!dependsOnData(options.bank)) return {banksOf(options.bank).front(), {}};
  const Control control = program.control();
  const VolumeInfo info = workshop.io->probe(in, control);
  return bankFor(options.bank, info.shape.dimensions(), info.geometry, [&] {
    control.report(0, "looking at the values");
    const std::int64_t bytes = info.shape.elements() * static_cast<std::int64_t>(bytesOf(info.type));
    const std::int64_t memory = allowedMemory(options.memory);
    if (memory <= 0 || bytes <= memory / 2)
      return estimatedScale(workshop.io->read(in, control).volume.view(), control);
    StreamableInput input = openStreamable(*workshop.io, in, control);
    if (!input.source && bytes <= memory) return estimatedScale(workshop.io->read(in, control).volume.view(), control);
    if (!input.source) throw tooLarge(in, static_cast<double>(bytes), memory, input.whyNot);
    const Stopwatch watch;
    const DataScale scale = estimatedScale(*input.source, control);
    looked = {bytes, watch.seconds()};
    return scale;
  });
}

void filterOne(Program& program, Workshop& workshop, const FilterArguments& options, const std::string& in,
               const std::string& out) {
  FilterTask task;
  task.source.path = in;
  Looked looked;
  BankForData made = bankForFile(program, workshop, options, in, looked);
  task.job.bank = std::move(made.bank);
  task.job.engine = options.engine;
  task.job.variant = options.variant;
  task.job.threads = options.threads;
  task.memory = options.memory;
  task.output = out;
  task.reports = {options.json};
  task.verify = options.verify;
  task.compress = options.batch.compress;
  task.zarr3 = options.batch.zarr3;
  task.piped = options.batch.inputs.size() == 1 && isPipe(options.batch.inputs.front());
  FilterOutcome outcome = runTask(program, workshop, task);
  if (outcome.streaming) {
    outcome.streaming->moved.readBytes += looked.bytes;
    outcome.streaming->moved.seconds += looked.seconds;
  }
  outcome.notices.insert(outcome.notices.begin(), made.notices.begin(), made.notices.end());
  for (const std::string& notice : outcome.notices) program.note("note: " + notice);
  program.tell(summary(outcome));
  if (options.json.empty()) return;
  // The names that were given: those of pipes are our own.
  task.source.path = options.batch.inputs.front();
  if (options.batch.output == "-") outcome.files = {"-"};
  writeJson(program, options.json, toJson(task, outcome));
}

int run(Program& program, const FilterArguments& options) {
  // What is wrong with them is known before any file is read; so are all names that results can have.
  const std::vector<FilterBank> forms = banksOf(options.bank);
  Workshop workshop = makeWorkshop({}, devicesFor(options.engine));
  if (!options.engine.empty()) requireKnownEngine(workshop.engines, options.engine);
  if (!options.variant.empty()) requireKnownVariant(workshop.variants, "filter", options.variant);
  Besides besides{options.json, filesOf(options.bank), {}};
  std::set<std::string> names;
  for (const FilterBank& form : forms)
    for (const FilterRecipe* recipe : form.results()) names.insert(recipe->name);
  besides.names.assign(names.begin(), names.end());
  return runBatch(program, *workshop.io, options.batch, besides, [&](const std::string& in, const std::string& out) {
    filterOne(program, workshop, options, in, out);
  });
}

}  // namespace

void addFilter(CLI::App& app, Program& program) {
  const auto options = std::make_shared<FilterArguments>();
  CLI::App* command = app.add_subcommand("filter", "Filter a file");
  addBatchOptions(*command, options->batch,
                  "The file to write, or - ; {} becomes the filter's name, {stem} the input's");
  addBankOptions(*command, options->bank);
  command
      ->add_option("--engine", options->engine,
                   "Where to compute; see `sscope devices`; ID+ID or KIND:all share the work")
      ->type_name("ID");
  command->add_option("--variant", options->variant, "How to compute (default: the engine's first)")->type_name("NAME");
  command->add_option("--threads", options->threads, "Threads of CPU engines (default 0: all)")
      ->transform(wholeNumberWithin(0, 4096));
  addMemoryOption(*command, options->memory,
                  "Memory to use, as 2G or 512M: data and results that take more are filtered in slabs (default: two "
                  "thirds of what is free)");
  command->add_flag("--verify", options->verify, "Compare with the reference before writing");
  command->add_option("--json", options->json, "Write a report to FILE, or to the standard output (-)")
      ->type_name("FILE|-");
  command->footer(familyHelp());
  command->callback([&program, options] { program.action = [&program, options] { return run(program, *options); }; });
}

}  // namespace sscope::cli
