#include "app/cli/transform_command.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/filter_task.h"
#include "app/cli/targets.h"
#include "core/measure/measurement.h"
#include "core/measure/text_table.h"

namespace sscope::cli {

void addTransformOptions(CLI::App& command, TransformOptions& options) {
  command.add_option("IN", options.input, "A file, a DICOM folder, or a pattern of 2D slices")->required();
  command.add_option("-o,--output", options.output, "The file to write")->required()->type_name("OUT");
  command.add_option("--engine", options.where.engine, "Where to compute; see `sscope devices`")->type_name("ID");
  command.add_option("--variant", options.where.variant, "How to compute (default: the engine's first)")
      ->type_name("NAME");
  command.add_option("--threads", options.where.threads, "Threads of CPU engines (default 0: all)")
      ->check(CLI::Range(0, 4096));
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

Volume readInput(Program& program, Workshop& workshop, const TransformOptions& options,
                 ElementType (*resultType)(ElementType)) {
  requireSafeTargets({{options.json}, {options.output}}, {options.input});
  DataSource source;
  source.path = options.input;
  LoadedVolume loaded = load(*workshop.io, source, program.control());
  const Volume& input = loaded.volume;
  program.log("read " + loaded.info.format + ", " + input.shape().text() + " " + std::string(toString(input.type())));
  for (const std::string& notice : loaded.info.notices) program.note("note: " + notice);
  workshop.io->checkWritable(options.output, input.shape(), resultType(input.type()));
  return std::move(loaded.volume);
}

void finish(Program& program, Workshop& workshop, const TransformOptions& options, const Volume& output,
            const RunReport& report, const std::optional<Verification>& verification, nlohmann::json object) {
  program.interrupt.writes(options.output);
  workshop.io->write(options.output, output, program.control());
  program.log("wrote " + options.output);
  program.tell("ran on " + report.engine + " (" + report.variant + "), " + std::to_string(report.threads) +
               (report.threads == 1 ? " thread, " : " threads, ") + shortNumber(1e3 * report.phases.kernel) +
               " ms kernel, " + shortNumber(1e3 * report.phases.total) + " ms total" +
               (verification ? verificationText(*verification) : ""));
  if (options.json.empty()) return;
  const VolumeShape& n = output.shape();
  object["version"] = SSCOPE_VERSION;
  object["input"] = options.input;
  object["output"] = options.output;
  object["shape"] = {n.nx, n.ny, n.nz};
  object["type"] = std::string(toString(output.type()));
  object["engine"] = report.engine;
  object["variant"] = report.variant;
  object["why"] = report.why;
  object["threads"] = report.threads;
  object["phases"] = sscope::toJson(report.phases);
  object["flops"] = report.operations;
  object["bytes"] = report.bytes;
  if (verification) object["verification"] = toJson(*verification);
  writeJson(program, options.json, object);
}

}  // namespace sscope::cli
