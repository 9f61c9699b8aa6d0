#include "app/cli/lattice/bench_links.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/io/lattice/configuration_io.h"
#include "core/lattice/workload/lattice_catalog.h"
#include "core/workload/noise.h"

namespace sscope::cli {

namespace {

lattice::Configuration readConfiguration(const std::filesystem::path& file, const Control& control) {
  try {
    return makeConfigurationIo()->read(file, {.keepLinks = true}, control);  // as other programs time them
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
                  "the parameter " + std::string(name) + " is of links that are made, not of a file's",
                  "leave it out with --input");
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

}  // namespace sscope::cli
