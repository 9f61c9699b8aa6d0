// sscope bench: times a workload on engines and variants that take turns, and checks every output.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>

#include "app/cli/bench/bench_rows.h"
#ifndef SSCOPE_WITHOUT_LATTICE
#include "app/cli/lattice/bench_lattice.h"
#endif
#include "app/cli/bench/bench_workshop.h"
#include "app/cli/bench/case_options.h"
#include "app/cli/command_files.h"
#include "app/cli/options.h"
#include "app/cli/pipe_files.h"
#include "app/cli/program.h"
#include "core/base/error.h"
#include "core/base/words.h"
#include "core/compare/race.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/engine/tuning_store.h"
#include "core/filter/method/method_choice.h"
#include "core/ladder/bench_page.h"
#include "core/ladder/ladder.h"
#include "core/ladder/ladder_kind.h"
#include "core/measure/measurement.h"
#include "core/measure/table.h"
#include "core/measure/tune.h"
#include "core/report/extents.h"
#include "datasets/samples.h"
#include "gpu/gpu_engines.h"

namespace sscope::cli {

namespace {

struct BenchArguments {
  CaseOptions what;
  BenchChoice which;
  std::string json, csv, report, trace;
  int repetitions = kMinimumRepetitions;
  bool remeasure = false, warm = false, full = false, tune = false;
  std::string sweep;  // kFigures, or an option of the workload; empty: no sweep
};
constexpr const char* kFigures = "figures";

// Rows whose clock fell have a "~" after their milliseconds.
std::string clockText(const Measurement& m) {
  const RowClock& clock = *m.clock;
  const auto words = [](double megahertz) { return std::to_string(std::llround(megahertz)); };
  std::string text =
      std::string(clock.fell() ? "~ " : "") + "clock of " + m.engine +
      (clock.fell() ? " " + m.variant + ": fell from " + words(clock.highest) + " to " + words(clock.lowest)
                    : ": " + words(clock.highest)) +
      " MHz";
  if (clock.memory > 0) text += ", memory " + words(clock.memory) + " MHz";
  for (std::size_t i = 0; i < clock.limits.size(); ++i) text += (i == 0 ? "; limited by " : ", ") + clock.limits[i];
  return text;
}

std::string footnote(const std::vector<Measurement>& results) {
  std::string text;
  const auto add = [&](const std::string& line) {
    if (text.find(line) == std::string::npos) text += line + "\n";
  };
  for (const Measurement& m : results)
    if (m.hasFigures()) {
      add("caches: " + m.caches);
      if (m.disturbed())
        add("! a hypervisor took " + shortNumber(100 * *m.stolen) + " % of the processor's time from these rows");
      if (const std::string words = m.beside.text(m.samples.size()); !words.empty())
        add("! " + m.engine + " " + m.variant + ": " + words);
      if (m.clock) add(clockText(m));
      if (const std::string words = surpassedText(m); !words.empty()) add(words);
      if (m.batch > 1)
        add(m.engine + " " + m.variant + ": each sample is the mean of " + std::to_string(m.batch) +
            " runs, one right after the other");
      add("compared: " + m.verification.coverage);
      if (const auto summed = m.launch.find(kSummedTiles); summed != m.launch.end())
        add(m.engine + " " + m.variant + ": sums in " + std::to_string(std::llround(summed->second)) + " of " +
            std::to_string(std::llround(m.launch.at(kLookedAtTiles))) +
            " tiles, whose numbers differ too much for transforms");
      if (!m.counters.unavailable.empty()) add("hardware counters: unavailable: " + m.counters.unavailable);
    }
  return text;
}

compare::RaceOptions timing(const BenchArguments& options, int threads) {
  compare::RaceOptions how;
  how.firstResults = false;
  how.repetitions = options.repetitions;
  how.threads = threads;
  how.emptyCaches = !options.warm;
  how.remeasureCeilings = options.remeasure;
  return how;
}

// `--tune`: tunes every row that can be tuned and stores the values found in the row. Returns one line of text per row.
// Throws Canceled.
std::string tuneRows(const Workshop& workshop, const Workload& workload, const ConstArrayView& input,
                     std::vector<BenchRow>& rows, int threads, const Control& control) {
  std::string text;
  TuneOptions options;
  options.threads = threads;
  const auto count = static_cast<double>(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (tunable(workshop.engines, workshop.variants, workload, rows[i]).variant == nullptr) continue;
    const Control part{control.stop, [&](double share, std::string_view stage) {
                         control.report((static_cast<double>(i) + share) / count, stage);
                       }};
    const TuneResult result = tune(workshop.engines, workshop.variants, workload, {&input, 1}, rows[i], options, part);
    text += toText(result) + "\n";
    if (result.skipped.empty()) rows[i].values = result.values;
  }
  return text.empty() ? "nothing to tune: no row has tiles to choose from\n" : text;
}

// One line for every row that uses tiles from an earlier search.
std::string tunedRows(const Workshop& workshop, const Workload& workload, const std::vector<BenchRow>& rows) {
  std::string text;
  for (const BenchRow& row : rows) {
    const auto [variant, engine] = tunable(workshop.engines, workshop.variants, workload, row);
    if (variant == nullptr || !row.values.empty()) continue;
    if (const auto tiles = rememberedTiles(*variant, *engine, workload); tiles && !tiles->values.empty())
      text +=
          variant->name + " on " + row.engine + ": " + toText(tiles->values) + ", as tuned on " + tiles->date + "\n";
  }
  return text;
}

void addRun(const Workshop& workshop, const BenchArguments& options, const std::string& name, BenchReport& report,
            std::string& text, [[maybe_unused]] std::vector<NamedTrace>& traces, const Control& control) {
  CaseOptions what = options.what;
  what.workload = name;
  const compare::Case one = makeCase(what, workshop.variants, *workshop.io, control);
  const ConstArrayView input = one.input->view();
  std::vector<BenchRow> rows =
      withValues(chosenRows(workshop, options.which, *one.workload), workshop, one.workload->name(), one.variantValues);
  text += titleOf(one) + "\n";
  if (options.tune) {
    text += tuneRows(workshop, *one.workload, input, rows, one.threads, control);
  } else {
    text += tunedRows(workshop, *one.workload, rows);
  }
  std::vector<Measurement> results;
  QuietGate gate;
  std::vector<compare::Lane> lanes;
  if (!rows.empty())
    lanes = compare::executeRace({workshop.engines, workshop.variants, gate},
                                 {one.workload, one.input, rows, timing(options, one.threads)}, {}, control);
  for (compare::Lane& lane : lanes) {
    lane.measurement.params.update(one.origin);
    results.push_back(std::move(lane.measurement));
  }
  text += toTable(results) + footnote(results);
#ifndef SSCOPE_WITHOUT_LATTICE
  if (!options.trace.empty()) text += traceRows(workshop, *one.workload, input, results, one.threads, traces, control);
#endif
  report.results.insert(report.results.end(), results.begin(), results.end());
}

// The table of one point; the values of a variant's own options distinguish rows of the same variant.
std::string pointTable(const SweepPoint& point, std::span<const Measurement> results) {
  std::vector<Measurement> rows(results.begin(), results.end());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const auto& [name, value] : point.rows[i].values) rows[i].variant += " " + name + "=" + formatOption(value);
    if (!point.rows[i].values.empty()) rows[i].ran = rows[i].variant;
  }
  return (point.text.empty() ? "" : point.text + "\n") + toTable(rows) + "\n";
}

