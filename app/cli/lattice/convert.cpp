// sscope lattice convert: a gauge configuration in another format.

#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/lattice/lattice_command.h"
#include "app/cli/lattice/write_options.h"
#include "app/cli/targets.h"

namespace sscope::cli {

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
  options->configuration.keepLinks = true;  // a copy has the links of its original
  CLI::App* command = lattice.add_subcommand("convert", "Write a configuration in another format or precision");
  addConfigurationOptions(*command, options->configuration);
  addWriteOptions(*command, options->write);
  command->callback([&program, options] { program.action = [&program, options] { return run(program, *options); }; });
}

}  // namespace sscope::cli
