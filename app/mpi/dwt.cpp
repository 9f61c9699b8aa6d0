#include "app/mpi/commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "app/cli/checks.h"
#include "app/cli/wavelet/dwt_crop.h"
#include "app/cli/wavelet/transform_recipe.h"
#include "app/mpi/rank_transform.h"
#include "core/base/error.h"
#include "core/measure/judged_parts.h"
#include "core/parts/agreed.h"
#include "core/wavelet/job/denoise_job.h"
#include "core/wavelet/job/original_extents.h"
#include "core/wavelet/ranks/dwt_slab.h"
#include "core/wavelet/threshold.h"

namespace sscope::mpi {

namespace {

struct DwtArguments {
  TransformArguments common;
  std::string direction, wavelet = "sym8", mode = "soft", convention = "pywavelets";
  std::int64_t levels = 1, dimensions = 0;
  std::vector<std::int64_t> size;
  std::optional<double> threshold;
  CLI::Option *levelsGiven = nullptr, *sizeGiven = nullptr, *modeGiven = nullptr;
};

void requireFitting(const DwtArguments& options) {
  if (options.direction != "inverse" && options.sizeGiven->count() > 0)
    throw Error(ErrorKind::Usage, "--size has no meaning with " + options.direction, "leave it out");
  const bool denoises = options.direction == "denoise";
  if (!denoises && (options.threshold || options.modeGiven->count() > 0))
    throw Error(ErrorKind::Usage, "--threshold and --mode have no meaning with " + options.direction, "leave them out");
  if (denoises && !options.threshold)
    throw Error(ErrorKind::Usage, "thresholds are found from the coefficients of all ranks together",
                "give --threshold, for example the one that sscope dwt denoise finds in a part of the data");
}

// One file by all ranks.
class RankDwt {
 public:
  RankDwt(cli::Program& program, const DwtArguments& options)
      : options_(options), control_(program.control()), transform_(program, options.common, "dwt") {
    if (transform_.info().shape.nz == 1)
      throw Error(ErrorKind::Unsupported, "ranks share the wavelet transform of volumes, and this is an image",
                  "use sscope dwt");
    type_ = realTypeFor(transform_.info().type);
    levels_ = options.direction == "denoise" && options.levelsGiven->count() == 0
                  ? denoisingLevels(transform_.info().shape, static_cast<int>(options.dimensions))
                  : options.levels;
    cli::TransformRecipe recipe = cli::dwtRecipe({options.direction, options.wavelet, options.convention, "periodic",
                                                  levels_, options.dimensions, options.size});
    if (options.direction == "denoise")
      recipe.options.update({{"mode", options.mode}, {"threshold", *options.threshold}});
    transform_.setRecipe(std::move(recipe));
  }

  void run() {
    if (options_.direction == "forward") {
      forward();
    } else if (options_.direction == "inverse") {
      inverse();
    } else {
      denoise();
    }
  }

 private:
  using Shape = std::array<std::int64_t, 3>;

  [[nodiscard]] DwtWorkload workload(ArraySpec spec, bool forward, std::int64_t dimensions) const {
    return {spec,
            completeOptions(DwtWorkload::options(), {{"wavelet", options_.wavelet},
                                                     {"levels", levels_},
                                                     {"dimensions", dimensions},
                                                     {"convention", options_.convention},
                                                     {"direction", std::string(forward ? "forward" : "inverse")}})};
  }
  [[nodiscard]] DwtWorkload whole(bool forward) const {
    return workload(transform_.spec(type_), forward, options_.dimensions);
  }
  // On the slab's own array, along the axes of the whole.
  [[nodiscard]] DwtWorkload part(const DwtWorkload& whole, const DwtSlab& slab, bool forward, bool extended) const {
    ArraySpec spec = whole.input();
    for (std::size_t axis = 0; extended && axis < 2; ++axis) spec.extent[axis] = whole.pyramid().extent[axis];
    spec.extent[2] = slab.planes;
    const auto& axes = whole.pyramid().axes;
    return workload(spec, forward, axes[2] ? 3 : axes[1] ? 2 : 1);
  }
  [[nodiscard]] std::vector<DwtSlab> slabs(const DwtWorkload& whole, DwtPasses passes) const {
    std::vector<DwtSlab> all;
    for (int rank = 0; rank < transform_.ranks().size(); ++rank)
      all.push_back(dwtSlab(whole.pyramid(), whole.wavelet().taps(), passes, rank, transform_.ranks().size()));
    return all;
  }
  [[nodiscard]] const DwtSlab& mine(const std::vector<DwtSlab>& all) const {
    return all[static_cast<std::size_t>(transform_.ranks().rank())];
  }
  // The slab's samples; those beyond the end are the last one again.
  [[nodiscard]] Volume samples(const DwtSlab& slab) {
    std::vector<std::int64_t> places;
    for (std::int64_t k = 0; k < slab.planes; ++k)
      places.push_back(std::min(slab.sample(k), transform_.info().shape.nz - 1));
    return transform_.planesAt(places, type_, control_.part(0, 0.3));
  }
  [[nodiscard]] VolumeShape shapeOf(const Shape& extent) const {
    return {extent[0], extent[1], extent[2], transform_.info().shape.components};
  }

