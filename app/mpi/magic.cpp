#include "app/mpi/commands.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/cli/checks.h"
#include "app/cli/wavelet/transform_recipe.h"
#include "app/mpi/rank_transform.h"
#include "core/base/error.h"
#include "core/parts/agreed.h"
#include "core/wavelet/magic_taps.h"
#include "core/wavelet/ranks/magic_slab.h"

namespace sscope::mpi {

namespace {

struct MagicArguments {
  TransformArguments common;
  std::string direction, taps;
  std::int64_t order = 8;
};

OptionValues valuesOf(const MagicArguments& options) {
  OptionValues values{{"direction", options.direction}, {"order", options.order}};
  if (!options.taps.empty()) values["taps"] = options.taps;
  return completeOptions(MagicWorkload::options(), values);
}

// The planes of the whole at the places of the slab's own array.
std::vector<std::int64_t> placesOf(const MagicSlab& slab) {
  std::vector<std::int64_t> places(static_cast<std::size_t>(slab.spec.extent[2]));
  const auto put = [&](std::int64_t begin, std::int64_t count, std::int64_t slot) {
    for (std::int64_t k = 0; k < count; ++k) places[static_cast<std::size_t>(slot + k)] = begin + k;
  };
  for (const reach::WantedPlanes& run : slab.halo) put(run.begin, run.count, run.slot);
  put(slab.own.begin, slab.own.size(), slab.before);
  return places;
}

int runMagic(cli::Program& program, const MagicArguments& options) {
  if (options.taps == MagicWorkload::kKineticTaps)
    throw Error(ErrorKind::Usage, "ranks do not add up the axes of the kinetic filter", "use sscope magic");
  const Control control = program.control();
  RankTransform transform(program, options.common, "magic", {options.taps});
  const VolumeInfo& info = transform.info();
  transform.checkOutput(info.shape, ElementType::f64);
  const OptionValues values = valuesOf(options);
  const ArraySpec spec = transform.spec(ElementType::f64);
  const reach::Communicator& ranks = transform.ranks();
  const MagicSlab slab = magicSlab(MagicWorkload(spec, values), values, ranks.rank(), ranks.size());
  TransformResult result;
  reach::agreed(transform.ranks(), control, [&] {
    const Volume voxels = transform.planesAt(placesOf(slab), ElementType::f64, control.part(0, 0.3));
    result = transform.run(*slab.workload, voxels, control.part(0.3, 0.8));
  });
  transform.setRecipe(cli::magicRecipe(options.direction, "periodic", options.order,
                                       options.taps.empty() ? std::vector<double>() : readTaps(options.taps), false));
  transform.write(info.shape, result, result.output, {slab.before, slab.before + slab.own.size()}, slab.own.begin,
                  control);
  transform.tell(result, {{"schema", "stencilscope.magic/1"},
                          {"direction", options.direction},
                          {"shape", {info.shape.nx, info.shape.ny, info.shape.nz}}});
  return 0;
}

}  // namespace

void addRankMagic(CLI::App& app, cli::Program& program) {
  const auto options = std::make_shared<MagicArguments>();
  CLI::App* command =
      app.add_subcommand("magic", "Apply the magic filter, or its adjoint, to a file, each rank to its planes");
  command->add_option("DIRECTION", options->direction, "forward or inverse")
      ->required()
      ->check(CLI::IsMember({"forward", "inverse"}));
  addTransformOptions(*command, options->common);
  command->add_option("--order", options->order, "Half the number of taps (default 8, the published filter)")
      ->transform(cli::wholeNumberWithin(1, kMagicMaximumOrder));
  command->add_option("--taps", options->taps, "A file of other taps, 2 to 64 numbers")->type_name("FILE");
  command->callback(
      [&program, options] { program.action = [&program, options] { return runMagic(program, *options); }; });
}

}  // namespace sscope::mpi