std::string sizeText(const Sweep& sweep, const WorkloadKind& kind) {
  return kind.name + ": " + extentsText(extentsOf(kind, sweep.shape, sweep.commonValues())) + ", " + sweep.sizeReason +
         "; " + counted(std::ssize(sweep.points), "point") + ", " +
         counted(static_cast<std::int64_t>(sweep.rowCount()), "row");
}

std::string searchText(const std::vector<TuneResult>& searches) {
  std::string text;
  for (const TuneResult& result : searches) text += toText(result) + "\n";
  return text.empty() ? "nothing to tune: a search has checked the tiles of every row that has a choice\n" : text;
}

// `--sweep`: a ladder point by point. Adds the measurements to the report and tables to the text. A stop keeps the rows
// of finished points and sets BenchReport::stopped; without a finished point it throws Canceled. Throws what makeSweep
// throws. `finished` (may be empty) sees every row when its point ends.
void addSweep(const Workshop& workshop, const BenchArguments& options, const std::string& name, BenchReport& report,
              std::string& text, const Control& control, const std::function<void(const Measurement&)>& finished) {
  const WorkloadKind* kind = findWorkloadKind(name);
  if (kind == nullptr)
    throw Error(ErrorKind::Usage, "the workload " + name + " has no ladder to sweep", "leave --sweep out");
  const CatalogParameters given = catalogParameters(*kind, options.what.parameters, workshop.variants);
  const std::vector<std::int64_t>& shape = options.what.shape;
  const std::string over = options.sweep == kFigures ? "" : options.sweep;
  BenchChoice which = options.which;
  if (which.variant.empty() && over.empty()) which.variant = "all";
  SweepRequest request{name, {}, given.values, {}, options.full, over};
  if (!shape.empty()) request.shape = shapeOf(name, kind->dimensions, shape);
  const auto sample = SweepData(name).workload(kind->smallShape, given.values);
  request.rows = withValues(chosenRows(workshop, which, *sample), workshop, name, given.variantValues);
  Sweep sweep = makeSweep(workshop.engines, workshop.variants, request);
  const BenchOptions how = timing(options, given.threads);
  if (shape.empty()) chooseSize(workshop.engines, workshop.variants, sweep, how, kSweepSeconds, control);
  if (options.tune) sweep.tuneFirst.emplace();
  SweepOutcome outcome = runSweep(workshop.engines, workshop.variants, sweep, how, control, finished);
  if (outcome.canceled && outcome.results.empty()) throw Canceled();
  if (outcome.canceled)
    report.stopped = stoppedAfter(std::ssize(outcome.results), "row", static_cast<std::int64_t>(sweep.rowCount())) +
                     " of " + kind->name;
  report.notes.push_back(sizeText(sweep, *kind) + ".");
  text += sizeText(sweep, *kind) + "\n" + (options.tune ? searchText(outcome.searches) : "") + "\n";
  std::size_t begin = 0;
  for (const SweepPoint& point : sweep.points) {
    if (begin + point.rows.size() > outcome.results.size()) break;  // it was stopped
    text += pointTable(point, std::span(outcome.results).subspan(begin, point.rows.size()));
    begin += point.rows.size();
  }
  if (const LadderKind* ladder = findLadderKind(kind->name); !over.empty() && ladder->overTable)
    text += ladder->overTable(outcome.results);
  std::move(outcome.results.begin(), outcome.results.end(), std::back_inserter(report.results));
}

