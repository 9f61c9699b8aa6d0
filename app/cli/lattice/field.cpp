// sscope lattice field: an observable of a gauge configuration as a volume.

#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/checks.h"
#include "app/cli/lattice/lattice_command.h"
#include "app/cli/targets.h"
#include "core/base/error.h"
#include "core/lattice/job/spinor_file.h"
#include "core/lattice/observables.h"
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
    throw Error(ErrorKind::Usage, "there is no time slice " + text, "give a number from 0 on, or all");
  return slice;
}

// |psi|^2, of spinors; the others are of links.
constexpr const char* kDensity = "density";

std::vector<std::string> observableNames() {
  std::vector<std::string> names{kDensity};
  for (const ObservableInfo& one : observables()) names.push_back(one.name);
  return names;
}

void write(Program& program, const Workshop& workshop, const FieldArguments& options, const Volume& volume) {
  program.interrupt.writes(options.output);
  workshop.io->write(options.output, volume, program.control());
  program.tell(options.output + ": " + options.observable + ", " + volume.shape().text());
}

int runDensity(Program& program, const FieldArguments& options, int timeSlice) {
  if (options.flow > 0)
    throw Error(ErrorKind::Usage, "--flow smooths links, and a density is of spinors", "leave it out");
  const Workshop workshop = makeWorkshop({}, Devices::Leave);
  requireSafeTargets({{}, {options.output}}, {options.configuration.file});
  const SpinorFile file = readSpinors(*workshop.io, options.configuration.file, program.control());
  requireTimeSlice(file.lattice, timeSlice);
  const Volume volume = asVolume(file.lattice, spinorDensities(file), timeSlice);
  workshop.io->checkWritable(options.output, volume.shape(), volume.type());
  write(program, workshop, options, volume);
  return 0;
}

int run(Program& program, const FieldArguments& options) {
  const int timeSlice = timeSliceOf(options.timeSlice);
  if (options.observable == kDensity) return runDensity(program, options, timeSlice);
  const Observable observable = observableNamed(options.observable);
  if (observable == Observable::Polyakov && timeSlice != kAllTimeSlices)
    throw Error(ErrorKind::Usage, "Polyakov loops run through all of time", "leave --time-slice out");
  const Workshop workshop = makeWorkshop({}, Devices::Leave);
  const Control control = program.control();
  requireSafeTargets({{}, {options.output}}, {options.configuration.file});
  Configuration configuration = readConfiguration(program, options.configuration);
  const Lattice& lattice = configuration.field.lattice();
  requireTimeSlice(lattice, timeSlice);
  const int components = observable == Observable::Polyakov ? 2 : timeSlice == kAllTimeSlices ? lattice.extent(3) : 1;
  workshop.io->checkWritable(options.output, {lattice.extent(0), lattice.extent(1), lattice.extent(2), components},
                             ElementType::f64);
  const GaugeField field = flowed(std::move(configuration.field), options.flow, kFlowStep, control);
  write(program, workshop, options, observableVolume(field, observable, timeSlice, control));
  return 0;
}

}  // namespace

void addLatticeField(CLI::App& lattice, Program& program) {
  const auto options = std::make_shared<FieldArguments>();
  CLI::App* command = lattice.add_subcommand("field", "Write an observable of a configuration as a volume");
  addConfigurationOptions(*command, options->configuration);
  addKeepLinksOption(*command, options->configuration);
  command->add_option("--observable", options->observable, "What to compute (default plaquette)")
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
