// sscope magic: the magic filter of a file.

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/transform_command.h"
#include "core/wavelet/magic_taps.h"
#include "core/workload/magic_workload.h"

namespace sscope::cli {

namespace {

struct MagicArguments {
  TransformOptions common;
  std::string direction;
  std::int64_t order = 8;
  std::string taps;
};

ElementType alwaysDouble(ElementType) { return ElementType::f64; }

void magicOne(Program& program, Workshop& workshop, const MagicArguments& options, const std::string& in,
              const std::string& out) {
  TransformFile file = readInput(program, workshop, options.common, in, out, alwaysDouble);
  const Control control = program.control();
  Volume input = std::move(file.loaded.volume);
  if (input.type() != ElementType::f64) input = convertedToReal(input, ElementType::f64, control);
  ArraySpec spec = input.spec();
  spec.extent[3] = 1;
  OptionValues values{{"direction", options.direction}, {"order", options.order}};
  if (!options.taps.empty()) values["taps"] = options.taps;
  const MagicWorkload workload(spec, completeOptions(MagicWorkload::options(), values));
  const TransformResult result =
      runTransform(workshop.engines, workshop.variants, workload, input, options.common.where, control);
  nlohmann::json report{{"schema", "stencilscope.magic/1"}, {"direction", options.direction}};
  if (options.taps.empty()) {
    report["order"] = options.order;
  } else {
    report["taps"] = workload.taps();
  }
  finish(program, workshop, options.common, file, result.output, result.report, result.verification, report);
}

int run(Program& program, const MagicArguments& options) {
  Workshop workshop = workshopFor(options.common, "magic");
  return runBatch(
      program, *workshop.io, options.common.batch, {options.common.json, {options.taps}, {}},
      [&](const std::string& in, const std::string& out) { magicOne(program, workshop, options, in, out); });
}

}  // namespace

void addMagic(CLI::App& app, Program& program) {
  const auto options = std::make_shared<MagicArguments>();
  CLI::App* command = app.add_subcommand("magic", "The magic filter of a file, or its adjoint");
  command->add_option("DIRECTION", options->direction, "forward or inverse")
      ->required()
      ->check(CLI::IsMember({"forward", "inverse"}));
  addTransformOptions(*command, options->common);
  CLI::Option* order =
      command->add_option("--order", options->order, "Half the number of taps (default 8, the published filter)")
          ->check(CLI::Range(1, kMagicMaximumOrder));
  command
      ->add_option("--taps", options->taps,
                   "A file of other taps, 2 to 64 numbers as a JSON array or plain text, the middle one at the output")
      ->type_name("FILE")
      ->excludes(order);
  command->footer(
      "Periodic along every axis, in double precision. The inverse is the adjoint, which undoes the forward "
      "filter approximately.");
  command->callback([&program, options] { program.action = [&program, options] { return run(program, *options); }; });
}

}  // namespace sscope::cli
