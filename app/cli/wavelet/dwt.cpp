// sscope dwt: the wavelet transform of a file, back, and denoising with it.

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "app/cli/options.h"
#include "app/cli/wavelet/streamed_transform_run.h"
#include "app/cli/wavelet/transform_command.h"
#include "core/base/error.h"
#include "core/wavelet/job/denoise_job.h"
#include "core/wavelet/job/transform_job.h"
#include "core/wavelet/slabs/denoise_slabs.h"
#include "core/wavelet/wavelet.h"

namespace sscope::cli {

namespace {

struct DwtArguments {
  TransformOptions common;
  std::string direction, threshold = "auto", mode = "soft", convention = "pywavelets", boundary = "periodic",
                         rule = "sure";
  DwtJob job;
  std::vector<std::int64_t> size;
  std::optional<double> sigma;
  int shifts = 0;
  CLI::Option *sizeGiven = nullptr, *levelsGiven = nullptr, *thresholdGiven = nullptr, *ruleGiven = nullptr;
  std::vector<CLI::Option*> ofDenoise;
};

nlohmann::json bandsOf(const Volume& coefficients, const Pyramid& pyramid) {
  nlohmann::json bands = nlohmann::json::array();
  if (coefficients.shape().components > 1) return bands;
  for (const BandEnergy& one : bandEnergies(coefficients.view(), pyramid))
    bands.push_back({{"name", one.band.name},
                     {"level", one.band.level},
                     {"begin", one.band.box.begin},
                     {"end", one.band.box.end},
                     {"energy", one.energy},
                     {"share", one.share}});
  return bands;
}

nlohmann::json denoisingOf(const DwtArguments& options, const DenoiseJob& job, const DenoiseResult& result) {
  nlohmann::json report{{"levels", job.dwt.levels},
                        {"mode", options.mode},
                        {"rule", job.threshold ? nlohmann::json() : nlohmann::json(options.rule)},
                        {"shifts", job.shifts},
                        {"sigma", result.sigma},
                        {"zero_share", result.zeroShare}};
  // One threshold for all bands, or one for each.
  const bool one = job.threshold || job.rule == ShrinkageRule::Visu;
  report["threshold"] = one ? nlohmann::json(result.thresholds.back()) : nlohmann::json();
  const std::vector<PyramidBand> bands = result.pyramid.bands();
  for (std::size_t i = 1; i < bands.size(); ++i)
    report["thresholds"].push_back({{"name", bands[i].name}, {"threshold", result.thresholds[i]}});
  return report;
}

std::optional<double> thresholdOf(const std::string& text) {
  if (text == "auto") return {};
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size() || !(value >= 0) || !std::isfinite(value))
    throw Error(ErrorKind::Usage, "--threshold " + text + " is not a number of 0 or more",
                "give such a number, or auto");
  return value;
}

void requireFitting(const DwtArguments& options) {
  if (options.direction != "inverse" && options.sizeGiven->count() > 0)
    throw Error(ErrorKind::Usage, "--size has no effect with " + options.direction, "omit --size");
  for (const CLI::Option* option : options.ofDenoise)
    if (options.direction != "denoise" && option->count() > 0)
      throw Error(ErrorKind::Usage, option->get_name() + " has no effect with " + options.direction, "omit it");
  if (options.direction == "denoise" && options.boundary != "periodic")
    throw Error(ErrorKind::Usage, "denoising is always periodic", "omit --boundary");
  if (options.threshold != "auto" && options.sigma)
    throw Error(ErrorKind::Usage, "--sigma is used to find thresholds, and --threshold gives one", "omit one of them");
  if (options.threshold != "auto" && options.ruleGiven->count() > 0)
    throw Error(ErrorKind::Usage, "--rule finds thresholds, and --threshold gives one", "omit one of them");
}

DwtJob jobOf(const DwtArguments& options) {
  DwtJob job = options.job;
  job.convention = *parseWaveletConvention(options.convention);
  job.where = options.common.where;
  if (options.boundary == "free") job.boundary = DataBoundary::Free;
  return job;
}

DenoiseJob denoiseJobOf(const DwtArguments& options, const std::optional<double>& threshold, const VolumeShape& shape) {
  DwtJob job = jobOf(options);
  if (options.levelsGiven->count() == 0) job.levels = denoisingLevels(shape, job.dimensions);
  return {job,           *parseShrinkageRule(options.rule), threshold,
          options.sigma, *parseThresholdMode(options.mode), options.shifts};
}

// The options that affect the values; `levels` as computed for these data.
TransformRecipe recipeOf(const DwtArguments& options, const std::optional<double>& threshold, int levels) {
  TransformRecipe recipe = dwtRecipe({options.direction, options.job.wavelet, options.convention, options.boundary,
                                      levels, options.job.dimensions, options.size});
  if (options.direction != "denoise") return recipe;
  nlohmann::json& made = recipe.options;
  made["mode"] = options.mode;
  if (threshold) {
    made["threshold"] = *threshold;
  } else {
    made["rule"] = options.rule;
  }
  if (options.sigma) made["sigma"] = *options.sigma;
  if (options.shifts > 0) made["shifts"] = options.shifts;
  return recipe;
}

// True: the file was denoised slab by slab.
bool denoiseBySlabs(Program& program, Workshop& workshop, const DwtArguments& options,
                    const std::optional<double>& threshold, const std::string& in, const std::string& out,
                    nlohmann::json report) {
  const auto bytesHeld = [](const VolumeInfo& info) {
    // The data as stored, and as real numbers the data, their coefficients and the shrunk ones.
    constexpr double kArrays = 3;
    const auto own = static_cast<double>(bytesOf(info.type)),
               real = static_cast<double>(bytesOf(realTypeFor(info.type)));
    return static_cast<double>(info.shape.elements()) * (own + kArrays * real);
  };
  SlabbedTransform transform{bytesHeld, {}, {}};
  transform.make = [&](const VolumeInfo& info) -> std::unique_ptr<SlabTransform> {
    if (options.direction != "denoise")
      throw Error(ErrorKind::Unsupported, "the coefficients of every level are spread over the whole file",
                  "use a machine with more memory");
    auto slabs = std::make_unique<DenoiseSlabs>(workshop.engines, workshop.variants,
                                                VolumeOutline{info.shape, info.type, info.geometry},
                                                denoiseJobOf(options, threshold, info.shape));
    transform.recipe = recipeOf(options, threshold, slabs->pyramid().levels);
    report.update({{"levels", slabs->pyramid().levels},
                   {"mode", options.mode},
                   {"rule", threshold ? nlohmann::json() : nlohmann::json(options.rule)},
                   {"shifts", options.shifts},
                   {"sigma", options.sigma ? nlohmann::json(*options.sigma) : nlohmann::json()},
                   {"threshold", slabs->threshold()}});
    return slabs;
  };
  return transformBySlabs(program, workshop, options.common, in, out, transform, report);
}

void transformOne(Program& program, Workshop& workshop, const DwtArguments& options,
                  const std::optional<double>& threshold, const std::string& in, const std::string& out) {
  nlohmann::json report{{"schema", "stencilscope.dwt/1"}, {"direction", options.direction},
                        {"wavelet", options.job.wavelet}, {"convention", options.convention},
                        {"boundary", options.boundary},   {"levels", options.job.levels}};
  if (denoiseBySlabs(program, workshop, options, threshold, in, out, report)) return;
  TransformFile file = readInput(program, workshop, options.common, in, out, realTypeFor);
  const Volume& input = file.loaded.volume;
  Metadata& metadata = file.loaded.info.metadata;
  const Control control = program.control();
  const auto end = [&](const auto& result, const Volume& volume) {
    file.recipe = recipeOf(options, threshold, result.pyramid.levels);
    finish(program, workshop, options.common, file, volume, result.report, result.verification, report);
  };
  if (options.direction == "forward") {
    const DwtResult result = dwtForward(workshop.engines, workshop.variants, jobOf(options), input, control);
    report["bands"] = bandsOf(result.volume, result.pyramid);
    report["original"] = {input.shape().nx, input.shape().ny, input.shape().nz};
    if (options.boundary == "periodic") noteExtents(metadata, input.shape());
    end(result, result.volume);
  } else if (options.direction == "inverse") {
    const auto noted = takeExtents(metadata, input.shape());
    const auto crop =
        options.size.empty() && options.boundary == "periodic" ? noted : cropOf(options.size, input.shape());
    const DwtResult result = dwtInverse(workshop.engines, workshop.variants, jobOf(options), input, crop, control);
    end(result, result.volume);
  } else {
    const DenoiseJob task = denoiseJobOf(options, threshold, input.shape());
    const DenoiseResult result = denoise(workshop.engines, workshop.variants, task, input, control);
    report.update(denoisingOf(options, task, result));
    if (!result.notice.empty()) program.note("note: " + result.notice);
    end(result, result.volume);
  }
}

int run(Program& program, const DwtArguments& options) {
  requireFitting(options);
  const std::optional<double> threshold = thresholdOf(options.threshold);
  static_cast<void>(waveletNamed(options.job.wavelet));
  Workshop workshop = workshopFor(options.common, "dwt");
  return runBatch(program, *workshop.io, options.common.batch, {options.common.json, {}, {}},
                  [&](const std::string& in, const std::string& out) {
                    transformOne(program, workshop, options, threshold, in, out);
                  });
}

void addDenoising(CLI::App& command, DwtArguments& options) {
  options.ruleGiven =
      command
          .add_option("--rule", options.rule,
                      "denoise: find thresholds by SURE (sure, the default) or BayesShrink (bayes), for each band and "
                      "mode, or by VisuShrink (visu), one for all")
          ->check(CLI::IsMember({"sure", "bayes", "visu"}));
  options.ofDenoise = {
      options.ruleGiven,
      command
          .add_option("--threshold", options.threshold,
                      "denoise: coefficients up to this are noise (default auto: by the rule)")
          ->type_name("auto|VALUE"),
      command
          .add_option("--sigma", options.sigma,
                      "denoise: standard deviation of the noise (default: from the finest details)")
          ->check(nonNegativeNumber())
          ->type_name("VALUE"),
      command.add_option("--mode", options.mode, "denoise: shrink what remains (soft, the default) or keep it (hard)")
          ->check(CLI::IsMember({"soft", "hard"})),
      command
          .add_option(
              "--shifts", options.shifts,
              "denoise: cycle spinning, the mean over data moved by 0 to N samples along each axis, which takes "
              "(N + 1)^axes times as long (default 0)")
          ->transform(wholeNumberWithin(0, kMostShifts))
          ->type_name("N")};
}

}  // namespace

