// sscope filter: a bank of filters on a file.

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "app/cli/batch.h"
#include "app/cli/checks.h"
#include "app/cli/filter/filter_task.h"
#include "app/cli/program.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/paths.h"
#include "core/filter/family.h"
#include "core/filter/noise_estimate.h"
#include "core/filter/taps_file.h"
#include "core/filter/templates/bank_template.h"
#include "core/measure/text_table.h"

namespace sscope::cli {

namespace {

struct FilterArguments {
  Batch batch;
  std::string bank, templateName, boundary, outputType, engine, variant, json;
  std::vector<std::string> filters;
  std::optional<double> constant;
  int threads = 0;
  bool verify = false;
};

FilterBank readBank(const std::string& path) {
  const std::string text = readTextFile(path);
  try {
    return bankFromJson(parseJson(text));
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorKind::BadData, "cannot read " + path + ": it is not JSON, or a number in it is too large",
                "see docs/file-formats.md for the format");
  } catch (const Error& error) {
    throw Error(error.kind() == ErrorKind::Usage ? ErrorKind::BadData : error.kind(),
                "cannot read " + path + ": " + error.what());
  }
}

// The bank of a file or template, and what other options say.
FilterBank completed(FilterBank bank, const FilterArguments& options) {
  for (const std::string& spec : options.filters) bank.filters.push_back(parseFilterSpec(spec));
  nameApart(bank);
  if (bank.filters.empty())
    throw Error(ErrorKind::Usage, "there is no filter to run", "give --filter SPEC, --bank FILE or --template NAME");
  if (!options.boundary.empty()) bank.boundary = *parseBoundary(options.boundary);
  if (options.constant) {
    if (bank.boundary != Boundary::constant)
      throw Error(ErrorKind::Usage,
                  "--constant has no meaning with the boundary " + std::string(toString(bank.boundary)),
                  "give --boundary constant too");
    bank.constant = *options.constant;
  }
  if (!options.outputType.empty()) bank.output = *parseOutputType(options.outputType);
  return bank;
}

// A template for these data: for their dimensions and voxels, and perhaps their noise.
FilterBank bankFromTemplate(Program& program, Workshop& workshop, const FilterArguments& options,
                            const std::string& in) {
  const BankTemplate& chosen = bankTemplate(options.templateName);
  const Control control = program.control();
  const VolumeInfo info = workshop.io->probe(in, control);
  double noise = 0;
  if (!chosen.noise.empty()) {
    control.report(0, "estimating the noise");
    noise = estimatedNoise(workshop.io->read(in, control).volume.view(), control);
  }
  return completed(bankFor(chosen, filterGrid(info.shape.dimensions(), info.geometry), noise), options);
}

void filterOne(Program& program, Workshop& workshop, const FilterArguments& options, const FilterBank& bank,
               const std::string& in, const std::string& out) {
  FilterTask task;
  task.source.path = in;
  task.job.bank = options.templateName.empty() ? bank : bankFromTemplate(program, workshop, options, in);
  task.job.engine = options.engine;
  task.job.variant = options.variant;
  task.job.threads = options.threads;
  task.output = out;
  task.reports = {options.json};
  task.verify = options.verify;
  task.compress = options.batch.compress;
  task.typeIsOpen = options.outputType.empty() && options.bank.empty();
  FilterOutcome outcome = runTask(program, workshop, task);
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
  std::vector<FilterBank> forms;
  if (options.templateName.empty()) {
    forms = {completed(options.bank.empty() ? FilterBank{} : readBank(options.bank), options)};
  } else {
    const BankTemplate& chosen = bankTemplate(options.templateName);
    forms = {completed(chosen.image, options), completed(chosen.volume, options)};
  }
  Workshop workshop = makeWorkshop({}, devicesFor(options.engine));
  if (!options.engine.empty()) requireKnownEngine(workshop.engines, options.engine);
  if (!options.variant.empty()) requireKnownVariant(workshop.variants, "filter", options.variant);
  Besides besides{options.json, {options.bank}, {}};
  for (const std::string& spec : options.filters) besides.reads.push_back(tapsFileOf(spec));
  std::set<std::string> names;
  for (const FilterBank& form : forms)
    for (const FilterRecipe* recipe : form.results()) names.insert(recipe->name);
  besides.names.assign(names.begin(), names.end());
  return runBatch(program, *workshop.io, options.batch, besides, [&](const std::string& in, const std::string& out) {
    filterOne(program, workshop, options, forms.front(), in, out);
  });
}

std::vector<std::string> outputTypes() {
  std::vector<std::string> names{"same"};
  for (const ElementType type : kElementTypes) names.emplace_back(toString(type));
  return names;
}

std::vector<std::string> boundaries() {
  std::vector<std::string> names;
  for (const Boundary boundary : kBoundaries) names.emplace_back(toString(boundary));
  return names;
}

// Ends the parsing, like --help.
void listTemplates() {
  std::vector<std::vector<std::string>> rows{{"name", "description"}};
  for (const BankTemplate& each : bankTemplates()) rows.push_back({each.name, each.help});
  std::string table = textTable(rows);
  while (table.ends_with('\n')) table.pop_back();
  throw CLI::CallForVersion(table, 0);
}

// The families as their table declares them.
std::string familyHelp() {
  std::string text =
      "A SPEC is family or family:key=value,key=value. Lengths are in voxels, or have a unit (nm um mm cm m): 0.8mm.\n"
      "  Derivatives (gaussian with an order, log) are per voxel, normalized so that they are exact on ramps and\n"
      "  quadratics; sampled derivatives of a gaussian, as in other programs, differ from them at small sigmas.\n";
  for (const FilterFamily& family : filterFamilies()) {
    text += "  " + family.name + ": " + family.help + "\n";
    for (const Option& option : family.options) {
      text += "      " + option.name + "=" + formatOption(option.fallback);
      if (!option.choices.empty()) {
        text += " (";
        for (const std::string& choice : option.choices) text += (choice == option.choices[0] ? "" : "|") + choice;
        text += ")";
      }
      text += "  " + option.help + "\n";
    }
  }
  return text +
         "  Every family takes name=TEXT and flip=true (a true convolution); custom takes file=TAPS.json, or its "
         "taps:\n"
         "  size=[3,1,1],taps=[1,2,1].";
}

}  // namespace

