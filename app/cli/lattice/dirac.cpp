// sscope lattice dirac: Wilson's operator applied to a source.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/lattice/lattice_command.h"
#include "app/cli/options.h"
#include "core/base/error.h"
#include "core/lattice/vector_space.h"

namespace sscope::cli {

namespace {

using namespace lattice;

constexpr std::size_t kShownComponents = 12;  // of the first site

struct DiracArguments {
  ConfigurationChoice configuration;
  WilsonChoice wilson;
  int apply = 1;
  std::string json;
};

nlohmann::json firstComponents(const SpinorField& psi) {
  nlohmann::json list = nlohmann::json::array();
  for (std::size_t k = 0; k < std::min(kShownComponents, psi.size()); ++k)
    list.push_back({psi[k].real(), psi[k].imag()});
  return list;
}

int run(Program& program, const DiracArguments& options) {
  requireTargets({options.json}, options.configuration.file);
  const Control control = program.control();
  auto field = std::make_shared<GaugeField>(readConfiguration(program, options.configuration).field);
  const Lattice lattice = field->lattice();
  WilsonBench bench(program, std::move(field), options.wilson);
  SpinorField psi = sourceOf(lattice, options.wilson), next(psi.size());
  nlohmann::json norms = nlohmann::json::array();
  norms.push_back(norm2(psi, control));
  std::vector<std::pair<std::string, std::string>> rows{{"|source|^2", numberText(norms.back().get<double>())}};
  for (int k = 1; k <= options.apply; ++k) {
    control.report(static_cast<double>(k - 1) / options.apply, "applying");
    bench.dirac().apply()(false, psi, next, control);
    psi.swap(next);
    norms.push_back(norm2(psi, control));
    if (!std::isfinite(norms.back().get<double>()))
      throw Error(ErrorKind::Unsupported,
                  "the operator applied " + std::to_string(k) + " times to this source exceeds the range of numbers",
                  "give a smaller --apply or --kappa");
    rows.emplace_back("|D^" + std::to_string(k) + " source|^2", numberText(norms.back().get<double>()));
  }
  nlohmann::json document = bench.toJson();
  rows.emplace_back("first component", "(" + numberText(psi[0].real()) + ", " + numberText(psi[0].imag()) + ")");
  rows.emplace_back("ran on", document["engine"].get<std::string>() + " " + document["variant"].get<std::string>() +
                                  ", error " + numberText(bench.verification().relativeL2));
  document.update({{"schema", "stencilscope.dirac/1"},
                   {"file", options.configuration.file},
                   {"dims", lattice.extents()},
                   {"kappa", options.wilson.parameters.kappa},
                   {"time_boundary", options.wilson.parameters.timeBoundary},
                   {"source", options.wilson.source},
                   {"seed", options.wilson.seed},
                   {"norms2", norms},
                   {"first_components", firstComponents(psi)}});
  if (options.json != "-") writeText(program, "-", pairsText(rows));
  if (!options.json.empty()) writeJson(program, options.json, document);
  return 0;
}

}  // namespace

void addLatticeDirac(CLI::App& lattice, Program& program) {
  const auto options = std::make_shared<DiracArguments>();
  CLI::App* command = lattice.add_subcommand("dirac", "Apply Wilson's operator to a source");
  addConfigurationOptions(*command, options->configuration);
  addKeepLinksOption(*command, options->configuration);
  addWilsonOptions(*command, options->wilson);
  command->add_option("--apply", options->apply, "The number of applications (default 1)")
      ->transform(wholeNumberWithin(1, 1000000))
      ->type_name("N");
  command
      ->add_option("--json", options->json, "Write norms and first components to FILE, or to the standard output (-)")
      ->type_name("FILE|-");
  command->callback([&program, options] { program.action = [&program, options] { return run(program, *options); }; });
}

}  // namespace sscope::cli
