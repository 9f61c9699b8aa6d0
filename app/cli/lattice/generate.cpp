// sscope lattice generate: a gauge configuration of Wilson's action by heat bath.

#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/lattice/lattice_command.h"
#include "app/cli/lattice/write_options.h"
#include "core/lattice/heat_bath.h"
#include "core/lattice/observables.h"

namespace sscope::cli {

namespace {

using namespace lattice;

struct Options {
  Dims dims;
  double beta = 6;
  std::string start = "cold";
  int sweeps = 100;
  std::uint64_t seed = 1;
  WriteChoice write;
};

int run(Program& program, const Options& options) {
  const Lattice lattice(*extentsOf(options.dims));
  const Control control = program.control();
  const Target target = targetOf(program, options.write);
  GaugeField field = options.start == "hot" ? hotStart(lattice, options.seed) : GaugeField(lattice);
  for (int sweep = 0; sweep < options.sweeps; ++sweep) {
    control.report(static_cast<double>(sweep) / options.sweeps,
                   "sweep " + std::to_string(sweep + 1) + " of " + std::to_string(options.sweeps));
    heatBathSweep(field, options.beta, options.seed, static_cast<std::uint64_t>(sweep), control);
  }
  target.write(field, control);
  program.tell(options.write.output + ": " + lattice.text() + ", plaquette " +
               numberText(meanPlaquette(field, control)));
  return 0;
}

}  // namespace

void addLatticeGenerate(CLI::App& lattice, Program& program) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = lattice.add_subcommand("generate", "Generate a configuration of Wilson's action by heat bath");
  addDimsOption(*command, options->dims, "Extents of the lattice", true);
  command->add_option("--beta", options->beta, "The coupling, 6 / g^2 (default 6)")
      ->check(CLI::Range(0.0, 1000.0));
  command->add_option("--start", options->start, "Unit links (cold, the default) or random ones (hot)")
      ->check(CLI::IsMember({"cold", "hot"}));
  command->add_option("--sweeps", options->sweeps, "Sweeps over all links (default 100)")
      ->check(CLI::Range(0, 1000000));
  command->add_option("--seed", options->seed, "The same seed gives the same configuration (default 1)")
      ->check(CLI::NonNegativeNumber);
  addWriteOptions(*command, options->write);
  command->callback([&program, options] { program.action = [&program, options] { return run(program, *options); }; });
}

}  // namespace sscope::cli
