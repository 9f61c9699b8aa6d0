// sscope lattice field: an observable of a gauge configuration as a volume.

#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/command_files.h"
#include "app/cli/lattice/lattice_command.h"
#include "app/cli/options.h"
#include "core/base/error.h"
#include "core/lattice/job/spinor_file.h"
#include "core/lattice/observables.h"
#include "core/lattice/ranks/rank_flow.h"
#include "core/lattice/ranks/spread.h"
#include "core/lattice/wilson_flow.h"

namespace sscope::cli {

namespace {

using namespace lattice;

struct FieldArguments {
  ConfigurationChoice configuration;
  std::string observable = "plaquette", timeSlice = "all", output;
  double flow = 0;
};

int timeSliceOf(const std::string& text) {
  if (text == "all") return kAllTimeSlices;
  int slice = -1;
  if (!CLI::detail::lexical_cast(text, slice) || slice < 0)
    throw Error(ErrorKind::Usage, "there is no time slice " + text, "give a number from 0, or all");
  return slice;
}

// |psi|^2 of spinors; the other observables are of links.
constexpr const char* kDensity = "density";

std::vector<std::string> observableNames() {
  std::vector<std::string> names{kDensity};
  for (const ObservableInfo& one : observables()) names.push_back(one.name);
  return names;
}

void write(Program& program, const Workshop& workshop, const FieldArguments& options, const Volume& volume) {
  program.interrupt.writes(options.output);
  WriteOptions how;
  how.metadata.inSpace = false;
  workshop.io->write(options.output, volume, how, program.control());
  program.tell(options.output + ": " + options.observable + ", " + volume.shape().text());
}

void writeDensity(Program& program, const FieldArguments& options, int timeSlice) {
  const Workshop workshop = makeWorkshop({}, Devices::Leave);
  requireSafeTargets({{}, {options.output}}, {options.configuration.file});
  const SpinorFile file = readSpinors(*workshop.io, options.configuration.file, program.control());
  requireTimeSlice(file.lattice, timeSlice);
  const Volume volume = asVolume(file.lattice, spinorDensities(file), timeSlice);
  workshop.io->checkWritable(options.output, volume.shape(), volume.type());
  write(program, workshop, options, volume);
}

void check(const Workshop& workshop, const FieldArguments& options, const Lattice& lattice, Observable observable,
           int timeSlice) {
  requireTimeSlice(lattice, timeSlice);
  const int components = observable == Observable::Polyakov ? 2 : timeSlice == kAllTimeSlices ? lattice.extent(3) : 1;
  workshop.io->checkWritable(options.output, {lattice.extent(0), lattice.extent(1), lattice.extent(2), components},
                             ElementType::f64);
}

// Each rank smooths its time slices and computes observables that need few of them. The result is empty on all but the
// first rank.
Volume overRanks(Program& program, const Workshop& workshop, const FieldArguments& options, Observable observable,
                 int timeSlice) {
  const Control control = program.control();
  reach::Communicator& ranks = program.ranks;
  const DealtField dealt = dealtConfiguration(program, options.configuration);
  const Lattice& whole = dealt.part.whole;
  onFirstRank(program, [&] { check(workshop, options, whole, observable, timeSlice); });
  RankFlow flow(ranks, dealt.part, dealt.links, control);
  const FlowSteps steps = flowSteps(options.flow, kFlowStep);
  for (std::int64_t k = 0; k < steps.count; ++k) {
    control.report(static_cast<double>(k) / static_cast<double>(steps.count), "flow");
    flow.step(steps.epsilon, ranks, {control.stop, {}});
  }
  const std::vector<LatticePart> parts = latticeParts(whole, ranks.size());
  if (observable == Observable::Polyakov) {
    const GaugeField field = collected(flow.field(control), parts, ranks, control);
    return program.speaks() ? observableVolume(field, observable, timeSlice, control) : Volume();
  }
  const std::vector<double> values = collected(flow.densities(observable, control), parts, ranks, control);
  return program.speaks() ? asVolume(whole, values, timeSlice) : Volume();
}

Volume alone(Program& program, const Workshop& workshop, const FieldArguments& options, Observable observable,
             int timeSlice) {
  Configuration configuration = readConfiguration(program, options.configuration);
  check(workshop, options, configuration.field.lattice(), observable, timeSlice);
  const Control control = program.control();
  const GaugeField field = flowed(std::move(configuration.field), options.flow, kFlowStep, control);
  return observableVolume(field, observable, timeSlice, control);
}

int run(Program& program, const FieldArguments& options) {
  const int timeSlice = timeSliceOf(options.timeSlice);
  if (options.observable == kDensity) {
    if (options.flow > 0)
      throw Error(ErrorKind::Usage, "--flow smooths links, and a density is computed from spinors", "omit --flow");
    onFirstRank(program, [&] { writeDensity(program, options, timeSlice); });
    return 0;
  }
  const Observable observable = observableNamed(options.observable);
  if (observable == Observable::Polyakov && timeSlice != kAllTimeSlices)
    throw Error(ErrorKind::Usage, "Polyakov loops extend over all time slices", "omit --time-slice");
  const Workshop workshop = makeWorkshop({}, Devices::Leave);
  onFirstRank(program, [&] { requireSafeTargets({{}, {options.output}}, {options.configuration.file}); });
  const Volume volume = program.ranks.size() > 1 ? overRanks(program, workshop, options, observable, timeSlice)
                                                 : alone(program, workshop, options, observable, timeSlice);
  onFirstRank(program, [&] { write(program, workshop, options, volume); });
  return 0;
}

}  // namespace

void addLatticeField(CLI::App& lattice, Program& program) {
  const auto options = std::make_shared<FieldArguments>();
  CLI::App* command = lattice.add_subcommand("field", "Write an observable of a configuration as a volume");
  addConfigurationOptions(*command, options->configuration);
  addKeepLinksOption(*command, options->configuration);
  command->add_option("--observable", options->observable, "The observable (default plaquette)")
      ->check(CLI::IsMember(observableNames()));
  command->add_option("--flow", options->flow, "Smooth by the Wilson flow for this time first (default 0)")
      ->check(numberWithin(0.0, 1000.0))
      ->type_name("T");
  command->add_option("--time-slice", options->timeSlice, "One slice, or all of them as components (default)")
      ->type_name("N|all");
  command->add_option("-o,--output", options->output, "The file to write; its extension chooses the format")
      ->required()
      ->type_name("OUT");
  std::string help =
      std::string("  ") + kDensity + ": |psi|^2 of the spinors in CONFIG, a file that `lattice solve -o` wrote\n";
  for (const ObservableInfo& one : observables()) help += "  " + one.name + ": " + one.explanation + "\n";
  command->footer(help);
  command->callback([&program, options] { program.action = [&program, options] { return run(program, *options); }; });
}

}  // namespace sscope::cli