void addFilter(CLI::App& app, Program& program) {
  const auto options = std::make_shared<FilterArguments>();
  CLI::App* command = app.add_subcommand("filter", "Filter a file");
  addBatchOptions(*command, options->batch,
                  "The file to write, or - ; {} becomes the filter's name, {stem} the input's");
  CLI::Option* filter = command->add_option("--filter", options->filters, "A filter; may be repeated")
                            ->type_name("SPEC")
                            ->take_all()
                            ->expected(1)
                            ->allow_extra_args(false);
  command->add_option("--bank", options->bank, "A bank of filters")->type_name("BANK.json")->excludes(filter);
  command
      ->add_option("--template", options->templateName,
                   "A bank to begin with, made for the data; --filter adds to it. See --list-templates")
      ->type_name("NAME")
      ->excludes("--bank");
  command->add_flag_callback("--list-templates", listTemplates, "List the templates");
  command->add_option("--boundary", options->boundary, "What lies outside the data (default nearest)")
      ->check(CLI::IsMember(boundaries()));
  command->add_option("--constant", options->constant, "The value outside with --boundary constant (default 0)")
      ->check(finiteNumber());
  command->add_option("--engine", options->engine, "Where to compute; see `sscope devices`")->type_name("ID");
  command->add_option("--variant", options->variant, "How to compute (default: the engine's first)")->type_name("NAME");
  command
      ->add_option("--output-type", options->outputType,
                   "What to store (default f32, or same where OUT cannot hold that)")
      ->check(CLI::IsMember(outputTypes()));
  command->add_option("--threads", options->threads, "Threads of CPU engines (default 0: all)")
      ->transform(wholeNumberWithin(0, 4096));
  command->add_flag("--verify", options->verify, "Compare with the reference before writing");
  command->add_option("--json", options->json, "Write a report to FILE, or to the standard output (-)")
      ->type_name("FILE|-");
  command->footer(familyHelp());
  command->callback([&program, options] { program.action = [&program, options] { return run(program, *options); }; });
}

}  // namespace sscope::cli
