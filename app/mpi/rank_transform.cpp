#include "app/mpi/rank_transform.h"

#include <CLI/CLI.hpp>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>

#include "app/cli/checks.h"
#include "app/cli/correction_options.h"
#include "app/cli/filter/filter_task.h"
#include "app/cli/rank_engine.h"
#include "app/cli/targets.h"
#include "core/job/run_provenance.h"
#include "core/measure/measurement.h"
#include "core/measure/table.h"
#include "core/parts/agreed.h"
#include "core/reach/worst_of_ranks.h"
#include "core/volume/not_finite.h"

namespace sscope::mpi {

using reach::agreed;

void addTransformOptions(CLI::App& command, TransformArguments& options) {
  command.add_option("IN", options.input, "A file whose voxels can be read by planes")->required();
  cli::addCorrectionOptions(command, options.input);
  command.add_option("-o,--output", options.output, "The file to write")->required()->type_name("OUT");
  command
      .add_option("--engine", options.where.engine,
                  "An engine, or cuda or opencl, whose devices the ranks of a machine take in turn (default: the "
                  "processor)")
      ->type_name("ID");
  command.add_option("--variant", options.where.variant, "How to compute (default: the engine's first)")
      ->type_name("NAME");
  command.add_option("--threads", options.where.threads, "Threads of each rank (default 0: its share of the cores)")
      ->transform(cli::wholeNumberWithin(0, 4096));
  command.add_flag("--verify", options.where.verify, "Compare with the reference before writing");
  command.add_option("--json", options.json, "Write a report to FILE, or to the standard output (-)")
      ->type_name("FILE|-");
}

RankTransform::RankTransform(cli::Program& program, const TransformArguments& options, const std::string& workload,
                             const std::vector<std::string>& others)
    : program_(program),
      options_(options),
      workshop_(makeWorkshop({}, cli::devicesFor(options.where.engine))),
      where_(options.where) {
  if (!where_.variant.empty()) cli::requireKnownVariant(workshop_.variants, workload, where_.variant);
  where_.engine = cli::rankEngine(workshop_.engines, options.where.engine, ranks()).info().id;
  if (where_.threads == 0) where_.threads = program.threads;
  limit_.emplace(where_.threads);
  agreed(ranks(), program.control(), [&] {
    std::vector<std::string> read = others;
    read.push_back(options.input);
    if (program.speaks()) cli::requireSafeTargets({{options.json}, {options.output}}, read);
  });
  input_.emplace(program, *workshop_.io, options.input);
  metadata_ = info().metadata;
  for (const std::string& notice : info().notices) program.note("note: " + notice);
}

ArraySpec RankTransform::spec(ElementType type) const {
  ArraySpec spec = input_->spec();
  spec.type = type;
  spec.extent[3] = 1;
  return spec;
}

void RankTransform::checkOutput(const VolumeShape& shape, ElementType type) {
  agreed(ranks(), program_.control(), [&] {
    workshop_.io->checkWritable(options_.output, shape, type);
    workshop_.io->checkGeometry(options_.output, info().geometry);
    requireShared(options_.output);
  });
}

Volume RankTransform::planesAt(const std::vector<std::int64_t>& places, ElementType type, const Control& control) {
  VolumeShape shape = info().shape;
  shape.nz = std::ssize(places);
  Volume read(shape, info().type, info().geometry);
  const std::int64_t bytes = input_->planeBytes();
  // The planes of an image's file are its rows, and only one rank has them.
  if (input_->axis() != 2)
    input_->read(0, input_->planes(), {read.data(), static_cast<std::size_t>(read.bytes())}, control);
  for (std::size_t first = 0; input_->axis() == 2 && first < places.size();) {
    std::size_t end = first + 1;
    while (end < places.size() && places[end] == places[end - 1] + 1) ++end;
    input_->read(
        places[first], places[end - 1] + 1,
        {read.data() + static_cast<std::int64_t>(first) * bytes, (end - first) * static_cast<std::size_t>(bytes)},
        control);
    first = end;
  }
  losses_.input.nonFinite += countNonFinite(read, control);
  return read.type() == type ? std::move(read) : convertedToReal(read, type, control);
}

TransformResult RankTransform::run(const Workload& workload, const Volume& input, const Control& control) {
  return runTransform(workshop_.engines, workshop_.variants, workload, input, where_, control);
}

void RankTransform::write(const VolumeShape& shape, const TransformResult& result, const Volume& volume,
                          const Range& planes, std::int64_t begin, const Control& control) {
  if (const std::string dropped = workshop_.io->dropped(options_.output, info().geometry, metadata_); !dropped.empty())
    program_.note("note: " + dropped);
  cli::TransformOptions asOne;
  asOne.where = where_;
  GrowingProvenance made(cli::transformProvenance(workshop_.engines, asOne, recipe_, options_.input, info()));
  std::optional<Verification> verification = result.verification;
  if (verification) verification = reach::worstOfRanks(*verification, ranks(), control);
  learnRun(made, result.report, verification, input_->fingerprint(ranks(), control));
  WriteOptions options{.metadata = metadata_};
  options.provenance = made.of();
  RankOutput file(program_, options_.output, {shape, volume.type(), info().geometry}, options);
  file.sign(made);
  agreed(ranks(), control, [&] {
    if (planes.size() < 1) return;
    const std::int64_t plane = volume.bytes() / volume.shape().nz;
    const std::span<const std::byte> own(volume.data() + planes.begin * plane,
                                         static_cast<std::size_t>(planes.size() * plane));
    losses_.nonFinite += countNonFinite(volume.type(), own);
    file.write(begin, own, control);
  });
  file.complete(control);
  file.name(control);
}

void RankTransform::tell(const TransformResult& result, nlohmann::json report) {
  losses_.from = info().type;
  losses_.to = result.output.type();
  losses_.transform = true;
  for (const std::string& notice : lossNotices(reach::ofAllRanks(losses_, ranks(), program_.control())))
    program_.note("note: " + notice);
  std::optional<Verification> verification = result.verification;
  if (verification) verification = reach::worstOfRanks(*verification, ranks(), program_.control());
  const RunReport& ran = result.report;
  program_.tell(std::to_string(ranks().size()) + (ranks().size() == 1 ? " rank" : " ranks") + " ran " + ran.variant +
                " on " + ran.engine + ", " + shortNumber(1e3 * watch_.seconds()) + " ms total" +
                (verification ? cli::verificationText(*verification) : ""));
  if (options_.json.empty()) return;
  report["version"] = SSCOPE_VERSION;
  report["input"] = options_.input;
  report["output"] = options_.output;
  report["ranks"] = ranks().size();
  report["engine"] = ran.engine;
  report["variant"] = ran.variant;
  report["threads"] = ran.threads;
  report["phases"] = sscope::toJson(ran.phases);
  report["seconds"] = watch_.seconds();
  if (verification) report["verification"] = cli::toJson(*verification);
  cli::writeJson(program_, options_.json, report);
}

}  // namespace sscope::mpi
