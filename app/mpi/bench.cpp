#include "app/mpi/commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/bench/case_options.h"
#include "app/cli/command_files.h"
#include "app/cli/filter/filter_task.h"
#include "app/cli/options.h"
#include "app/cli/program.h"
#include "app/mpi/rank_shares.h"
#include "core/base/error.h"
#include "core/base/statistics.h"
#include "core/base/words.h"
#include "core/cpu/run/threads.h"
#include "core/ladder/bench_page.h"
#include "core/measure/machine.h"
#include "core/reach/scaling.h"
#include "core/reach/scaling_model.h"

namespace sscope::mpi {

namespace {

struct Arguments {
  cli::CaseOptions what;
  std::vector<int> ranks;  // empty: 1, 2, 4, ... and all
  std::string scaling = "strong", engine, variant, json, report;
  int repetitions = reach::RankBenchOptions().repetitions;
  bool noCeiling = false;
};

std::vector<int> ranksOf(const Arguments& options, int size) {
  std::vector<int> counts = options.ranks;
  if (counts.empty())
    for (int count = 1; count < size; count *= 2) counts.push_back(count);
  if (options.ranks.empty()) counts.push_back(size);
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  if (counts.back() > size)
    throw Error(ErrorKind::Usage,
                "there are " + std::to_string(size) + (size == 1 ? " rank" : " ranks") + ", not " +
                    std::to_string(counts.back()),
                "start it with mpirun -n " + std::to_string(counts.back()));
  return counts;
}

// The first ranks by themselves.
reach::RankMeasurement measure(reach::Communicator& ranks, const compare::Case& outline, const Arguments& options,
                               const Workshop& workshop, int threads, const Control& control) {
  Engine& engine = cli::rankEngine(workshop.engines, options.engine, ranks);
  const reach::ShareRequest request{options.variant, outline.recipe.data.seed, threads, outline.variantValues};
  const double copied = options.noCeiling ? 0 : reach::copyTogether(ranks, engine, threads, control);
  const double computed = options.noCeiling ? 0 : reach::computeTogether(ranks, engine, threads, control);
  const auto share = makeShare(outline, ranks, engine, workshop.variants, request, control);
  reach::RankBenchOptions how;
  how.repetitions = options.repetitions;
  reach::RankMeasurement result = reach::benchShare(ranks, *share, how, control);
  result.copyGbs = copied;
  result.arithmeticGflops = computed;
  result.devices = cli::devicesOfRanks(workshop.engines, options.engine, ranks, control);
  return result;
}

// Its figures beside the published numbers.
std::string pageOf(const reach::ScalingReport& report, const EngineSet& engines) {
  BenchReport page;
  page.stopped = report.stopped;
  page.machine = thisMachine();
  page.devices = engines.infos();
  return toHtml(page, {}, &report);
}

// The same work by one process with as many threads as `count` ranks have; 0 where that is not to be told.
double byThreads(World& world, const compare::Case& outline, const Arguments& options, const Workshop& workshop,
                 int threads, int count, const Control& control) {
  double seconds = 0;
  if (const auto alone = world.ranks().first(1, control)) {
    const Engine& engine = cli::rankEngine(workshop.engines, options.engine, *alone);
    // mpirun may have bound the process to fewer cores.
    if (engine.info().hasThreads() && cpu::threadCount(0) >= threads * count) {
      Arguments how = options;
      how.noCeiling = true;
      const cpu::ThreadLimit limit(threads * count);
      seconds = spreadOf(measure(*alone, outline, how, workshop, threads * count, control).samples).median;
    }
  }
  world.ranks().barrier(control);
  return seconds;
}

// The paper's number of iterations takes minutes on one rank.
cli::CaseOptions withFewIterations(cli::CaseOptions what) {
  const auto given = [](const std::string& one) { return one.starts_with("iterations="); };
  if (what.workload == "cr" && std::ranges::none_of(what.parameters, given))
    what.parameters.emplace_back("iterations=10");
  return what;
}

void writeResults(cli::Program& program, const Arguments& options, const Workshop& workshop,
                  const reach::ScalingReport& report, const std::vector<reach::ModelPoint>& model,
                  const reach::ExchangeRates& rates) {
  nlohmann::json document = toJson(report);
  std::string text = toTable(report);
  if (report.stopped.empty()) text += toTable(report, model, rates);
  if (rates.bandwidth > 0) document["model"] = toJson(report, model, rates);
  cli::runEach({[&] {
                  if (options.json != "-") cli::writeText(program, "-", text);
                },
                [&] {
                  if (!options.json.empty()) cli::writeJson(program, options.json, document);
                },
                [&] {
                  if (!options.report.empty())
                    cli::writeText(program, options.report, pageOf(report, workshop.engines));
                }});
}

int run(World& world, cli::Program& program, const Arguments& options) {
  cli::requireSafeTargets({{options.json, options.report}, {}});
  const std::vector<int> counts = ranksOf(options, world.ranks().size());
  const Workshop workshop = makeWorkshop({}, cli::devicesFor(options.engine));
  const bool weak = options.scaling == toString(reach::Scaling::Weak);
  if (!options.variant.empty()) cli::requireKnownVariant(workshop.variants, options.what.workload, options.variant);
  const auto outlineFor = [&](int count) {
    return cli::outlinedCase(withFewIterations(options.what), workshop.variants, weak ? count : 1);
  };
  // What is wrong is found by all ranks, before any of them waits.
  for (const int count : counts) requireShareable(outlineFor(count), count);
  static_cast<void>(cli::rankEngine(workshop.engines, options.engine, world.ranks()));
  const int threads = outlineFor(1).threads > 0 ? outlineFor(1).threads : program.threads;
  std::optional<cpu::ThreadLimit> limit(std::in_place, threads);
  const Control control = program.control();
  reach::ScalingReport report;
  report.scaling = weak ? reach::Scaling::Weak : reach::Scaling::Strong;
  report.workload = options.what.workload;
  report.title = titleOf(outlineFor(counts.front()));
  report.machines = world.hosts();
  const auto measureAll = [&] {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const auto share = [&](std::size_t k) { return static_cast<double>(k) / static_cast<double>(counts.size()); };
      if (const auto ranks = world.ranks().first(counts[i], control)) {
        report.points.push_back(
            measure(*ranks, outlineFor(counts[i]), options, workshop, threads, control.part(share(i), share(i + 1))));
        if (program.speaks()) program.interrupt.waitsForResults();
        program.log("timed " + counted(counts[i], "rank"));
      }
      world.ranks().barrier(control);  // the others wait
      if (weak || counts[i] == 1) continue;
      limit.reset();  // the strictest of several counts
      const double seconds =
          byThreads(world, outlineFor(counts[i]), options, workshop, threads, counts[i], {control.stop, {}});
      limit.emplace(threads);
      if (!report.points.empty() && report.points.back().ranks == counts[i])
        report.points.back().threadsSeconds = seconds;
    }
  };
  reach::ExchangeRates rates;
  try {
    measureAll();
    rates = reach::measureExchange(world.ranks(), {control.stop, {}});
  } catch (...) {
    // What took minutes to measure is written, as far as it came; by now another rank may be gone.
    if (!program.speaks() || report.points.empty()) throw;
    report.stopped = stoppedAfter(std::ssize(report.points), "row", std::ssize(counts));
    writeResults(program, options, workshop, report, {}, {});
    throw;
  }
  if (!program.speaks()) return 0;
  // Where the extents of so many ranks' work are no longer those of a lattice, the model ends.
  const reach::WorkOfRanks work = [&](int count) -> std::optional<reach::RankWork> {
    try {
      return rankWork(outlineFor(count), count);
    } catch (const Error&) {
      return {};
    }
  };
  writeResults(program, options, workshop, report, reach::modelPoints(report, work, rates), rates);
  return 0;
}

}  // namespace

