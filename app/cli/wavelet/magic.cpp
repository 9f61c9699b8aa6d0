// sscope magic: the magic filter of a file.

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/checks.h"
#include "app/cli/wavelet/transform_command.h"
#include "core/base/error.h"
#include "core/measure/ceiling_store.h"
#include "core/wavelet/job/kinetic_job.h"
#include "core/wavelet/job/magic_prediction.h"
#include "core/wavelet/kinetic_taps.h"
#include "core/wavelet/magic_taps.h"
#include "core/wavelet/workload/magic_workload.h"

namespace sscope::cli {

namespace {

struct MagicArguments {
  TransformOptions common;
  std::string direction, boundary = "periodic";
  std::int64_t order = 8;
  std::string taps;
  CLI::Option* orderGiven = nullptr;

  [[nodiscard]] bool kinetic() const { return taps == MagicWorkload::kKineticTaps; }
  [[nodiscard]] bool fromFile() const { return !taps.empty() && !kinetic(); }
};

ElementType alwaysDouble(ElementType) { return ElementType::f64; }

void requireFitting(const MagicArguments& options) {
  if (options.fromFile() && options.orderGiven->count() > 0)
    throw Error(ErrorKind::Usage, "--order is of computed taps, and --taps names a file of others",
                "leave one of them out");
  if (options.kinetic() && options.boundary != "periodic")
    throw Error(ErrorKind::Usage,
                "the kinetic filter's axes are added up, and with free boundaries each would have another "
                "extent",
                "leave --boundary out");
}

MagicWorkload workloadOf(const MagicArguments& options, const Volume& input) {
  ArraySpec spec = input.spec();
  spec.extent[3] = 1;
  OptionValues values{{"direction", options.direction}, {"order", options.order}, {"boundary", options.boundary}};
  if (!options.taps.empty()) values["taps"] = options.taps;
  return {spec, completeOptions(MagicWorkload::options(), values)};
}

// The prediction into the report, and the words for people; both say where there is none.
std::string predict(const Workshop& workshop, const MagicArguments& options, const MagicWorkload& workload,
                    int components, const RunReport& ran, nlohmann::json& report) {
  const auto ceilings = storedCeilings(workshop.engines.at(ran.engine).info(), options.common.where.threads);
  const std::optional<double> one = predictedMagicSeconds(workload, ran.variant, ceilings);
  report["predicted_s"] = one ? nlohmann::json(components * *one) : nlohmann::json();
  report["prediction_error"] = one ? nlohmann::json(ran.phases.kernel / (components * *one) - 1) : nlohmann::json();
  if (one) return predictionText(components * *one, ran.phases.kernel);
  return ran.variant == "tuned" ? "no prediction before `sscope devices --measure`" : "no prediction for this variant";
}

void magicOne(Program& program, Workshop& workshop, const MagicArguments& options, const std::string& in,
              const std::string& out) {
  TransformFile file = readInput(program, workshop, options.common, in, out, alwaysDouble);
  const Control control = program.control();
  Volume input = std::move(file.loaded.volume);
  if (input.type() != ElementType::f64) input = convertedToReal(input, ElementType::f64, control);
  nlohmann::json report{
      {"schema", "stencilscope.magic/1"}, {"direction", options.direction}, {"boundary", options.boundary}};
  if (!options.fromFile()) report["order"] = options.order;
  TransformResult result;
  std::string remark;
  if (options.kinetic()) {
    report["taps"] = kineticTaps(static_cast<int>(options.order));
    result = kineticTransform(workshop.engines, workshop.variants, options.order, input, options.common.where, control);
  } else {
    const MagicWorkload workload = workloadOf(options, input);
    if (options.fromFile()) report["taps"] = workload.taps();
    result = runTransform(workshop.engines, workshop.variants, workload, input, options.common.where, control);
    remark = predict(workshop, options, workload, input.shape().components, result.report, report);
  }
  finish(program, workshop, options.common, file, result.output, result.report, result.verification, report, remark);
}

int run(Program& program, const MagicArguments& options) {
  requireFitting(options);
  Workshop workshop = workshopFor(options.common, "magic");
  return runBatch(
      program, *workshop.io, options.common.batch,
      {options.common.json, {options.fromFile() ? options.taps : std::string()}, {}},
      [&](const std::string& in, const std::string& out) { magicOne(program, workshop, options, in, out); });
}

}  // namespace

void addMagic(CLI::App& app, Program& program) {
  const auto options = std::make_shared<MagicArguments>();
  CLI::App* command = app.add_subcommand("magic", "Apply the magic filter, or its adjoint, to a file");
  command->add_option("DIRECTION", options->direction, "forward or inverse")
      ->required()
      ->check(CLI::IsMember({"forward", "inverse"}));
  addTransformOptions(*command, options->common);
  options->orderGiven =
      command->add_option("--order", options->order, "Half the number of taps (default 8, the published filter)")
          ->transform(wholeNumberWithin(1, kMagicMaximumOrder));
  command
      ->add_option(
          "--taps", options->taps,
          "A file of other taps, 2 to 64 numbers as a JSON array or plain text, the middle one at the output; or "
          "kinetic: -1/2 of the second derivative, 29 taps for order 8, summed over the axes")
      ->type_name("FILE|kinetic");
  command
      ->add_option(
          "--boundary", options->boundary,
          "What lies outside: the data repeated (periodic, the default), or zeros (free); then forward grows each "
          "axis by taps - 1, and inverse shrinks it by as much")
      ->check(CLI::IsMember({"periodic", "free"}));
  command->footer(
      "Along every axis, in double precision. The inverse is the adjoint, which undoes the forward filter "
      "approximately.");
  command->callback([&program, options] { program.action = [&program, options] { return run(program, *options); }; });
}

}  // namespace sscope::cli