// Throws where every row was skipped, so that there is no figure of the requested engines and variants.
void requireFigures(const std::vector<Measurement>& results) {
  const bool none =
      std::all_of(results.begin(), results.end(), [](const Measurement& m) { return !m.skipped.empty(); });
  if (!none || results.empty()) return;
  const std::string others = results.size() == 1 ? ""
                                                 : ", nor could " + std::to_string(results.size() - 1) +
                                                       (results.size() == 2 ? " more row" : " more rows");
  throw Error(ErrorKind::Unsupported,
              "nothing was timed: " + results.front().engine + ": " + results.front().skipped + others);
}

// Writes every output that can be written, so that one unwritable file does not lose minutes of measurement. Throws for
// the others, for a row that failed, and where nothing ran.
void writeResults(Program& program, const BenchArguments& options, const BenchReport& report, const std::string& text,
                  const std::vector<NamedTrace>& traces) {
  runEach({[&] {
             if (options.json != "-") writeText(program, "-", text);
           },
           [&] {
             if (!options.json.empty()) writeJson(program, options.json, toJson(report));
           },
           [&] {
             if (!options.csv.empty()) writeText(program, options.csv, toCsv(report));
           },
           [&] {
             if (!options.report.empty()) writeText(program, options.report, toHtml(report, traces));
           },
           [&] {
             if (!options.trace.empty()) writeJson(program, options.trace, chromeTrace(traces));
           },
           [&] {
             for (const Measurement& m : report.results)
               if (!m.failed.empty())
                 throw Error(ErrorKind::Device, m.engine + " " + m.variant + " failed: " + m.failed,
                             "its figures are left out");
             requireFigures(report.results);
           }});
}

