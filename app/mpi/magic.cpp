#include "app/mpi/magic.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/checks.h"
#include "app/cli/filter/filter_task.h"
#include "app/cli/rank_engine.h"
#include "app/cli/targets.h"
#include "app/mpi/agreed.h"
#include "app/mpi/rank_files.h"
#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/cpu/run/threads.h"
#include "core/measure/measurement.h"
#include "core/measure/text_table.h"
#include "core/wavelet/job/transform_job.h"
#include "core/wavelet/magic_taps.h"
#include "core/wavelet/ranks/magic_slab.h"

namespace sscope::mpi {

namespace {

struct MagicArguments {
  std::string direction, input, output, taps, json;
  std::int64_t order = 8;
  EngineChoice where;
};

OptionValues valuesOf(const MagicArguments& options) {
  OptionValues values{{"direction", options.direction}, {"order", options.order}};
  if (!options.taps.empty()) values["taps"] = options.taps;
  return completeOptions(MagicWorkload::options(), values);
}

// The slab with the planes around it, as real numbers. Slabs are slices; the planes of an image's file are its rows,
// and only one rank has them all.
Volume readSlab(RankInput& input, const MagicSlab& slab, const Control& control) {
  const VolumeInfo& info = input.info();
  VolumeShape shape = info.shape;
  shape.nz = slab.spec.extent[2];
  Volume read(shape, info.type, info.geometry);
  if (slab.own.count() == info.shape.nz) {
    input.read(0, input.planes(), {read.data(), static_cast<std::size_t>(read.bytes())}, control);
    return read.type() == ElementType::f64 ? std::move(read) : convertedToReal(read, ElementType::f64, control);
  }
  const std::int64_t bytes = input.planeBytes();
  const auto take = [&](std::int64_t begin, std::int64_t count, std::int64_t slot) {
    input.read(begin, begin + count, {read.data() + slot * bytes, static_cast<std::size_t>(count * bytes)}, control);
  };
  for (const reach::WantedPlanes& run : slab.halo) take(run.begin, run.count, run.slot);
  take(slab.own.begin, slab.own.count(), slab.before);
  return read.type() == ElementType::f64 ? std::move(read) : convertedToReal(read, ElementType::f64, control);
}

int runMagic(cli::Program& program, const MagicArguments& options) {
  if (options.taps == MagicWorkload::kKineticTaps)
    throw Error(ErrorKind::Usage, "ranks do not add up the axes of the kinetic filter", "use sscope magic");
  reach::Communicator& ranks = program.ranks;
  Workshop workshop = makeWorkshop({}, cli::devicesFor(options.where.engine));
  if (!options.where.variant.empty()) cli::requireKnownVariant(workshop.variants, "magic", options.where.variant);
  EngineChoice where = options.where;
  where.engine = cli::rankEngine(workshop.engines, options.where.engine, ranks).info().id;
  if (where.threads == 0) where.threads = program.threads;
  const cpu::ThreadLimit limit(where.threads);
  const Control control = program.control();
  agreed(ranks, control, [&] {
    if (program.speaks()) cli::requireSafeTargets({{options.json}, {options.output}}, {options.input, options.taps});
  });
  RankInput input(program, *workshop.io, options.input);
  const VolumeInfo& info = input.info();
  for (const std::string& notice : info.notices) program.note("note: " + notice);
  agreed(ranks, control, [&] {
    workshop.io->checkWritable(options.output, info.shape, ElementType::f64);
    workshop.io->checkGeometry(options.output, info.geometry);
  });
  ArraySpec spec = input.spec();
  spec.type = ElementType::f64;
  spec.extent[3] = 1;
  const OptionValues values = valuesOf(options);
  const MagicSlab slab = magicSlab(MagicWorkload(spec, values), values, ranks.rank(), ranks.size());
  const Stopwatch watch;
  TransformResult result;
  agreed(ranks, control, [&] {
    const Volume voxels = readSlab(input, slab, control.part(0, 0.3));
    result = runTransform(workshop.engines, workshop.variants, *slab.workload, voxels, where, control.part(0.3, 0.8));
  });
  const Volume& own = result.output;
  const std::int64_t plane = own.bytes() / own.shape().nz;
  if (const std::string dropped = workshop.io->droppedGeometry(options.output, info.geometry); !dropped.empty())
    program.note("note: " + dropped);
  RankOutput file(program, *workshop.io, options.output, {info.shape, ElementType::f64, info.geometry},
                  {info.metadata, false});
  agreed(ranks, control, [&] {
    file.write(slab.own.begin, {own.data() + slab.before * plane, static_cast<std::size_t>(slab.own.count() * plane)},
               control);
  });
  file.finish(control);
  program.tell(std::to_string(ranks.size()) + (ranks.size() == 1 ? " rank" : " ranks") + " ran " +
               result.report.variant + " on " + result.report.engine + ", " + shortNumber(1e3 * watch.seconds()) +
               " ms total" + (result.verification ? cli::verificationText(*result.verification) : ""));
  if (options.json.empty()) return 0;
  nlohmann::json report{{"schema", "stencilscope.magic/1"},
                        {"version", SSCOPE_VERSION},
                        {"direction", options.direction},
                        {"input", options.input},
                        {"output", options.output},
                        {"shape", {info.shape.nx, info.shape.ny, info.shape.nz}},
                        {"ranks", ranks.size()},
                        {"engine", result.report.engine},
                        {"variant", result.report.variant},
                        {"threads", result.report.threads},
                        {"phases", sscope::toJson(result.report.phases)},
                        {"seconds", watch.seconds()}};
  if (result.verification) report["verification"] = cli::toJson(*result.verification);
  cli::writeJson(program, options.json, report);
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
  command->add_option("IN", options->input, "A file whose voxels can be read by planes")->required();
  command->add_option("-o,--output", options->output, "The file to write")->required()->type_name("OUT");
  command->add_option("--order", options->order, "Half the number of taps (default 8, the published filter)")
      ->transform(cli::wholeNumberWithin(1, kMagicMaximumOrder));
  command->add_option("--taps", options->taps, "A file of other taps, 2 to 64 numbers")->type_name("FILE");
  command
      ->add_option("--engine", options->where.engine,
                   "An engine, or cuda or opencl, whose devices the ranks of a machine take in turn (default: the "
                   "processor)")
      ->type_name("ID");
  command->add_option("--variant", options->where.variant, "How to compute (default: the engine's first)")
      ->type_name("NAME");
  command->add_option("--threads", options->where.threads, "Threads of each rank (default 0: its share of the cores)")
      ->transform(cli::wholeNumberWithin(0, 4096));
  command->add_flag("--verify", options->where.verify, "Compare with the reference before writing");
  command->add_option("--json", options->json, "Write a report to FILE, or to the standard output (-)")
      ->type_name("FILE|-");
  command->callback(
      [&program, options] { program.action = [&program, options] { return runMagic(program, *options); }; });
}

}  // namespace sscope::mpi
