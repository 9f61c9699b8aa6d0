#include "app/cli/wavelet/transform_command.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/cli/checks.h"
#include "app/cli/filter/filter_task.h"
#include "app/cli/memory_option.h"
#include "app/cli/pipe_files.h"
#include "core/base/paths.h"
#include "core/job/run_provenance.h"
#include "core/measure/measurement.h"
#include "core/measure/table.h"
#include "core/volume/fingerprint.h"
#include "core/volume/losses.h"
#include "core/volume/not_finite.h"

namespace sscope::cli {

void addTransformOptions(CLI::App& command, TransformOptions& options) {
  addBatchOptions(command, options.batch, "The file to write, or - ; {stem} becomes the input's name");
  command
      .add_option("--engine", options.where.engine,
                  "Where to compute; see `sscope devices`; ID+ID or KIND:all share the work")
      ->type_name("ID");
  command.add_option("--variant", options.where.variant, "How to compute (default: the engine's first)")
      ->type_name("NAME");
  command.add_option("--threads", options.where.threads, "Threads of CPU engines (default 0: all)")
      ->transform(wholeNumberWithin(0, 4096));
  addMemoryOption(command, options.memory,
                  "Memory to use, as 2G or 512M: where data and results take more, what can be is computed in slabs "
                  "(default: two thirds of what is free)");
  command.add_flag("--verify", options.where.verify, "Compare with the reference before writing");
  command.add_option("--json", options.json, "Write a report to FILE, or to the standard output (-)")
      ->type_name("FILE|-");
}

Workshop workshopFor(const TransformOptions& options, const std::string& workload) {
  Workshop workshop = makeWorkshop({}, devicesFor(options.where.engine));
  if (!options.where.engine.empty()) requireKnownEngine(workshop.engines, options.where.engine);
  if (!options.where.variant.empty()) requireKnownVariant(workshop.variants, workload, options.where.variant);
  return workshop;
}

Provenance transformProvenance(const EngineSet& engines, const TransformOptions& options, const TransformRecipe& recipe,
                               const std::string& in, const VolumeInfo& info) {
  Provenance::Data data = dataNamed(in, info);
  if (options.batch.inputs.size() == 1 && isPipe(options.batch.inputs.front())) data.name.clear();
  Provenance made = provenanceOf(recipe.command, recipe.options, std::move(data));
  made.engine = options.where.engine.empty() ? engines.preferred().info().id : options.where.engine;
  return made;
}

TransformFile readInput(Program& program, Workshop& workshop, const TransformOptions& options, const std::string& in,
                        const std::string& out, ElementType (*resultType)(ElementType)) {
  checkTarget(out);
  if (options.batch.compress) workshop.io->checkCompressible(out);
  DataSource source;
  source.path = in;
  TransformFile file{in, out, load(*workshop.io, source, program.control()), {}, {}, {}, 0};
  const Volume& input = file.loaded.volume;
  program.log("read " + file.loaded.info.format + ", " + input.shape().text() + " " +
              std::string(toString(input.type())));
  for (const std::string& notice : file.loaded.info.notices) program.note("note: " + notice);
  workshop.io->checkWritable(out, input.shape(), resultType(input.type()));
  workshop.io->checkGeometry(out, input.geometry());
  file.type = input.type();
  file.nonFinite = countNonFinite(input, program.control());
  file.fingerprint = fingerprintOf(input, program.control());
  return file;
}

void tellOutcome(Program& program, const TransformOptions& options, const TransformOutcome& outcome,
                 nlohmann::json object, const std::string& remark) {
  const RunReport& report = outcome.report;
  const std::optional<Verification>& verification = outcome.verification;
  for (const std::string& notice : lossNotices(ResultLosses{.from = outcome.from,
                                   .to = outcome.output.type,
                                   .nonFinite = outcome.nonFinite,
                                   .transform = true,
                                   .input = {.nonFinite = outcome.nonFiniteInput}}))
    program.note("note: " + notice);
  program.tell("ran on " + report.engine + " (" + report.variant + "), " + std::to_string(report.threads) +
               (report.threads == 1 ? " thread, " : " threads, ") + shortNumber(1e3 * report.phases.kernel) +
               " ms kernel" + (remark.empty() ? "" : " (" + remark + ")") + ", " +
               shortNumber(1e3 * report.phases.total) + " ms total" +
               (outcome.streaming ? ", " + streamingText(*outcome.streaming) : "") +
               (verification ? verificationText(*verification) : ""));
  if (options.json.empty()) return;
  const VolumeShape& n = outcome.output.shape;
  object["version"] = SSCOPE_VERSION;
  // The names that were given: those of pipes are our own.
  object["input"] = options.batch.inputs.front();
  object["output"] = options.batch.output == "-" ? "-" : outcome.out;
  object["shape"] = {n.nx, n.ny, n.nz};
  object["type"] = std::string(toString(outcome.output.type));
  object["engine"] = report.engine;
  object["variant"] = report.variant;
  object["why"] = report.why;
  object["threads"] = report.threads;
  object["phases"] = sscope::toJson(report.phases);
  object["flops"] = report.operations;
  object["bytes"] = report.bytes;
  if (outcome.streaming) object["streaming"] = toJson(*outcome.streaming);
  if (verification) object["verification"] = toJson(*verification);
  writeJson(program, options.json, object);
}

void finish(Program& program, Workshop& workshop, const TransformOptions& options, const TransformFile& file,
            const Volume& output, const RunReport& report, const std::optional<Verification>& verification,
            nlohmann::json object, const std::string& remark) {
  // While nothing is written yet: what is canceled leaves no file.
  if (const std::string dropped = workshop.io->dropped(file.out, output.geometry(), file.loaded.info.metadata);
      !dropped.empty())
    program.note("note: " + dropped);
  const std::int64_t nonFinite = countNonFinite(output, program.control());
  WriteOptions how;
  how.metadata = file.loaded.info.metadata;
  how.compress = options.batch.compress;
  how.zarr3 = options.batch.zarr3;
  GrowingProvenance made(transformProvenance(workshop.engines, options, file.recipe, file.in, file.loaded.info));
  learnRun(made, report, verification, file.fingerprint);
  how.provenance = made.of();
  program.interrupt.writes(file.out);
  workshop.io->write(file.out, output, how, program.control());
  program.log("wrote " + file.out);
  tellOutcome(program, options,
              {file.in, file.out, file.type, outlineOf(output), report, verification, file.nonFinite, nonFinite, {}},
              std::move(object), remark);
}

}  // namespace sscope::cli