int run(Program& program, const BenchArguments& options) {
  if (!options.trace.empty() && options.what.workload != "cr")
    throw Error(ErrorKind::Usage, "--trace is for the workload cr, which has several kernels", "leave it out");
  refusePipe(options.what.source.path, "sscope bench");
  requireSafeTargets({{options.json, options.csv, options.report, options.trace}, {}}, filesOf(options.what));
  const Workshop workshop = makeBenchWorkshop();
  const Control control = program.control();
  BenchReport report{thisMachine(), workshop.engines.infos(), {}};
  std::erase_if(report.devices, [](const EngineInfo& info) { return info.isPeer(); });
  const std::vector<std::string> names =
      options.what.workload == "all" ? benchWorkloads() : std::vector<std::string>{options.what.workload};
  std::string text;
  std::vector<NamedTrace> traces;
  const auto timed = [&](const Measurement& m) {
    program.interrupt.waitsForResults();
    program.log("timed " + m.workload + " " + m.variant);
  };
  try {
    for (const std::string& name : names) {
      if (!report.stopped.empty()) break;
      if (!options.sweep.empty()) {
        if (options.what.workload == "all" && findWorkloadKind(name) == nullptr) continue;  // it has no ladder
        addSweep(workshop, options, name, report, text, control, timed);
      } else {
        addRun(workshop, options, name, report, text, traces, control);
        program.interrupt.waitsForResults();
      }
    }
  } catch (const Canceled&) {
    if (report.results.empty()) throw;
    report.stopped = stoppedAfter(std::ssize(report.results), "row");
  }
  if (!report.stopped.empty()) text += report.stopped + "\n";
  // The rows measured before a stop are written.
  writeResults(program, options, report, text, traces);
  if (!report.stopped.empty()) throw Canceled();
  return 0;
}

}  // namespace

void addBench(CLI::App& app, Program& program) {
  const auto options = std::make_shared<BenchArguments>();
  std::string workloads;
  for (const std::string& name : benchWorkloads()) workloads += (workloads.empty() ? "" : ", ") + name;
  CLI::App* command = app.add_subcommand("bench", "Time engines and variants against each other, every output checked");
  command->add_option("WORKLOAD", options->what.workload, workloads + ", or all")->required();
  addRowOptions(*command, options->which);
  constexpr std::int64_t kLongest = std::int64_t{1} << 24;
  CLI::Option* shape = addNumbersOption(*command, "--shape", options->what.shape, {"X,Y[,Z]", 2, 3, 1, kLongest},
                                        "Extents of the noise to compute on");
  CLI::Option* input = command
                           ->add_option("--input", options->what.source.path,
                                        "Compute on a file; dirac, cr: with the operator of a gauge configuration")
                           ->excludes(shape)
                           ->type_name("FILE");
  addCorrectionOptions(*command, options->what.source.path);
  CLI::Option* sample = command->add_option("--sample", options->what.source.sample, "Compute on a built-in sample")
                            ->excludes(shape)
                            ->excludes(input)
                            ->type_name("NAME");
  command->add_option("--size", options->what.source.size, "Voxels along each edge of the sample")
      ->transform(wholeNumberWithin(1, kLargestSample))
      ->needs(sample);
  command->add_option("--param", options->what.parameters, "A parameter of the workload; may be repeated")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command->add_option("--reps", options->repetitions, "Repetitions, at least 7; more are made until 0.3 s have passed")
      ->transform(wholeNumberWithin(1, 1000000));
  CLI::Option* sweep = command->add_flag(
      "--sweep{figures}", options->sweep,
      "Every point of the papers' figures: bank over the number of kernels and the unroll, conv2d over "
      "the filter's width and height, soup, dwt, dirac and cr rung by rung. All variants unless one is named; an "
      "option "
      "given with --param is not swept; without --shape the paper's size where time allows. --sweep=order: magic over "
      "the filter's order, each engine's first variant, accuracy against cost");
  sweep->excludes(input)->excludes(sample);
  command->add_flag("--full", options->full, "With --sweep: all points instead of a selection of them")->needs(sweep);
  command->add_flag("--tune", options->tune,
                    "First search for the fastest tiles of each row that has several, about 2 s each; what is found is "
                    "remembered for this device, driver and workload, and used from then on. With --sweep: of the rows "
                    "that no search has checked yet, point by point");
  command->add_flag("--remeasure", options->remeasure, "Measure the ceilings again");
  command->add_flag("--warm", options->warm, "Use one buffer, which may stay in the caches");
#ifndef SSCOPE_WITHOUT_LATTICE
  command
      ->add_option("--trace", options->trace,
                   "cr: run every row once more, untimed, and write when each kernel ran, for ui.perfetto.dev")
      ->excludes(sweep)
      ->type_name("FILE.json");
#endif
  command->add_option("--json", options->json, "Write JSON to FILE, or to the standard output (-)")
      ->type_name("FILE|-");
  command->add_option("--csv", options->csv, "Write CSV")->type_name("FILE");
  command->add_option("--report", options->report, "Write a page with figures and tables")->type_name("FILE.html");
  command->footer([] {
    VariantTable variants;
    addCpuVariants(variants);
    addGpuVariants(variants);
    return benchParameterHelp(variants);
  });
  command->callback([&program, options] { program.action = [&program, options] { return run(program, *options); }; });
}

}  // namespace sscope::cli