void addScalingBench(World& world, CLI::App& app, cli::Program& program) {
  const auto options = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("bench", "Time a workload on more and more ranks, every output checked");
  std::string workloads;
  for (const std::string& name : cli::benchWorkloads()) workloads += (workloads.empty() ? "" : ", ") + name;
  command->add_option("WORKLOAD", options->what.workload, workloads)->required();
  command
      ->add_option("--scaling", options->scaling,
                   "strong (default): the same work for any number of ranks; weak: as much for each, along z, or the "
                   "time extent of a lattice")
      ->check(CLI::IsMember({"strong", "weak"}));
  constexpr int kMostRanks = 1 << 20;
  cli::addNumbersOption(*command, "--ranks", options->ranks, {"N,N,...", 1, 64, 1, kMostRanks},
                        "How many ranks take part, one after the other (default 1, 2, 4, ... and all)");
  constexpr std::int64_t kLongest = std::int64_t{1} << 24;
  cli::addNumbersOption(*command, "--shape", options->what.shape, {"X,Y[,Z]", 2, 3, 1, kLongest},
                        "Extents of the noise to compute on; with --scaling weak, of one rank's");
  command->add_option("--param", options->what.parameters, "A parameter of the workload, see sscope bench --help")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command
      ->add_option("--engine", options->engine,
                   "An engine, or cuda or opencl, whose devices the ranks of a machine take in turn (default: the "
                   "processor)")
      ->type_name("ID");
  command->add_option("--variant", options->variant, "A variant (default: the engine's first)")->type_name("NAME");
  command->add_option("--reps", options->repetitions, "Repetitions, at least 7; more are made until 0.3 s have passed")
      ->transform(cli::wholeNumberWithin(7, 1000000));
  command->add_flag("--no-ceiling", options->noCeiling,
                    "Do not measure what all ranks copy and compute at once, some seconds each");
  command->add_option("--json", options->json, "Write JSON to FILE, or to the standard output (-)")
      ->type_name("FILE|-");
  command->add_option("--report", options->report, "Write a page with figures, published numbers beside them")
      ->type_name("FILE.html");
  command->callback([&world, &program, options] {
    program.action = [&world, &program, options] { return run(world, program, *options); };
  });
}

}  // namespace sscope::mpi