  void forward() {
    const DwtWorkload all = whole(true);
    const VolumeShape shape = shapeOf(all.pyramid().extent);
    noteExtents(transform_.metadata(), transform_.info().shape);
    transform_.checkOutput(shape, type_);
    const std::vector<DwtSlab> slabs = this->slabs(all, DwtPasses::Forward);
    const DwtSlab& slab = mine(slabs);
    TransformResult result;
    reach::agreed(transform_.ranks(), control_, [&] {
      result = transform_.run(part(all, slab, true, false), samples(slab), control_.part(0.3, 0.8));
    });
    if (slab.planes == slab.own.size()) {  // the slabs follow each other
      transform_.write(shape, result, result.output, {0, slab.planes}, slab.own.begin, control_.part(0.8, 1));
    } else {
      const Volume own =
          ownPlanesOfCoefficients(result.output, all.pyramid(), slabs, transform_.ranks(), control_.part(0.8, 0.9));
      const auto share = reach::evenly(shape.nz, transform_.ranks().size());
      transform_.write(shape, result, own, {0, own.shape().nz},
                       share[static_cast<std::size_t>(transform_.ranks().rank())].begin, control_.part(0.9, 1));
    }
    tell(result, shape);
  }

  void inverse() {
    const DwtWorkload all = whole(false);
    const Pyramid& pyramid = all.pyramid();
    const auto noted = takeExtents(transform_.metadata(), transform_.info().shape);
    const auto crop = options_.size.empty() ? noted : cli::cropOf(options_.size, transform_.info().shape);
    const VolumeShape shape = shapeOf(crop.value_or(pyramid.extent));
    requireInside(shape);
    transform_.checkOutput(shape, type_);
    const std::vector<DwtSlab> slabs = this->slabs(all, DwtPasses::Inverse);
    const DwtSlab& slab = mine(slabs);
    TransformResult result;
    reach::agreed(transform_.ranks(), control_, [&] {
      const Volume coefficients = this->coefficients(pyramid, slab);
      result = transform_.run(part(all, slab, false, false), coefficients, control_.part(0.3, 0.8));
    });
    writeSamples(result, slab, shape);
  }

  void denoise() {
    const DwtWorkload there = whole(true);
    const VolumeShape& shape = transform_.info().shape;
    transform_.checkOutput(shape, type_);
    const std::vector<DwtSlab> slabs = this->slabs(there, DwtPasses::Both);
    const DwtSlab& slab = mine(slabs);
    TransformResult result;
    reach::agreed(transform_.ranks(), control_, [&] {
      const DwtWorkload forward = part(there, slab, true, false);
      const Volume own = samples(slab);
      requireFinite(own, control_);
      TransformResult coefficients = transform_.run(forward, own, control_.part(0.3, 0.5));
      for (int c = 0; c < shape.components; ++c) {
        const ArrayView component = componentView(coefficients.output.view(), c);
        applyThreshold(component, component, forward.pyramid(), *options_.threshold, *parseThresholdMode(options_.mode),
                       control_);
      }
      result = transform_.run(part(there, slab, false, true), coefficients.output, control_.part(0.5, 0.8));
      if (coefficients.verification) result.verification = joined(*result.verification, *coefficients.verification);
      result.report.phases += coefficients.report.phases;
    });
    writeSamples(result, slab, shape);
  }

