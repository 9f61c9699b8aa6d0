// sscope lattice generate and convert: a gauge configuration of Wilson's action by heat bath, and a configuration in
// another format.

#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/command_files.h"
#include "app/cli/lattice/lattice_command.h"
#include "app/cli/options.h"
#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/lattice/job/lattice_job.h"
#include "core/lattice/observables.h"

namespace sscope::cli {

namespace {

using namespace lattice;

struct GenerateArguments {
  Dims dims;
  double beta = 6;
  std::string start = "hot";
  int sweeps = 100;
  std::uint64_t seed = 1;
  WriteChoice write;
};

// The file is assembled in memory, in addition to the links; the check after the last sweep would be too late.
void requireMemory(const Extents& extents, const WriteChoice& write) {
  const Lattice lattice(extents);
  const int fileBytes = kDirections * (write.twoRows ? 2 : 3) * 3 * 2 * write.precision / 8;  // per site
  if (!fitsInMemory(lattice.volume() * (kDirections * static_cast<std::int64_t>(sizeof(Matrix3)) + fileBytes)))
    throw Error(ErrorKind::Memory,
                "there is not enough memory for the links of " + lattice.text() + " sites and their file",
                "use a smaller lattice");
}

int run(Program& program, const GenerateArguments& options) {
  const GenerateSettings settings{*extentsOf(options.dims), options.beta, options.start == "hot", options.sweeps,
                                  options.seed};
  const Control control = program.control();
  const Target target = targetOf(program, options.write);
  requireMemory(settings.extents, options.write);
  const GaugeField field = generateField(settings, control);
  target.write(field, provenanceOf(settings), control);
  if (const std::string notice = thermalizationNotice(settings); !notice.empty()) program.note("note: " + notice);
  program.tell(options.write.output + ": " + field.lattice().text() + ", plaquette " +
               numberText(meanPlaquette(field, control)));
  return 0;
}

}  // namespace

void addLatticeGenerate(CLI::App& lattice, Program& program) {
  const auto options = std::make_shared<GenerateArguments>();
  CLI::App* command = lattice.add_subcommand("generate", "Generate a configuration of Wilson's action by heat bath");
  addDimsOption(*command, options->dims, "Extents of the lattice", true);
  command->add_option("--beta", options->beta, "The coupling, 6 / g^2 (default 6)")->check(numberWithin(0.0, 1000.0));
  command
      ->add_option("--start", options->start,
                   "Random links (hot, the default) or unit ones (cold), which take longer to thermalize")
      ->check(CLI::IsMember({"cold", "hot"}));
  command->add_option("--sweeps", options->sweeps, "Sweeps over all links (default 100)")
      ->transform(wholeNumberWithin(0, 1000000));
  addSeedOption(*command, options->seed, "The same seed gives the same configuration (default 1)");
  addWriteOptions(*command, options->write);
  command->callback([&program, options] { program.action = [&program, options] { return run(program, *options); }; });
}

namespace {

struct ConvertArguments {
  ConfigurationChoice configuration;
  WriteChoice write;
};

int run(Program& program, const ConvertArguments& options) {
  const Target target = targetOf(program, options.write);
  requireSafeTargets({{options.write.output}, {}}, {options.configuration.file});
  const lattice::Configuration configuration = readConfiguration(program, options.configuration);
  target.write(configuration.field, configuration.info.provenance, program.control());
  program.tell(options.write.output + ": " + configuration.field.lattice().text());
  return 0;
}

}  // namespace

void addLatticeConvert(CLI::App& lattice, Program& program) {
  const auto options = std::make_shared<ConvertArguments>();
  options->configuration.keepLinks = true;  // a copy has the links of the original
  CLI::App* command = lattice.add_subcommand("convert", "Write a configuration in another format or precision");
  addConfigurationOptions(*command, options->configuration);
  addWriteOptions(*command, options->write);
  command->callback([&program, options] { program.action = [&program, options] { return run(program, *options); }; });
}

}  // namespace sscope::cli
