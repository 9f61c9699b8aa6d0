#include "app/cli/lattice/write_options.h"

#include <CLI/CLI.hpp>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/io/lattice/configuration_io.h"

namespace sscope::cli {

using namespace lattice;

void addWriteOptions(CLI::App& command, WriteChoice& choice) {
  command.add_option("-o,--output", choice.output, "The file to write")->required()->type_name("OUT");
  command
      .add_option("--format", choice.format,
                  "nersc, or ildg (default: ildg for files named .lime or .ildg, else nersc)")
      ->check(CLI::IsMember({"nersc", "ildg"}));
  command.add_option("--precision", choice.precision, "Bits of each number (default 64)")
      ->check(CLI::IsMember({32, 64}));
  command.add_flag("--two-rows", choice.twoRows, "NERSC: leave the third row out, which follows from the others");
}

Target targetOf(Program& program, const WriteChoice& choice) {
  const std::filesystem::path path(choice.output);
  const bool ildg =
      choice.format.empty() ? path.extension() == ".lime" || path.extension() == ".ildg" : choice.format == "ildg";
  if (ildg && choice.twoRows) throw Error(ErrorKind::Usage, "ILDG files hold all three rows", "leave --two-rows out");
  if (choice.output == "-")
    throw Error(ErrorKind::Usage, "a configuration is not written to the standard output", "name a file");
  requireConfigurationName(path);
  checkTarget(path);
  program.interrupt.writes(path);
  return {choice.output,
          {ildg ? ConfigurationFormat::Ildg : ConfigurationFormat::Nersc, choice.precision, choice.twoRows}};
}

void Target::write(const GaugeField& field, const Provenance& provenance, const Control& control) const {
  ConfigurationWriteOptions options = options_;
  options.provenance = provenance;
  makeConfigurationIo()->write(output_, field, options, control);
}

}  // namespace sscope::cli
