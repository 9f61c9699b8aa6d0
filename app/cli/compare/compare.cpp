// sscope compare: engines race each other at one case, with a report and a capsule that repeats the race.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/bench/bench_rows.h"
#include "app/cli/bench/bench_workshop.h"
#include "app/cli/bench/case_options.h"
#include "app/cli/compare/compare_looks.h"
#include "app/cli/options.h"
#include "app/cli/pipe_files.h"
#include "app/cli/program.h"
#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/compare/capsule.h"
#include "core/compare/compare_page.h"
#include "core/compare/race.h"
#include "core/measure/table.h"
#include "datasets/samples.h"

namespace sscope::cli {

namespace {

using compare::Comparison;

struct CompareArguments {
  CaseOptions what;
  BankOptions bank;      // no filters: one gaussian
  std::string workload;  // of the catalog, instead of filters; empty: filters
  BenchChoice which;
  std::string dataFile;             // of a replay
  std::vector<std::string> others;  // capsules
  std::string json, report, capsule;
  LookChoice looks;
  int repetitions = 0, threads = 0;  // 0: the capsule's, or the default
  bool warm = false, quotedOnly = false;
};

// The capsule, if the name of the data is that of one.
std::optional<Comparison> capsuleNamed(const std::string& name) {
  const std::string extension = std::filesystem::path(name).extension().string();
  if (extension != ".json" && extension != ".html" && extension != ".htm") return {};
  std::error_code code;
  if (!std::filesystem::is_regular_file(name, code)) return {};
  if (std::filesystem::file_size(name, code) > compare::kLargestCapsule && extension != ".json")
    throw Error(ErrorKind::BadData, "cannot read the capsule " + name + ": it is larger than 16 MiB",
                "ask for it again");
  const std::string text = readTextFile(name);
  if (!compare::isCapsule(text)) {
    if (extension == ".json" && nlohmann::json::accept(text)) return {};  // perhaps the header of raw voxels
    if (extension == ".json")
      throw Error(ErrorKind::BadData,
                  "cannot read " + name + ": it is not valid JSON, so neither a capsule nor a header of raw voxels",
                  "get another copy of it");
    throw Error(ErrorKind::BadData, "cannot read " + name + ": this page contains no capsule",
                "name one that `sscope compare --report` wrote");
  }
  return compare::parseCapsule(text, name);
}

// Variants that only move the data are no contenders.
std::vector<BenchRow> contendersOf(const Workshop& workshop, const CompareArguments& options,
                                   const compare::Case& what) {
  const std::string name(what.workload->name());
  std::vector<BenchRow> rows =
      withValues(chosenRows(workshop, options.which, *what.workload), workshop, name, what.variantValues);
  std::erase_if(rows, [&](const BenchRow& row) {
    return std::ranges::any_of(workshop.variants.rows(), [&](const Variant& variant) {
      return variant.workload == name && variant.name == row.variant && !variant.twinOf.empty();
    });
  });
  if (rows.empty()) throw Error(ErrorKind::Usage, "no contender is left", "choose other variants");
  return rows;
}

Comparison raced(Program& program, const Workshop& workshop, const compare::Case& what,
                 std::vector<BenchRow> contenders, const compare::RaceOptions& how) {
  Comparison result;
  result.version = SSCOPE_VERSION;
  result.machine = thisMachine();
  result.engines = workshop.engines.infos();
  std::erase_if(result.engines, [](const EngineInfo& info) { return info.isPeer(); });
  result.recipe = what.recipe;
  result.contenders = std::move(contenders);
  result.how = how;
  QuietGate gate;
  const auto tell = [&](const compare::RaceEvent& event) {
    if (const auto* done = std::get_if<compare::FirstDone>(&event))
      program.tell(result.contenders[done->lane].engine + ": first result after " +
                   compare::durationText(done->result.seconds));
  };
  result.lanes = compare::executeRace({workshop.engines, workshop.variants, gate},
                                      {what.workload, what.input, result.contenders, how}, tell, program.control());
  result.date = isoTime();
  return result;
}

// The capsules of others must be of the same case.
void requireSameCase(const Comparison& mine, const Comparison& other, const std::string& name) {
  if (compare::sameCase(mine, other)) return;
  throw Error(ErrorKind::Usage, "the capsule " + name + " is of another case: " + titleOf(other.recipe),
              "compare it by itself");
}

void requireLanes(const Comparison& result) {
  for (const compare::Lane& lane : result.lanes)
    if (!lane.measurement.failed.empty())
      throw Error(ErrorKind::Device, lane.name() + " failed: " + lane.measurement.failed, "its figures are left out");
  const auto ran = [](const compare::Lane& lane) { return lane.hasFigures(); };
  if (std::ranges::none_of(result.lanes, ran))
    throw Error(ErrorKind::Unsupported,
                "nothing was timed: " + result.lanes.front().name() + ": " + result.lanes.front().reason());
}

void writeComparison(Program& program, const CompareArguments& options, const Comparison& result,
                     const std::vector<Comparison>& others, const Looks& looks, const std::exception_ptr& missed) {
  std::string text = toText(result, others);
  nlohmann::json document = compare::capsuleOf(result);
  const std::vector<compare::PageSection> sections = sectionsOf(looks);
  text += textOf(looks);
  addTo(document, looks);
  runEach({[&] {
             if (options.json != "-") writeText(program, "-", text);
           },
           [&] {
             if (!options.json.empty()) writeJson(program, options.json, document);
           },
           [&] {
             if (!options.capsule.empty()) writeJson(program, options.capsule, document);
           },
           [&] {
             if (!options.report.empty()) writeText(program, options.report, compare::toPage(result, others, sections));
           },
           [&] { requireLanes(result); }, [&] { requireKept(looks); },
           [&] {
             if (missed) std::rethrow_exception(missed);
           }});
}

// Options that a capsule already contains.
void refuseBesideCapsule(const CompareArguments& options) {
  const CaseOptions& what = options.what;
  if (options.bank.given() || !options.workload.empty() || !what.parameters.empty() || !what.shape.empty() ||
      !what.type.empty() || what.source.seed != DataSource{}.seed)
    throw Error(ErrorKind::Usage, "a capsule already names its computation and its data",
                "leave the filters, --workload, --param, --shape, --type and --seed out");
}

// The options of the case: either a bank's or a workload's.
CaseOptions caseOptions(const CompareArguments& options) {
  CaseOptions what = options.what;
  if (options.workload.empty()) {
    if (!what.parameters.empty())
      throw Error(ErrorKind::Usage, "--param applies to a --workload only", "use --filter SPEC");
    what.bank = options.bank;
    return what;
  }
  if (options.bank.given())
    throw Error(ErrorKind::Usage, "compare takes either filters or a --workload", "leave one of them out");
  if (!what.type.empty())
    throw Error(ErrorKind::Usage, "--type applies to filters only",
                "the workload " + options.workload + " has its own");
  what.workload = options.workload;
  return what;
}

compare::Case caseToCompare(const CompareArguments& options, const Workshop& workshop, const Control& control) {
  compare::Case what = makeCase(caseOptions(options), workshop.variants, *workshop.io, control);
  // A recipe cannot name the file's links, so agreement, contract and map would use other ones.
  if (!what.origin.empty())
    throw Error(ErrorKind::Unsupported, "a race on the links of a file cannot be repeated from its recipe",
                "time it with `sscope bench " + options.workload + " --input FILE`");
  return what;
}

// The case of a capsule, with its data made again, or read from `file` where they came from one. Throws
// Error(NotFound) where that has to be named, and as compare::requireSame.
compare::Case replayedCase(const Comparison& capsule, const std::string& file, const Workshop& workshop,
                           const Control& control) {
  const compare::DataRecipe& data = capsule.recipe.data;
  const bool fromFile = data.from == compare::DataRecipe::From::File;
  if (!fromFile && !file.empty())
    throw Error(ErrorKind::Usage, "the data of this capsule are generated, not read from a file", "leave --data out");
  if (fromFile && file.empty())
    throw Error(ErrorKind::NotFound, "the capsule was made with the file " + data.name + ", which it does not contain",
                "name yours with --data FILE");
  std::shared_ptr<const Volume> input;
  if (data.from == compare::DataRecipe::From::Noise) {
    input = std::make_shared<const Volume>(compare::noiseOf(data, control));
  } else {
    const DataSource source{fromFile ? file : "", fromFile ? "" : data.name, data.size, data.seed};
    if (!fromFile) requireKnownSample(data.name);
    input = std::make_shared<const Volume>(load(*workshop.io, source, control).volume);
  }
  compare::requireSame(data, *input, control);
  compare::Case what = withData(compare::makeCase(capsule.recipe, std::move(input)), control);
  compare::requireSame(capsule.recipe, *what.workload);
  what.threads = capsule.how.threads;
  return what;
}

int run(Program& program, const CompareArguments& options) {
  const std::string& name = options.what.source.path;
  refusePipe(name, "sscope compare");
  std::vector<std::string> reads = filesOf(options.what), banks = filesOf(options.bank);
  reads.insert(reads.end(), banks.begin(), banks.end());
  reads.insert(reads.end(), options.others.begin(), options.others.end());
  reads.push_back(options.dataFile);
  requireSafeTargets({{options.json, options.report, options.capsule}, {}}, reads);
  std::vector<Comparison> others;
  const std::optional<Comparison> capsule = capsuleNamed(name);
  if (capsule) refuseBesideCapsule(options);
  if (!capsule && !options.dataFile.empty())
    throw Error(ErrorKind::Usage, "--data applies to a capsule only", "name the data alone: sscope compare FILE");
  if (capsule) others.push_back(*capsule);
  for (const std::string& other : options.others) others.push_back(compare::readCapsule(other));

  const Workshop workshop = makeBenchWorkshop();
  const Control control = program.control();
  compare::Case what =
      capsule ? replayedCase(*capsule, options.dataFile, workshop, control) : caseToCompare(options, workshop, control);
  what.recipe = completed(what, control);
  if (!options.capsule.empty() || options.json == "-" || !options.json.empty())
    if (const std::string why = compare::notPortable(what.recipe); !why.empty())
      throw Error(ErrorKind::Unsupported, "this cannot be put in a capsule: " + why, "leave --capsule and --json out");
  compare::RaceOptions how = capsule ? capsule->how : compare::RaceOptions{};
  if (options.repetitions > 0) how.repetitions = options.repetitions;
  how.threads = options.threads > 0 ? options.threads : what.threads;
  if (options.warm) how.emptyCaches = false;
  if (options.quotedOnly) how.firstResults = false;
  const bool chosen = !options.which.engines.empty() || !options.which.variant.empty();
  const std::vector<BenchRow> contenders =
      capsule && !chosen ? capsule->contenders : contendersOf(workshop, options, what);
  const LookPlan plan = planned(options.looks, what, contenders);
  Comparison result = raced(program, workshop, what, contenders, how);
  for (std::size_t i = 0; i < others.size(); ++i)
    requireSameCase(result, others[i], capsule && i == 0 ? name : options.others[i - (capsule ? 1 : 0)]);
  // The race is written even if an analysis after it fails or is stopped.
  Looks looks;
  std::exception_ptr missed;
  program.interrupt.waitsForResults();
  try {
    look(program, workshop, what, plan, result, looks);
  } catch (const Canceled&) {
    result.notes.push_back(looks.stopped);
  } catch (const Error&) {
    missed = std::current_exception();
  }
  writeComparison(program, options, result, others, looks, missed);
  if (!looks.stopped.empty()) throw Canceled();
  return 0;
}

std::vector<std::string> elementTypeNames() {
  std::vector<std::string> names;
  for (const ElementType type : kElementTypes) names.emplace_back(toString(type));
  return names;
}

void addDataOptions(CLI::App& command, CompareArguments& options) {
  constexpr std::int64_t kLongest = std::int64_t{1} << 24;
  CLI::Option* input = command.add_option("IN", options.what.source.path,
                                          "The data; or a capsule, to run it again here and see both machines. None: "
                                          "noise of --shape");
  addCorrectionOptions(command, options.what.source.path);
  CLI::Option* shape = addNumbersOption(command, "--shape", options.what.shape, {"X,Y[,Z]", 2, 3, 1, kLongest},
                                        "Extents of the noise to compute on")
                           ->excludes(input);
  CLI::Option* sample = command.add_option("--sample", options.what.source.sample, "Compute on a built-in sample")
                            ->excludes(shape)
                            ->excludes(input)
                            ->type_name("NAME");
  command.add_option("--size", options.what.source.size, "Voxels along each edge of the sample")
      ->transform(wholeNumberWithin(1, kLargestSample))
      ->needs(sample);
  command.add_option("--type", options.what.type, "Element type of the noise that is filtered (default f32)")
      ->check(CLI::IsMember(elementTypeNames()))
      ->excludes(input);
  addSeedOption(command, options.what.source.seed, "Seed of samples, and of the noise for filters (default 1)");
  command.add_option("--data", options.dataFile, "The data of a capsule that was made with a file")->type_name("FILE");
}

}  // namespace

void addCompare(CLI::App& app, Program& program) {
  const auto options = std::make_shared<CompareArguments>();
  CLI::App* command =
      app.add_subcommand("compare", "Race engines at one job, with a report and a capsule that others can run again");
  addDataOptions(*command, *options);
  addBankOptions(*command, options->bank);
  command
      ->add_option("--workload", options->workload,
                   "Compare at a workload of `sscope bench` instead of filters: magic, dwt, a ladder")
      ->type_name("NAME");
  command->add_option("--param", options->what.parameters, "A parameter of the workload; may be repeated")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  addRowOptions(*command, options->which);
  command->add_option("--reps", options->repetitions, "Repetitions, at least 7; more are made until 0.3 s have passed")
      ->transform(wholeNumberWithin(1, 1000000));
  command->add_option("--threads", options->threads, "Threads of CPU engines (default: all)")
      ->transform(wholeNumberWithin(1, 4096));
  command->add_flag("--warm", options->warm, "Use one buffer, which may stay in the caches");
  command->add_flag("--quoted-only", options->quotedOnly, "Leave out the first results, slab by slab");
  command->add_option("--with", options->others, "Draw a capsule of somebody else beside it, in gray; may be repeated")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false)
      ->type_name("CAPSULE");
  addLookOptions(*command, options->looks);
  command->add_option("--report", options->report, "Write one page that opens without a network")
      ->type_name("FILE.html");
  command->add_option("--capsule", options->capsule, "Write all of it as JSON, for others to run again")
      ->type_name("FILE.json");
  command->add_option("--json", options->json, "The same to FILE, or to the standard output (-)")->type_name("FILE|-");
  command->footer("Filters are given as to `sscope filter`, whose --help lists them; without any, gaussian:sigma=2.");
  command->callback([&program, options] { program.action = [&program, options] { return run(program, *options); }; });
}

}  // namespace sscope::cli
