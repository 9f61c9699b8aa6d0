#include "app/cli/lattice/bench_lattice.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/io/lattice/configuration_io.h"
#include "core/lattice/job/lattice_solver.h"
#include "core/lattice/workload/lattice_catalog.h"
#include "core/workload/noise.h"

namespace sscope::cli {

namespace {

lattice::Configuration readConfiguration(const std::filesystem::path& file, const Control& control) {
  try {
    return makeConfigurationIo()->read(file, {.keepLinks = true},
                                       control);  // other programs time unprojected links, too
  } catch (const lattice::MissingExtents&) {
    throw Error(ErrorKind::Usage, "cannot read " + file.string() + ": it does not state its dimensions",
                "make a copy that does: `sscope lattice convert FILE --dims X,Y,Z,T -o OUT`");
  }
}

}  // namespace

bool takesConfiguration(const WorkloadKind& kind) { return isOnLattice(kind); }

WorkloadOnFile workloadOnFile(const WorkloadKind& kind, const std::filesystem::path& file, const OptionValues& given,
                              const OptionValues& values, const Control& control) {
  for (const std::string_view name : kLinkOptions)
    if (given.contains(std::string(name)))
      throw Error(ErrorKind::Usage,
                  "the parameter " + std::string(name) + " applies to generated links, not to those of a file",
                  "omit it with --input");
  lattice::Configuration configuration = readConfiguration(file, control);
  WorkloadOnFile result;
  result.origin = {{"configuration", file.filename().string()}, {"plaquette", configuration.info.plaquette}};
  result.workload =
      workloadOnLinks(kind, std::make_shared<const lattice::GaugeField>(std::move(configuration.field)), values);
  const ArraySpec spec = result.workload->inputs().front();
  const auto& [nx, ny, nz, components] = spec.extent;
  result.input = noiseVolume({nx, ny, nz, static_cast<int>(components)}, spec.type,
                             static_cast<std::uint64_t>(std::get<std::int64_t>(values.at("seed"))), control);
  return result;
}

std::string traceRows(const Workshop& workshop, const Workload& workload, const ConstArrayView& input,
                      std::span<const Measurement> results, int threads, std::vector<NamedTrace>& traces,
                      const Control& control) {
  const auto& cr = workloadAs<CrWorkload>(workload);
  std::string text;
  for (const Measurement& m : results) {
    if (!m.hasFigures()) continue;
    Engine& engine = workshop.engines.at(m.engine);
    PrepareOptions options;
    options.threads = threads;
    // The values with which the row was timed.
    for (const Option& option : workshop.variants.at("cr", engine.info().kind, m.variant).options)
      if (m.params.contains(option.name)) options.values[option.name] = optionFromJson(option, m.params[option.name]);
    NamedTrace& one =
        traces.emplace_back(NamedTrace{m.engine + " " + m.variant, traceCr(engine, workshop.variants, m.variant, cr,
                                                                           input, options, {control.stop, {}})});
    text += "\nkernels of " + one.name + ", traced:\n" + sharesTable(one.trace);
  }
  return text;
}

}  // namespace sscope::cli
