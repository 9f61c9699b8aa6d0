// sscope lattice info: the contents of a gauge configuration.

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/command_files.h"
#include "app/cli/lattice/lattice_command.h"
#include "core/base/error.h"
#include "core/io/volume_io.h"
#include "core/lattice/job/spinor_file.h"
#include "core/lattice/vector_space.h"

namespace sscope::cli {

namespace {

using namespace lattice;

struct InfoArguments {
  ConfigurationChoice configuration;
  std::string with, json;
};

// Three of the six planes contain time.
double temporal(const ConfigurationInfo& info) { return 2 * info.plaquette - info.spatialPlaquette; }

nlohmann::json toJson(const std::string& file, const Configuration& configuration) {
  const ConfigurationInfo& info = configuration.info;
  nlohmann::json header = nlohmann::json::object();
  for (const auto& [key, value] : info.header)
    header.emplace(key, value);  // the first of two equal keys, which is valid
  return {{"schema", "stencilscope.lattice/1"},
          {"file", file},
          {"format", info.format},
          {"dims", configuration.field.lattice().extents()},
          {"precision", info.precision},
          {"plaquette", info.plaquette},
          {"plaquette_spatial", info.spatialPlaquette},
          {"plaquette_temporal", temporal(info)},
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
      {"plaquette", numberText(info.plaquette) + ", " + numberText(info.spatialPlaquette) + " in space, " +
                        numberText(temporal(info)) + " with time"},
      {"link trace", numberText(info.linkTrace)},
      {"checksum", info.checksummed     ? "right"
                   : info.checksumWrong ? "wrong"
                                        : "none"},
      {"unitarity",
       "off by " + numberText(info.maxUnitarityError) + " at most" +
           (info.projected ? "; they are projected onto SU(3) before anything is computed from them" : "")}};
  for (const auto& [key, value] : info.header) rows.emplace_back(key, value);
  return pairsText(rows);
}

nlohmann::json toJson(const std::string& path, const SpinorFile& file, double norm2) {
  nlohmann::json notes = nlohmann::json::object();
  for (const auto& [key, value] : file.notes) notes.emplace(key, value);
  return {{"schema", "stencilscope.spinors/1"}, {"file", path},   {"dims", file.lattice.extents()},
          {"fields", file.fields.size()},       {"norm2", norm2}, {"notes", notes}};
}

// Spinors and their product with those of another file.
int tellSpinors(Program& program, VolumeIo& io, const InfoArguments& options) {
  const std::string& path = options.configuration.file;
  const Control control = program.control();
  const SpinorFile file = readSpinors(io, path, control);
  double norm = 0;
  for (const SpinorField& field : file.fields) norm += norm2(field, control);
  nlohmann::json document = toJson(path, file, norm);
  std::vector<std::pair<std::string, std::string>> rows{{"format", "spinor fields, NRRD"},
                                                        {"dimensions", file.lattice.text()},
                                                        {"fields", std::to_string(file.fields.size())},
                                                        {"|psi|^2", numberText(norm)}};
  if (!options.with.empty()) {
    const SpinorProduct product = innerProduct(file, readSpinors(io, options.with, control), control);
    document["with"] = {{"file", options.with},
                        {"product", {product.product.real(), product.product.imag()}},
                        {"norm2", product.norm2B},
                        {"difference2", product.difference2}};
    rows.emplace_back("with", options.with);
    rows.emplace_back("<psi, other>",
                      "(" + numberText(product.product.real()) + ", " + numberText(product.product.imag()) + ")");
    rows.emplace_back("|other|^2", numberText(product.norm2B));
    rows.emplace_back("|psi - other|^2", numberText(product.difference2));
  }
  for (const auto& note : file.notes) rows.push_back(note);
  if (options.json != "-") writeText(program, "-", pairsText(rows));
  if (!options.json.empty()) writeJson(program, options.json, document);
  return 0;
}

int run(Program& program, const InfoArguments& options) {
  requireSafeTargets({{options.json}, {}}, {options.configuration.file, options.with});
  const std::unique_ptr<VolumeIo> io = makeVolumeIo();
  if (holdsSpinors(*io, options.configuration.file)) return tellSpinors(program, *io, options);
  if (!options.with.empty())
    throw Error(ErrorKind::Usage,
                "--with computes the product of spinors, and " + options.configuration.file + " holds none",
                "give a file that `sscope lattice solve -o` wrote");
  const Configuration configuration = readConfiguration(program, options.configuration);
  if (options.json != "-") writeText(program, "-", toText(configuration));
  if (!options.json.empty()) writeJson(program, options.json, toJson(options.configuration.file, configuration));
  return 0;
}

}  // namespace

void addLatticeInfo(CLI::App& lattice, Program& program) {
  const auto options = std::make_shared<InfoArguments>();
  CLI::App* command =
      lattice.add_subcommand("info", "Check a configuration or a file of spinors, and show its contents");
  addConfigurationOptions(*command, options->configuration);
  command
      ->add_option("--with", options->with,
                   "Of spinors: their inner product with those of another file, both as `lattice solve -o` writes them")
      ->type_name("FILE");
  command->add_option("--json", options->json, "Write JSON to FILE, or to the standard output (-)")
      ->type_name("FILE|-");
  command->callback([&program, options] { program.action = [&program, options] { return run(program, *options); }; });
}

}  // namespace sscope::cli
