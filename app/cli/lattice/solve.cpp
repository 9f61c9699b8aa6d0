// sscope lattice solve: Wilson's operator inverted, and the pion correlator.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/command_files.h"
#include "app/cli/lattice/lattice_command.h"
#include "app/cli/lattice/system_solver.h"
#include "app/cli/options.h"
#include "core/base/error.h"
#include "core/io/volume_io.h"
#include "core/lattice/correlator.h"
#include "core/lattice/job/spinor_file.h"

namespace sscope::cli {

namespace {

using namespace lattice;

struct SolveArguments {
  ConfigurationChoice configuration;
  WilsonChoice wilson;
  SolverOptions solver;
  std::string solverName = "auto", preconditionerName = "auto", json, trace, output;
  bool propagator = false;
};

std::vector<std::string> solverNames() {
  std::vector<std::string> names;
  for (const Solver solver : {Solver::Auto, Solver::Cr, Solver::Gcr, Solver::BiCgStab, Solver::Cgnr})
    names.emplace_back(toString(solver));
  return names;
}

std::vector<std::string> preconditionerNames() {
  std::vector<std::string> names;
  for (const Preconditioner preconditioner : {Preconditioner::Auto, Preconditioner::None, Preconditioner::EvenOdd})
    names.emplace_back(toString(preconditioner));
  return names;
}

// Sums over the systems (one or twelve).
struct Outcome {
  SolverResult last;
  int systems = 0, iterations = 0;
  double seconds = 0, worst = 0;
  std::vector<double> correlator;
  std::vector<NamedTrace> traces;      // of the systems, if requested
  std::vector<SpinorField> solutions;  // if requested
};

SolverResult solveOne(Program& program, SystemSolver& solver, const SpinorField& source, const SolveArguments& options,
                      int system, int systems, KernelTrace* trace) {
  const double target = std::log(options.solver.tolerance);
  const std::string stage = systems > 1 ? "system " + std::to_string(system + 1) + " of 12" : "solving";
  const auto show = [&](int, double residual) {
    const double share = std::clamp(std::log(std::max(residual, 1e-300)) / target, 0.0, 1.0);
    program.progress.show((system + share) / systems, stage);
  };
  return solver.solve(source, program.control(), show, trace);
}

// With several ranks, the first one has sources and solutions.
SpinorField sourceFor(const Program& program, const Lattice& lattice, const SolveArguments& options, int system) {
  const WilsonChoice& wilson = options.wilson;
  const std::int64_t site = siteOf(lattice, wilson);  // throws on every rank for an invalid site
  if (!program.speaks()) return {};
  return options.propagator ? pointSource(lattice, site, system / kSpins, system % kSpins) : sourceOf(lattice, wilson);
}

Outcome solveAll(Program& program, SystemSolver& solver, const SolveArguments& options) {
  const Lattice& lattice = solver.lattice();
  Outcome outcome;
  const int systems = options.propagator ? kSpinorElements : 1;
  for (int k = 0; k < systems; ++k) {
    const SpinorField source = sourceFor(program, lattice, options, k);
    KernelTrace trace;
    outcome.last = solveOne(program, solver, source, options, k, systems, options.trace.empty() ? nullptr : &trace);
    if (!options.trace.empty()) outcome.traces.push_back({"system " + std::to_string(k + 1), std::move(trace)});
    ++outcome.systems;
    outcome.iterations += outcome.last.iterations;
    outcome.seconds += outcome.last.seconds;
    outcome.worst = std::max(outcome.worst, outcome.last.trueResidual);
    if (!outcome.last.converged) break;
    const int time = options.wilson.at.empty() ? 0 : options.wilson.at.back();
    if (options.propagator && program.speaks())
      addToPionCorrelator(lattice, outcome.last.solution, time, outcome.correlator);
    if (!options.output.empty()) outcome.solutions.push_back(std::move(outcome.last.solution));
  }
  if (!outcome.last.converged) outcome.correlator.clear();
  return outcome;
}

nlohmann::json toJson(const Outcome& outcome, const SolveArguments& options) {
  nlohmann::json document{{"schema", "stencilscope.solve/1"},
                          {"file", options.configuration.file},
                          {"kappa", options.wilson.parameters.kappa},
                          {"time_boundary", options.wilson.parameters.timeBoundary},
                          {"source", options.propagator ? "point" : options.wilson.source},
                          {"seed", options.wilson.seed},
                          {"solver", std::string(toString(outcome.last.solver))},
                          {"preconditioner", std::string(toString(outcome.last.preconditioner))},
                          {"tolerance", options.solver.tolerance},
                          {"systems", outcome.systems},
                          {"iterations", outcome.iterations},
                          {"residuals", outcome.last.residuals},
                          {"true_residual", outcome.worst},
                          {"converged", outcome.last.converged},
                          {"seconds", outcome.seconds}};
  if (!outcome.last.preconditionerNote.empty()) document["preconditioner_note"] = outcome.last.preconditionerNote;
  if (!outcome.last.failure.empty()) document["failure"] = outcome.last.failure;
  if (!outcome.correlator.empty()) {
    document["pion_correlator"] = outcome.correlator;
    document["effective_mass"] = effectiveMass(outcome.correlator);
  }
  return document;
}

// The header of solutions, for other programs.
SpinorNotes notesOf(const Outcome& outcome, const SolveArguments& options) {
  const auto at = [&](std::size_t mu) { return std::to_string(options.wilson.at.empty() ? 0 : options.wilson.at[mu]); };
  const std::string place = "point at " + at(0) + " " + at(1) + " " + at(2) + " " + at(3);
  const WilsonChoice& wilson = options.wilson;
  SpinorNotes notes{
      {"content", options.propagator ? "propagator: a field for each color and spin of the source, 4 color + spin"
                                     : "solution of D x = source"},
      {"configuration", std::filesystem::path(options.configuration.file).filename().string()},
      {"kappa", numberText(wilson.parameters.kappa)},
      {"time boundary", std::to_string(wilson.parameters.timeBoundary)},
      {"source", options.propagator ? place
                 : wilson.source == "point"
                     ? place + ", color " + std::to_string(wilson.color) + ", spin " + std::to_string(wilson.spin)
                     : "hash, seed " + std::to_string(wilson.seed)},
      {"solver", std::string(toString(outcome.last.solver))},
      {"tolerance", numberText(options.solver.tolerance)},
      {"true residual", numberText(outcome.worst)},
      {"order of numbers", "re, im; spin; color; field; x; y; z; t"},
      {"gammas", "DeGrand-Rossi"},
      {"program", std::string("stencilscope ") + SSCOPE_VERSION}};
  if (options.solver.twist != 0) notes.emplace_back("twist", numberText(options.solver.twist));
  return notes;
}

std::string preconditionerText(const SolverResult& result) {
  const std::string name(toString(result.preconditioner));
  return result.preconditionerNote.empty() ? name : name + " (" + result.preconditionerNote + ")";
}

std::string toText(const Outcome& outcome, const nlohmann::json& ran) {
  std::vector<std::pair<std::string, std::string>> rows{
      {"solver", std::string(toString(outcome.last.solver))},
      {"preconditioner", preconditionerText(outcome.last)},
      {"systems", std::to_string(outcome.systems)},
      {"iterations", std::to_string(outcome.iterations)},
      {"true residual", numberText(outcome.worst)},
      {"seconds", numberText(outcome.seconds)},
      {"ran on", ran.at("engine").get<std::string>() + " " + ran.at("variant").get<std::string>()}};
  const std::vector<double> masses = effectiveMass(outcome.correlator);
  for (std::size_t t = 0; t < outcome.correlator.size(); ++t) {
    std::string line = numberText(outcome.correlator[t]);
    if (t < masses.size() && std::isfinite(masses[t])) line += "  effective mass " + numberText(masses[t]);
    rows.emplace_back("C(" + std::to_string(t) + ")", line);
  }
  return pairsText(rows);
}

// The remedy. More iterations do not help if the operator rounds, which the true residual shows.
std::string remedyFor(const SolveArguments& options, bool rounded) {
  if (!rounded) return "try another --solver, more --max-iterations or a smaller --kappa";
  if (options.wilson.variant == "tuned-mixed" && options.solver.solver != Solver::Cr)
    return "add --solver cr, the only one that corrects the rounding of tuned-mixed, or omit --variant";
  if (options.wilson.variant == "tuned-mixed") return "try more --max-iterations, or omit --variant";
  return options.wilson.variant +
         " rounds to float32, which more iterations cannot correct: omit --variant, or give --solver cr --variant "
         "tuned-mixed";
}

int run(Program& program, SolveArguments options) {
  options.solver.solver = solverNamed(options.solverName);
  options.solver.preconditioner = preconditionerNamed(options.preconditionerName);
  if (options.solver.solver == Solver::Cr && options.solver.preconditioner == Preconditioner::EvenOdd)
    throw Error(ErrorKind::Usage, "the solver cr has no even-odd preconditioning",
                "omit --preconditioner, or choose another --solver");
  if (options.solver.twist != 0 && options.solver.solver != Solver::Cr)
    throw Error(ErrorKind::Usage, "--twist applies only to the solver cr", "add --solver cr, or omit --twist");
  if (options.propagator && (options.wilson.color != 0 || options.wilson.spin != 0))
    throw Error(ErrorKind::Usage, "a propagator has all colors and spins", "omit --color and --spin");
  if (options.propagator && options.wilson.source != "point")
    throw Error(ErrorKind::Usage, "the sources of a propagator are points", "omit --source");
  if (!options.trace.empty() && options.solver.solver != Solver::Cr)
    throw Error(ErrorKind::Usage, "--trace works only with the solver that runs on the engine", "give --solver cr");
  if (program.ranks.size() > 1 && !options.trace.empty())
    throw Error(ErrorKind::Usage, "--trace works only with one process", "omit it, or start one rank");
  onFirstRank(program, [&] {
    requireSafeTargets({{options.json, options.trace}, {options.output}}, {options.configuration.file});
  });
  const std::unique_ptr<SystemSolver> solver =
      makeSystemSolver(program, options.configuration, options.wilson, options.solver);
  const Lattice lattice = solver->lattice();
  const std::unique_ptr<VolumeIo> io = makeVolumeIo();
  if (!options.output.empty())
    requireSpinorTarget(*io, options.output, lattice, options.propagator ? kSpinorElements : 1);
  Outcome outcome = solveAll(program, *solver, options);
  nlohmann::json document = toJson(outcome, options);
  const nlohmann::json ran = solver->toJson();
  document.update(ran);
  document["dims"] = lattice.extents();
  std::string text = toText(outcome, ran);
  if (!outcome.traces.empty()) text += sharesTable(outcome.traces.front().trace);
  if (options.json != "-" && options.trace != "-") writeText(program, "-", text);
  if (!options.trace.empty()) writeJson(program, options.trace, chromeTrace(outcome.traces));
  if (!options.json.empty()) writeJson(program, options.json, document);
  if (!outcome.last.converged)
    throw Error(ErrorKind::BadData,
                "cannot solve on " + options.configuration.file + ": " + outcome.last.failure + " (true residual " +
                    numberText(outcome.last.trueResidual) + ")",
                remedyFor(options, solver->row().lower.has_value()));
  onFirstRank(program, [&] {
    if (options.output.empty()) return;
    program.interrupt.writes(options.output);
    const SpinorNotes notes = notesOf(outcome, options);
    writeSpinors(*io, options.output, {lattice, std::move(outcome.solutions), notes}, program.control());
    program.log("wrote " + options.output);
  });
  return 0;
}

}  // namespace

void addLatticeSolve(CLI::App& lattice, Program& program) {
  const auto options = std::make_shared<SolveArguments>();
  CLI::App* command = lattice.add_subcommand("solve", "Solve D x = source, or compute a whole propagator");
  addConfigurationOptions(*command, options->configuration);
  addKeepLinksOption(*command, options->configuration);
  addWilsonOptions(*command, options->wilson);
  command->add_option("--solver", options->solverName, "The solver (default auto: BiCGstab, then CGNR if that fails)")
      ->check(CLI::IsMember(solverNames()));
  command
      ->add_option("--preconditioner", options->preconditionerName,
                   "Half the sites and about half the iterations (default auto: even-odd if every extent is even, "
                   "on CPU engines, never for cr)")
      ->check(CLI::IsMember(preconditionerNames()));
  command
      ->add_option("--tolerance", options->solver.tolerance,
                   "Largest |source - D x| / |source| to stop at (default 1e-10)")
      ->check(numberWithin(1e-15, 0.999));
  command->add_option("--max-iterations", options->solver.maxIterations, "The limit for one system (default 10000)")
      ->transform(wholeNumberWithin(1, 100000000));
  command->add_option("--twist", options->solver.twist, "cr: solve (gamma_5 D + i twist) x = gamma_5 source")
      ->check(numberWithin(-10.0, 10.0));
  command->add_flag("--propagator", options->propagator,
                    "All twelve point sources at one site, and the pion correlator");
  command
      ->add_option(
          "-o,--output", options->output,
          "Write the solution, or all twelve of the propagator, as NRRD (see `lattice info` and `lattice field "
          "--observable density`)")
      ->type_name("OUT.nrrd");
  command->add_option("--trace", options->trace, "cr: write the time of every kernel, for ui.perfetto.dev (slower)")
      ->type_name("FILE.json");
  command->add_option("--json", options->json, "Write a report to FILE, or to the standard output (-)")
      ->type_name("FILE|-");
  command->footer(
      "Variants of lower precision: tuned-mixed reaches tolerances of float64 (1e-10) with --solver cr, which restarts "
      "from true residuals; the other solvers iterate with the rounded operator, and end near 1e-7. tuned-f32 ends "
      "near 1e-6 with "
      "any of them.");
  command->callback([&program, options] { program.action = [&program, options] { return run(program, *options); }; });
}

}  // namespace sscope::cli
