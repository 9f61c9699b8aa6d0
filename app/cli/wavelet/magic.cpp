// sscope magic: the magic filter of a file.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/cli/options.h"
#include "app/cli/wavelet/streamed_transform_run.h"
#include "app/cli/wavelet/transform_command.h"
#include "core/base/error.h"
#include "core/measure/ceilings.h"
#include "core/wavelet/job/kinetic_job.h"
#include "core/wavelet/job/transform_job.h"
#include "core/wavelet/magic_taps.h"
#include "core/wavelet/slabs/kinetic_slabs.h"
#include "core/wavelet/slabs/magic_slabs.h"
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
    throw Error(ErrorKind::Usage, "--order applies to computed taps, and --taps names a file of taps",
                "omit one of them");
  if (options.kinetic() && options.boundary != "periodic")
    throw Error(ErrorKind::Usage,
                "the kinetic filter's axes are added up, and with free boundaries each would have another "
                "extent",
                "omit --boundary");
}

OptionValues valuesOf(const MagicArguments& options) {
  OptionValues values{{"direction", options.direction}, {"order", options.order}, {"boundary", options.boundary}};
  if (!options.taps.empty()) values["taps"] = options.taps;
  return completeOptions(MagicWorkload::options(), values);
}

MagicWorkload workloadOf(const MagicArguments& options, const Volume& input) {
  ArraySpec spec = input.spec();
  spec.extent[3] = 1;
  return {spec, valuesOf(options)};
}

// Taps that are not computed from the order, in the direction in which they are used.
std::vector<double> tapsOf(const MagicArguments& options) {
  std::vector<double> taps = options.kinetic() ? kineticTaps(static_cast<int>(options.order)) : readTaps(options.taps);
  if (options.direction == "inverse") std::reverse(taps.begin(), taps.end());
  return taps;
}

TransformRecipe recipeOf(const MagicArguments& options) {
  return magicRecipe(options.direction, options.boundary, options.order,
                     options.fromFile() ? readTaps(options.taps) : std::vector<double>(), options.kinetic());
}

SlabbedTransform slabbed(const Workshop& workshop, const MagicArguments& options) {
  const auto bytesHeld = [](const VolumeInfo& info) {
    // The data as stored and in double precision, and the result.
    constexpr double kConverted = 8 + 8;
    const double own = info.type == ElementType::f64 ? 0 : static_cast<double>(bytesOf(info.type));
    return static_cast<double>(info.shape.elements()) * (own + kConverted);
  };
  const auto make = [&](const VolumeInfo& info) -> std::unique_ptr<SlabTransform> {
    const VolumeOutline input{info.shape, info.type, info.geometry};
    if (options.kinetic())
      return std::make_unique<KineticSlabs>(workshop.engines, workshop.variants, input, options.order,
                                            options.common.where);
    return std::make_unique<MagicSlabs>(workshop.engines, workshop.variants, input, valuesOf(options),
                                        options.common.where);
  };
  return {bytesHeld, recipeOf(options), make};
}

// Writes the prediction into the report and returns the text for the user; both report if there is none.
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
  nlohmann::json report{
      {"schema", "stencilscope.magic/1"}, {"direction", options.direction}, {"boundary", options.boundary}};
  if (!options.fromFile()) report["order"] = options.order;
  if (!options.taps.empty()) report["taps"] = tapsOf(options);
  if (transformBySlabs(program, workshop, options.common, in, out, slabbed(workshop, options), report)) return;
  TransformFile file = readInput(program, workshop, options.common, in, out, alwaysDouble);
  file.recipe = recipeOf(options);
  const Control control = program.control();
  Volume input = std::move(file.loaded.volume);
  if (input.type() != ElementType::f64) input = convertedToReal(input, ElementType::f64, control);
  TransformResult result;
  std::string remark;
  if (options.kinetic()) {
    result = kineticTransform(workshop.engines, workshop.variants, options.order, input, options.common.where, control);
  } else {
    const MagicWorkload workload = workloadOf(options, input);
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
          "The values outside: the data repeated (periodic, the default), or zeros (free); then forward grows each "
          "axis by taps - 1, and inverse shrinks it by as much")
      ->check(CLI::IsMember({"periodic", "free"}));
  command->footer(
      "Along every axis, in double precision. The inverse is the adjoint, which undoes the forward filter "
      "approximately.");
  command->callback([&program, options] { program.action = [&program, options] { return run(program, *options); }; });
}

}  // namespace sscope::cli