void addDwt(CLI::App& app, Program& program) {
  const auto options = std::make_shared<DwtArguments>();
  CLI::App* command = app.add_subcommand("dwt", "Wavelet transform of a file, its inverse, and denoising");
  command->add_option("DIRECTION", options->direction, "forward, inverse or denoise")
      ->required()
      ->check(CLI::IsMember({"forward", "inverse", "denoise"}));
  addTransformOptions(*command, options->common);
  command->add_option("--wavelet", options->job.wavelet, "haar, db1 to db10, sym2 to sym10 (default sym8)")
      ->type_name("NAME");
  command
      ->add_option("--convention", options->convention,
                   "The convention of the taps: pywavelets (default), or bigdft: the mirror image, which matches magic")
      ->check(CLI::IsMember({"pywavelets", "bigdft"}));
  command
      ->add_option(
          "--boundary", options->boundary,
          "The values outside: the data repeated (periodic, the default), or zeros (free); then inverse grows each "
          "axis by taps - 2, forward shrinks it by as much, and there is one level")
      ->check(CLI::IsMember({"periodic", "free"}));
  options->levelsGiven = command
                             ->add_option("--levels", options->job.levels,
                                          "The number of levels (default 1; denoise: 3, or as many as fit)")
                             ->transform(wholeNumberWithin(1, kMaximumLevels));
  command
      ->add_option("--dimensions", options->job.dimensions,
                   "Transform along x, along x and y, or along all three (default 0: every axis longer than one)")
      ->transform(wholeNumberWithin(0, 3));
  options->sizeGiven =
      addNumbersOption(*command, "--size", options->size, {"X[,Y[,Z]]", 1, 3, 1, std::int64_t{1} << 40},
                       "inverse: crop to the extents of the data before they were extended (default: those that "
                       "forward stored in the file, "
                       "if its format can store them)");
  addDenoising(*command, *options);
  command->footer(
      "Coefficients are a volume in the usual pyramid: averages first on each axis, level by level. Extents that are "
      "no multiple of 2^levels are extended by repeating the last sample. Integers of up to 16 bits become f32, others "
      "f64.");
  command->callback([&program, options] { program.action = [&program, options] { return run(program, *options); }; });
}

}  // namespace sscope::cli