  // Of the slab, from the planes of the file that hold them; deeper levels last.
  [[nodiscard]] Volume coefficients(const Pyramid& pyramid, const DwtSlab& slab) {
    VolumeShape shape = transform_.info().shape;
    shape.nz = slab.planes;
    Volume own(shape, type_, transform_.info().geometry);
    const std::int64_t row = own.bytes() / (shape.nz * shape.ny), element = row / shape.nx;
    for (const DwtLayer& layer : allLayers(pyramid, slab)) {
      std::vector<std::int64_t> places;
      for (std::int64_t k = 0; k < layer.count; ++k) places.push_back(layer.inWhole + k);
      const Volume read = transform_.planesAt(places, type_, control_.part(0, 0.3));
      for (std::int64_t z = 0; z < layer.count; ++z)
        for (std::int64_t y = 0; y < layer.ny; ++y)
          std::memcpy(own.data() + ((layer.inSlab + z) * shape.ny + y) * row, read.data() + (z * shape.ny + y) * row,
                      static_cast<std::size_t>(layer.nx * element));
    }
    return own;
  }

  void requireInside(const VolumeShape& shape) const {
    const VolumeShape& n = transform_.info().shape;
    if (shape.nx > n.nx || shape.ny > n.ny || shape.nz > n.nz)
      throw Error(ErrorKind::Usage, "data of " + n.text() + " cannot be cropped to " + shape.text(),
                  "choose a size inside");
  }

  // The slab's own samples, as far as the file has them.
  void writeSamples(const TransformResult& result, const DwtSlab& slab, const VolumeShape& shape) {
    const std::int64_t count = std::clamp<std::int64_t>(shape.nz - slab.own.begin, 0, slab.own.size());
    Volume cut;
    reach::agreed(transform_.ranks(), control_, [&] {
      cut = cropped(result.output, {shape.nx, shape.ny, result.output.shape().nz}, control_);
    });
    transform_.write(shape, result, cut, {slab.before, slab.before + count}, std::min(slab.own.begin, shape.nz),
                     control_.part(0.8, 1));
    tell(result, shape);
  }

  void tell(const TransformResult& result, const VolumeShape& shape) {
    transform_.tell(result, {{"schema", "stencilscope.dwt/1"},
                             {"direction", options_.direction},
                             {"wavelet", options_.wavelet},
                             {"convention", options_.convention},
                             {"boundary", "periodic"},
                             {"levels", levels_},
                             {"shape", {shape.nx, shape.ny, shape.nz}}});
  }

  const DwtArguments& options_;
  Control control_;
  RankTransform transform_;
  ElementType type_ = ElementType::f32;
  std::int64_t levels_ = 1;
};

int runDwt(cli::Program& program, const DwtArguments& options) {
  requireFitting(options);
  static_cast<void>(waveletNamed(options.wavelet));
  RankDwt(program, options).run();
  return 0;
}

}  // namespace

void addRankDwt(CLI::App& app, cli::Program& program) {
  const auto options = std::make_shared<DwtArguments>();
  CLI::App* command = app.add_subcommand(
      "dwt", "Wavelet transform of a file, its inverse, and denoising, each rank its blocks of planes");
  command->add_option("DIRECTION", options->direction, "forward, inverse or denoise")
      ->required()
      ->check(CLI::IsMember({"forward", "inverse", "denoise"}));
  addTransformOptions(*command, options->common);
  command->add_option("--wavelet", options->wavelet, "haar, db1 to db10, sym2 to sym10 (default sym8)")
      ->type_name("NAME");
  command
      ->add_option(
          "--convention", options->convention,
          "Whose taps that name means: pywavelets (default), or bigdft: the mirror image, which magic goes with")
      ->check(CLI::IsMember({"pywavelets", "bigdft"}));
  options->levelsGiven =
      command
          ->add_option("--levels", options->levels,
                       "How many times the averages are split (default 1; denoise: 3, or as many as fit)")
          ->transform(cli::wholeNumberWithin(1, kMaximumLevels));
  command
      ->add_option("--dimensions", options->dimensions,
                   "Transform along x, along x and y, or along all three (default 0: every axis longer than one)")
      ->transform(cli::wholeNumberWithin(0, 3));
  options->sizeGiven =
      cli::addNumbersOption(*command, "--size", options->size, {"X[,Y[,Z]]", 1, 3, 1, std::int64_t{1} << 40},
                            "inverse: crop to the extents the data had before they were extended");
  command->add_option("--threshold", options->threshold, "denoise: coefficients up to this are noise")
      ->check(cli::nonNegativeNumber())
      ->type_name("VALUE");
  options->modeGiven =
      command->add_option("--mode", options->mode, "denoise: shrink what remains (soft, the default) or keep it (hard)")
          ->check(CLI::IsMember({"soft", "hard"}));
  command->footer("Boundaries are periodic. A rank transforms blocks of 2^levels planes, and the planes around them.");
  command->callback(
      [&program, options] { program.action = [&program, options] { return runDwt(program, *options); }; });
}

}  // namespace sscope::mpi
