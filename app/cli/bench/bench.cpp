// sscope bench: times a workload on engines and variants that take turns, and checks every output.

#include "core/measure/bench.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/bench/bench_case.h"
#include "app/cli/bench/bench_job.h"
#include "app/cli/bench/bench_rows.h"
#include "app/cli/bench/bench_sweep.h"
#ifndef SSCOPE_WITHOUT_LATTICE
#include "app/cli/lattice/bench_trace.h"
#endif
#include "app/cli/bench/bench_tune.h"
#include "app/cli/bench/bench_workshop.h"
#include "app/cli/checks.h"
#include "app/cli/correction_options.h"
#include "app/cli/pipe_files.h"
#include "app/cli/program.h"
#include "app/cli/targets.h"
#include "core/base/counted.h"
#include "core/base/error.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/filter/families/taps_file.h"
#include "core/filter/method/method_choice.h"
#include "core/ladder/bench_page.h"
#include "core/measure/surpassed.h"
#include "core/measure/table.h"
#ifndef SSCOPE_WITHOUT_WAVELET
#include "core/wavelet/workload/magic_workload.h"
#include "datasets/samples.h"
#endif
#include "gpu/gpu_engines.h"

namespace sscope::cli {

namespace {

struct BenchArguments {
  BenchCaseOptions what;
  BenchChoice which;
  std::string json, csv, report, trace;
  int repetitions = kMinimumRepetitions;
  bool remeasure = false, warm = false, full = false, tune = false, slicesOnly = false;
  std::string sweep;  // what over: kFigures, or an option of the workload; empty: no sweep
};
constexpr const char* kFigures = "figures";

// "~" stands behind the milliseconds of rows whose clock fell.
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

BenchOptions benchOptions(const BenchArguments& options, int threads) {
  BenchOptions how;
  how.repetitions = options.repetitions;
  how.threads = threads;
  how.emptyCaches = !options.warm;
  how.remeasureCeilings = options.remeasure;
  return how;
}

void addRun(const Workshop& workshop, const BenchArguments& options, const std::string& name, BenchReport& report,
            std::string& text, [[maybe_unused]] std::vector<NamedTrace>& traces, const Control& control) {
  BenchCaseOptions what = options.what;
  what.workload = name;
  const BenchCase one = makeBenchCase(what, workshop.variants, *workshop.io, control);
  const ConstArrayView input = one.input.view();
  std::vector<BenchRow> rows =
      withValues(chosenRows(workshop, options.which, *one.workload), workshop, one.workload->name(), one.variantValues);
  text += one.title + "\n";
  if (options.tune) {
    text += tuneRows(workshop, *one.workload, input, rows, one.threads, control);
  } else {
    text += tunedRows(workshop, *one.workload, rows);
  }
  std::vector<Measurement> results = runBench(workshop.engines, workshop.variants, *one.workload, {&input, 1}, rows,
                                              benchOptions(options, one.threads), control);
  for (Measurement& m : results) m.params.update(one.origin);
  text += toTable(results) + footnote(results);
#ifndef SSCOPE_WITHOUT_LATTICE
  if (!options.trace.empty()) text += traceRows(workshop, *one.workload, input, results, one.threads, traces, control);
#endif
  report.results.insert(report.results.end(), results.begin(), results.end());
}

SweepOptions sweepOptions(const BenchArguments& options, const std::string& workload) {
  SweepOptions sweep{workload,     options.what.shape, options.what.parameters,  options.which,
                     options.full, options.tune,       benchOptions(options, 0), {}};
  if (options.sweep != kFigures) sweep.over = options.sweep;
  if (sweep.which.variant.empty() && sweep.over.empty()) sweep.which.variant = "all";
  return sweep;
}

// The data, and files that parameters name: custom taps, taps of the magic filter.
std::vector<std::string> inputsOf(const BenchCaseOptions& what) {
  std::vector<std::string> inputs{what.source.path};
  for (const std::string& parameter : what.parameters) {
#ifndef SSCOPE_WITHOUT_WAVELET
    if (parameter.starts_with("taps=") && parameter.substr(5) != MagicWorkload::kKineticTaps)
      inputs.push_back(parameter.substr(5));
#endif
    if (parameter.starts_with("filter=")) inputs.push_back(tapsFileOf(std::string_view(parameter).substr(7)));
  }
  return inputs;
}

// Throws where there are rows and every one was skipped: who asked for these engines and variants has no figure.
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

// What took minutes to measure is not lost because one of the outputs cannot be written. Throws for those that cannot,
// for a row that failed, and where nothing ran.
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

int runJob(Program& program, const BenchArguments& options) {
  const auto refuse = [](bool given, const std::string& option) {
    if (given) throw Error(ErrorKind::Usage, option + " is not for the job", "leave it out");
  };
  refuse(!options.csv.empty(), "--csv");
  refuse(!options.report.empty(), "--report");
  refuse(!options.trace.empty(), "--trace");
  refuse(!options.sweep.empty(), "--sweep");
  refuse(options.tune, "--tune");
  refuse(options.warm, "--warm");
  refuse(options.remeasure, "--remeasure");
  refusePipe(options.what.source.path, "sscope bench");
  requireSafeTargets({{options.json}, {}}, inputsOf(options.what));
  return runJobBench(program, {options.what, options.which, options.repetitions, options.slicesOnly, options.json});
}

int run(Program& program, const BenchArguments& options) {
  if (options.what.workload == kJob) return runJob(program, options);
  if (options.slicesOnly) throw Error(ErrorKind::Usage, "--slices is for the job", "leave it out, or time the job");
  if (!options.trace.empty() && options.what.workload != "cr")
    throw Error(ErrorKind::Usage, "--trace is for the workload cr, which has several kernels", "leave it out");
  refusePipe(options.what.source.path, "sscope bench");
  requireSafeTargets({{options.json, options.csv, options.report, options.trace}, {}}, inputsOf(options.what));
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
        addSweep(workshop, sweepOptions(options, name), report, text, control, timed);
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
  // What took minutes to measure is written, as far as it came.
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
  command
      ->add_option(
          "WORKLOAD", options->what.workload,
          workloads + ", or all; job: a step of a slider with the filters of the workload filter, from end to end")
      ->required();
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
  command->add_flag("--slices", options->slicesOnly,
                    "job: only the three slices that are shown first, as while a slider is held on slow data");
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
