#include "app/cli/lattice/lattice_command.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <system_error>
#include <vector>

#include <fmt/core.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/filter/filter_task.h"
#include "app/cli/options.h"
#include "app/cli/pipe_files.h"
#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/base/words.h"
#include "core/io/lattice/configuration_io.h"
#include "core/lattice/ranks/spread.h"
#include "core/parts/agreed.h"

namespace sscope::cli {

using namespace lattice;

namespace {

// The extents are checked by Lattice, with its own messages.
const NumberList kPlace{"X,Y,Z,T", kDirections, kDirections, std::numeric_limits<int>::min(),
                        std::numeric_limits<int>::max()};

}  // namespace

void addDimsOption(CLI::App& command, Dims& dims, const std::string& help, bool required) {
  addNumbersOption(command, "--dims", dims, kPlace, help)->required(required);
}

std::optional<Extents> extentsOf(const Dims& dims) {
  if (dims.empty()) return std::nullopt;
  const Extents extents{dims[0], dims[1], dims[2], dims[3]};
  static_cast<void>(Lattice(extents));  // throws for invalid extents
  return extents;
}

void addConfigurationOptions(CLI::App& command, ConfigurationChoice& choice) {
  command.add_option("CONFIG", choice.file, "A gauge configuration: NERSC, ILDG, SciDAC or MILC v5")->required();
  addDimsOption(command, choice.dims, "Its extents, for files that do not state them", false);
  command.add_flag("--ignore-checksum", choice.ignoreChecksum, "Read it even if its checksum is wrong, with a warning");
}

void addKeepLinksOption(CLI::App& command, ConfigurationChoice& choice) {
  command.add_flag(
      "--keep-links", choice.keepLinks,
      "Keep links that were rounded (to 32 bits, say) as they are; otherwise they are projected onto SU(3)");
}

Configuration readConfiguration(Program& program, const ConfigurationChoice& choice) {
  const ConfigurationReadOptions options{extentsOf(choice.dims), choice.keepLinks, choice.ignoreChecksum};
  refusePipe(choice.file, "sscope lattice");
  Configuration configuration = makeConfigurationIo()->read(choice.file, options, program.control());
  for (const std::string& notice : configuration.info.notices) program.note("note: " + notice);
  return configuration;
}

void addWilsonOptions(CLI::App& command, WilsonChoice& choice) {
  command.add_option("--kappa", choice.parameters.kappa, "The hopping parameter, 1 / (2 m + 8)")
      ->required()
      ->check(numberWithin(-10.0, 10.0));
  command
      .add_option("--source", choice.source,
                  "The vector to which the operator is applied (default point: 1 at one site, color and spin)")
      ->check(CLI::IsMember({"point", "hash"}));
  addNumbersOption(command, "--at", choice.at, kPlace, "The site of the point (default 0,0,0,0)");
  command.add_option("--color", choice.color, "Color of the point (default 0)")
      ->transform(wholeNumberWithin(0, kColors - 1));
  command.add_option("--spin", choice.spin, "Spin of the point (default 0)")
      ->transform(wholeNumberWithin(0, kSpins - 1));
  addSeedOption(command, choice.seed, "Seed of the source hash (default 0)");
  command
      .add_option("--time-boundary", choice.parameters.timeBoundary,
                  "-1: antiperiodic in time (the default), 1: periodic")
      ->check(CLI::IsMember({-1, 1}));
  command.add_option("--engine", choice.engine, "The engine; see `sscope devices`; ID+ID or KIND:all share the work")
      ->type_name("ID");
  command.add_option("--variant", choice.variant, "The variant (default: the engine's first)")->type_name("NAME");
  command.add_option("--threads", choice.threads, "Threads of CPU engines (default 0: all)")
      ->transform(wholeNumberWithin(0, 4096));
}

std::int64_t siteOf(const Lattice& lattice, const WilsonChoice& choice) {
  std::array<int, kDirections> place{};
  for (std::size_t mu = 0; mu < choice.at.size(); ++mu) {
    place[mu] = choice.at[mu];
    if (place[mu] < 0 || place[mu] >= lattice.extents()[mu])
      throw Error(ErrorKind::Usage, "the source's place is not on the lattice of " + lattice.text() + " sites",
                  "count from 0 along each direction");
  }
  return lattice.site(place);
}

SpinorField sourceOf(const Lattice& lattice, const WilsonChoice& choice) {
  if (choice.source != "hash") return pointSource(lattice, siteOf(lattice, choice), choice.color, choice.spin);
  if (!choice.at.empty() || choice.color != 0 || choice.spin != 0)
    throw Error(ErrorKind::Usage, "the source hash covers all sites, colors and spins",
                "omit --at, --color and --spin");
  return hashSource(lattice, choice.seed);
}

WilsonBench::WilsonBench(Program& program, std::shared_ptr<const GaugeField> field, const WilsonChoice& choice,
                         const SolverOptions& solver)
    : workshop_(makeWorkshop({}, devicesFor(choice.engine))) {
  if (!choice.engine.empty()) requireKnownEngine(workshop_.engines, choice.engine);
  if (!choice.variant.empty()) requireKnownVariant(workshop_.variants, "dirac", choice.variant);
  Engine& engine = choice.engine.empty() ? workshop_.engines.preferred() : workshop_.engines.at(choice.engine);
  PrepareOptions options;
  options.threads = choice.threads;
  const Control control = program.control();
  solver_ = std::make_unique<LatticeSolver>(engine, workshop_.variants, choice.variant, std::move(field),
                                            choice.parameters, solver, options, control);
  verification_ = dirac().verified(control);
  if (!verification_.verified)
    throw Error(ErrorKind::Device, engine.info().id + " does not agree with the formula: " + verification_.failure,
                "choose another engine or variant");
}

nlohmann::json WilsonBench::toJson() const {
  const RunReport& report = solver_->report();
  return {{"engine", report.engine},
          {"variant", report.variant},
          {"threads", report.threads},
          {"verified", verification_.verified},
          {"rel_l2", verification_.relativeL2},
          {"compared", verification_.coverage},
          {"applications", solver_->applications()},
          {"kernel_s", solver_->kernelSeconds()}};
}

std::string numberText(double value) { return fmt::format("{:.15g}", value); }

std::string pairsText(const std::vector<std::pair<std::string, std::string>>& rows) {
  // Texts of a file can be of any length; the JSON has them in full.
  constexpr std::size_t kLongestName = 40, kLongestValue = 300;
  std::size_t width = 0;
  for (const auto& [name, value] : rows) width = std::max(width, std::min(name.size(), kLongestName));
  std::string text;
  for (const auto& [name, value] : rows) {
    const std::string shown = shortened(name, kLongestName);
    text += shown + std::string(width + 2 - shown.size(), ' ') + shortened(value, kLongestValue) + '\n';
  }
  return text;
}

void addLattice(CLI::App& app, Program& program) {
  CLI::App* command =
      app.add_subcommand("lattice", "Gauge configurations of lattice QCD: inspect, generate, apply operators, solve");
  command->require_subcommand(1);
  addLatticeInfo(*command, program);
  addLatticeGenerate(*command, program);
  addLatticeField(*command, program);
  addLatticeFlow(*command, program);
  addLatticeConvert(*command, program);
  addLatticeDirac(*command, program);
  addLatticeSolve(*command, program);
}

void addWriteOptions(CLI::App& command, WriteChoice& choice) {
  command.add_option("-o,--output", choice.output, "The file to write")->required()->type_name("OUT");
  command
      .add_option("--format", choice.format,
                  "nersc, or ildg (default: ildg for files named .lime or .ildg, else nersc)")
      ->check(CLI::IsMember({"nersc", "ildg"}));
  command.add_option("--precision", choice.precision, "Bits of each number (default 64)")
      ->check(CLI::IsMember({32, 64}));
  command.add_flag("--two-rows", choice.twoRows, "NERSC: omit the third row, which follows from the others");
}

Target targetOf(Program& program, const WriteChoice& choice) {
  const std::filesystem::path path(choice.output);
  const bool ildg =
      choice.format.empty() ? path.extension() == ".lime" || path.extension() == ".ildg" : choice.format == "ildg";
  if (ildg && choice.twoRows) throw Error(ErrorKind::Usage, "ILDG files hold all three rows", "omit --two-rows");
  if (choice.output == "-")
    throw Error(ErrorKind::Usage, "a configuration cannot be written to the standard output", "name a file");
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

void onFirstRank(Program& program, const std::function<void()>& work) {
  reach::agreed(program.ranks, program.control(), [&] {
    if (program.speaks()) work();
  });
}

DealtField dealtConfiguration(Program& program, const ConfigurationChoice& configuration) {
  reach::Communicator& ranks = program.ranks;
  const Control control = program.control();
  GaugeField whole;
  onFirstRank(program, [&] { whole = readConfiguration(program, configuration).field; });
  std::array<int, kDirections> extents = whole.lattice().extents();
  ranks.broadcast(std::as_writable_bytes(std::span(extents)), 0, control);
  const std::vector<LatticePart> parts = latticeParts(Lattice(extents), ranks.size());
  GaugeField links = dealtOut(whole, parts, ranks, control);
  return {parts[static_cast<std::size_t>(ranks.rank())], std::move(links)};
}

}  // namespace sscope::cli
