// sscope lattice flow: energy and charge along the Wilson flow, and the scales t0 and w0.

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/lattice/lattice_command.h"
#include "app/cli/options.h"
#include "core/cpu/run/threads.h"
#include "core/lattice/job/flow_curve.h"
#include "core/lattice/ranks/rank_flow.h"

namespace sscope::cli {

namespace {

using namespace lattice;

struct FlowArguments {
  ConfigurationChoice configuration;
  FlowCurveSettings settings;
  std::string json, csv;
};

nlohmann::json orNull(const std::optional<double>& value) { return value ? nlohmann::json(*value) : nlohmann::json(); }

nlohmann::json toJson(const FlowArguments& options, const FlowCurve& curve) {
  nlohmann::json points = nlohmann::json::array();
  for (const FlowCurvePoint& p : curve.points)
    points.push_back({{"t", p.time},
                      {"energy_clover", p.cloverEnergy},
                      {"energy_plaquette", p.plaquetteEnergy},
                      {"t2_energy_clover", p.scaledClover()},
                      {"t2_energy_plaquette", p.scaledPlaquette()},
                      {"charge", p.charge},
                      {"plaquette", p.plaquette}});
  return {{"schema", "stencilscope.flow/1"}, {"file", options.configuration.file}, {"step", options.settings.step},
          {"to", options.settings.end},      {"points", std::move(points)},        {"t0", orNull(curve.t0)},
          {"w0", orNull(curve.w0)}};
}

std::string toCsv(const FlowCurve& curve) {
  std::string text = "t,energy_clover,energy_plaquette,t2_energy_clover,t2_energy_plaquette,charge,plaquette\n";
  for (const FlowCurvePoint& p : curve.points) {
    const double values[] = {p.time,   p.cloverEnergy, p.plaquetteEnergy, p.scaledClover(), p.scaledPlaquette(),
                             p.charge, p.plaquette};
    std::string line;
    for (const double value : values) line += (line.empty() ? "" : ",") + numberText(value);
    text += line + "\n";
  }
  return text;
}

std::string toText(const FlowCurve& curve, const FlowCurveSettings& settings) {
  const auto scale = [&](const std::optional<double>& value) {
    return value ? numberText(*value) : "not reached by t = " + numberText(settings.end);
  };
  const FlowCurvePoint& last = curve.points.back();
  return pairsText({{"t", numberText(last.time)},
                    {"E, clover", numberText(last.cloverEnergy)},
                    {"E, plaquette", numberText(last.plaquetteEnergy)},
                    {"t^2 E, clover", numberText(last.scaledClover())},
                    {"Q", numberText(last.charge)},
                    {"t0", scale(curve.t0)},
                    {"w0", scale(curve.w0)}});
}

// Each rank computes its time slices.
FlowCurve overRanks(Program& program, const FlowArguments& options) {
  const cpu::ThreadLimit limit(program.threads);
  const DealtField field = dealtConfiguration(program, options.configuration);
  RankFlow flow(program.ranks, field.part, field.links, program.control());
  return flowCurve({[&](double epsilon, const Control& own) { flow.step(epsilon, program.ranks, own); },
                    [&](const Control& own) { return flow.sums(program.ranks, own); }},
                   options.settings, program.control());
}

int run(Program& program, const FlowArguments& options) {
  requireValid(options.settings);
  onFirstRank(program, [&] { requireTargets({options.json, options.csv}, options.configuration.file); });
  const FlowCurve curve = program.ranks.size() > 1 ? overRanks(program, options)
                                                   : flowCurve(readConfiguration(program, options.configuration).field,
                                                               options.settings, program.control());
  if (options.json != "-" && options.csv != "-") writeText(program, "-", toText(curve, options.settings));
  if (!options.csv.empty()) writeText(program, options.csv, toCsv(curve));
  if (!options.json.empty()) writeJson(program, options.json, toJson(options, curve));
  return 0;
}

}  // namespace

void addLatticeFlow(CLI::App& lattice, Program& program) {
  const auto options = std::make_shared<FlowArguments>();
  CLI::App* command = lattice.add_subcommand("flow", "Energy and charge along the Wilson flow, and its scales");
  addConfigurationOptions(*command, options->configuration);
  addKeepLinksOption(*command, options->configuration);
  command
      ->add_option("--step", options->settings.step, "Flow time of one integration step, at most 0.15 (default 0.01)")
      ->check(numberWithin(1e-6, 1.0))
      ->type_name("EPS");
  command->add_option("--to", options->settings.end, "The flow time to end at (default 2)")
      ->check(numberWithin(1e-6, 1000.0))
      ->type_name("T");
  command->add_option("--json", options->json, "Write the curve to FILE, or to the standard output (-)")
      ->type_name("FILE|-");
  command->add_option("--csv", options->csv, "Write the curve as a table to FILE, or to the standard output (-)")
      ->type_name("FILE|-");
  command->footer(
      "One point per step. E from the clover, and from plaquettes (2 sum of Re tr(1 - P)); t0: where t^2 E = 0.3, "
      "w0^2: where t d(t^2 E)/dt = 0.3, both of the clover's E, in units of the lattice spacing.");
  command->callback([&program, options] { program.action = [&program, options] { return run(program, *options); }; });
}

}  // namespace sscope::cli
