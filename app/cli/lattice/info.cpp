// sscope lattice info: what a gauge configuration holds.

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/lattice/lattice_command.h"

namespace sscope::cli {

namespace {

using namespace lattice;

struct InfoArguments {
  ConfigurationChoice configuration;
  std::string json;
};

nlohmann::json toJson(const std::string& file, const Configuration& configuration) {
  const ConfigurationInfo& info = configuration.info;
  nlohmann::json header = nlohmann::json::object();
  for (const auto& [key, value] : info.header) header.emplace(key, value);  // of two the first, which counts
  return {{"schema", "stencilscope.lattice/1"},
          {"file", file},
          {"format", info.format},
          {"dims", configuration.field.lattice().extents()},
          {"precision", info.precision},
          {"plaquette", info.plaquette},
          {"link_trace", info.linkTrace},
          {"checksum_ok", info.checksummed     ? nlohmann::json(true)
                          : info.checksumWrong ? nlohmann::json(false)
                                               : nlohmann::json()},
          {"max_unitarity_error", info.maxUnitarityError},
          {"projected", info.projected},
          {"header", header},
          {"notices", info.notices}};
}

std::string toText(const Configuration& configuration) {
  const ConfigurationInfo& info = configuration.info;
  std::vector<std::pair<std::string, std::string>> rows{
      {"format", info.format + ", " + std::to_string(info.precision) + " bits a number"},
      {"dimensions", configuration.field.lattice().text()},
      {"plaquette", numberText(info.plaquette)},
      {"link trace", numberText(info.linkTrace)},
      {"checksum", info.checksummed     ? "right"
                   : info.checksumWrong ? "wrong"
                                        : "none"},
      {"unitarity", "off by " + numberText(info.maxUnitarityError) + " at most" +
                        (info.projected ? "; where links are computed with they are projected onto SU(3) first" : "")}};
  for (const auto& [key, value] : info.header) rows.emplace_back(key, value);
  return pairsText(rows);
}

int run(Program& program, const InfoArguments& options) {
  requireTargets({options.json}, options.configuration.file);
  const Configuration configuration = readConfiguration(program, options.configuration);
  if (options.json != "-") writeText(program, "-", toText(configuration));
  if (!options.json.empty()) writeJson(program, options.json, toJson(options.configuration.file, configuration));
  return 0;
}

}  // namespace

void addLatticeInfo(CLI::App& lattice, Program& program) {
  const auto options = std::make_shared<InfoArguments>();
  CLI::App* command = lattice.add_subcommand("info", "Check a configuration and say what it holds");
  addConfigurationOptions(*command, options->configuration);
  command->add_option("--json", options->json, "Write JSON to FILE, or to the standard output (-)")
      ->type_name("FILE|-");
  command->callback([&program, options] { program.action = [&program, options] { return run(program, *options); }; });
}

}  // namespace sscope::cli
