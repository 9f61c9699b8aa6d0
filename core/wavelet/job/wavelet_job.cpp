#include "core/wavelet/job/wavelet_job.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/measure/judged_parts.h"
#include "core/wavelet/box_inverse.h"
#include "core/wavelet/job/transform_job.h"
#include "core/wavelet/job/wavelet_pictures.h"
#include "core/wavelet/job/wavelet_state.h"
#include "core/wavelet/wavelet.h"

namespace sscope {

namespace {

std::vector<BandShare> sharesOf(const std::vector<BandEnergy>& before, const std::vector<BandEnergy>& after) {
  std::vector<BandShare> shares;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::int64_t all = before[i].band.box.voxels();
    shares.push_back({before[i].band, all, all - after[i].zeros, before[i].energy, after[i].energy});
  }
  return shares;
}

}  // namespace

int mostLevels(const VolumeShape& shape) {
  const std::array<std::int64_t, 3> extent{shape.nx, shape.ny, shape.nz};
  return std::max(1, largestLevels(extent, transformedAxes(extent, 0)));
}

double WaveletResult::keptShare() const {
  std::int64_t all = 0, kept = 0;
  for (const BandShare& band : bands) all += band.coefficients, kept += band.kept;
  return all == 0 ? 1 : static_cast<double>(kept) / static_cast<double>(all);
}

bool sameForward(const WaveletJob& a, const WaveletJob& b) {
  WaveletSettings left = a.settings, right = b.settings;
  for (WaveletSettings* settings : {&left, &right}) {
    settings->rule.clear();
    settings->shrinkage.clear();
    settings->automatic = false;
    settings->threshold = 0;
  }
  return a.inputIdentity == b.inputIdentity && a.input == b.input && a.component == b.component && left == right &&
         a.engine == b.engine && a.threads == b.threads;
}

WaveletPipeline::WaveletPipeline(const EngineSet& engines, const VariantTable& variants)
    : state_(std::make_unique<State>(engines, variants)) {}

WaveletPipeline::~WaveletPipeline() = default;

void WaveletPipeline::transform(const WaveletJob& job, const Control& control) {
  const Stopwatch watch;
  State& s = *state_;
  s.adopt(job, control);
  std::shared_ptr<const Volume>& made = magic(job) ? s.middle : s.coefficients;
  if (!made) {
    const int levels = magic(job) ? 0 : s.layout().levels;
    if (!s.forward.plan)
      s.forward = s.prepare(job, magic(job) ? job.settings.direction : "forward", levels, s.samples->spec(), control);
    control.report(0.1, magic(job) ? "filtering" : "transforming");
    State::Step step = s.executeForward(control);
    s.forwardReport = step.report;
    made = std::move(step.output);
    s.fresh = watch.seconds();
  }
  if (magic(job)) return;
  const Pyramid layout = s.layout();
  if (const std::pair by{shrinkageOf(job), ruleOf(job)}; s.suggestedBy != by) {
    control.report(0.3, "finding the noise");
    s.suggested = shrinkageFor(s.coefficients->view(), layout, by.first, by.second, {}, control);
    s.suggestedBy = by;
  }
  if (s.statistics) return;
  control.report(0.4, "measuring the coefficients");
  const PyramidStatistics statistics = pyramidStatistics(*s.coefficients, layout, control);
  s.energies = bandEnergies(s.coefficients->view(), layout, control);
  s.statistics = statistics;
  s.fresh = watch.seconds();
}

std::shared_ptr<const WaveletResult> WaveletPipeline::run(const WaveletJob& job, const Control& control) {
  transform(job, control);
  const Stopwatch watch;
  State& s = *state_;
  const auto timed = [&](std::shared_ptr<WaveletResult> result) {
    const double before = std::exchange(s.fresh, -1);
    result->forwardReused = before < 0;
    result->seconds = watch.seconds() + std::max(before, 0.0);
    return result;
  };
  if (magic(job)) return timed(s.runMagic(control));
  auto result = std::make_shared<WaveletResult>();
  const VolumeShape& shape = s.samples->shape();
  result->layout = s.layout();
  result->source = s.samples;
  result->forward = s.forwardReport;
  result->largest = s.statistics->largest;
  result->suggested = s.suggested.finest();
  result->threshold = s.threshold();
  if (job.settings.automatic) result->notice = noNoiseNotice(s.suggested.sigma);

  control.report(0.5, "applying the threshold");
  auto kept = std::make_shared<Volume>(s.coefficients->shape(), s.coefficients->type(), s.coefficients->geometry());
  result->bands = sharesOf(s.energies, applyThreshold(s.coefficients->view(), kept->view(), result->layout,
                                                      s.thresholds(), ruleOf(job), control));
  s.prepareBackward(control);
  control.report(0.6, "transforming back");
  std::optional<State::Step> there = s.executeResident(control);
  State::Step step = there ? std::move(*there) : s.execute(s.backward, *kept, control);
  result->inverse = step.report;
  s.backInput = kept;
  s.backOutput = step.output;
  control.check();
  result->result = step.output->shape() == shape
                       ? step.output
                       : std::make_shared<Volume>(cropped(*step.output, {shape.nx, shape.ny, shape.nz}, control));
  std::tie(result->difference, result->error) = differenceAndError(*result->result, *s.samples, control);
  control.report(0.9, "drawing the coefficients");
  result->pyramid = pyramidPicture(*kept, result->layout, *s.statistics, control);
  result->coefficients = std::move(kept);
  return timed(std::move(result));
}

WaveletPipeline::FirstDirection WaveletPipeline::firstDirection(const WaveletJob& job, const Control& control) {
  State& s = *state_;
  s.adopt(job, control);
  const bool filter = magic(job);
  return {State::workloadOf(job.settings, filter ? job.settings.direction : "forward", filter ? 0 : s.layout().levels,
                            s.samples->spec()),
          s.samples};
}

Verification WaveletPipeline::verifyLast(const Control& control) {
  State& s = *state_;
  if (!s.backOutput || !s.forward.workload || !s.backward.workload)
    throw Error(ErrorKind::Usage, "there is no run to verify", "run the transform first");
  if (!s.forwardVerified)
    s.forwardVerified = State::verified(s.forward, *s.samples, s.middle ? *s.middle : *s.coefficients, control);
  const Verification back = State::verified(s.backward, *s.backInput, *s.backOutput, control);
  return joined(*s.forwardVerified, back);
}

// The slices that follow a dragged threshold.

namespace {

// The box of one slice; 0 is the axial one.
Box sliceOf(const VolumeShape& shape, std::size_t view, const std::array<std::int64_t, 3>& at) {
  Box box{{0, 0, 0}, {shape.nx, shape.ny, shape.nz}};
  const std::size_t axis = 2 - view;
  box.begin[axis] = std::clamp<std::int64_t>(at[axis], 0, box.end[axis] - 1);
  box.end[axis] = box.begin[axis] + 1;
  return box;
}

// result - source of one slice.
std::shared_ptr<const Volume> differenceOf(const Volume& result, const Volume& source, const Box& box) {
  auto difference = std::make_shared<Volume>(result.shape(), ElementType::f32);
  const ConstArrayView a = result.view(), b = source.view();
  float* out = difference->elements<float>().data();
  dispatch(result.type(), [&](auto tag) {
    const auto *left = a.as<decltype(tag)>(), *right = b.as<decltype(tag)>();
    for (std::int64_t z = 0; z < box.size(2); ++z)
      for (std::int64_t y = 0; y < box.size(1); ++y)
        for (std::int64_t x = 0; x < box.size(0); ++x)
          *out++ = static_cast<float>(left[a.offset(x, y, z)] -
                                      right[b.offset(box.begin[0] + x, box.begin[1] + y, box.begin[2] + z)]);
  });
  return difference;
}

// A box of the array that the engine keeps. Throws what the array throws.
Volume boxOf(ResidentArray& array, const Box& box, const Control& control) {
  Volume slice({box.size(0), box.size(1), box.size(2), 1}, array.spec().type);
  const BoxCopy copy{box, slice.view()};
  array.read({&copy, 1}, control);
  return slice;
}

}  // namespace

bool WaveletPipeline::State::previewsThere() const {
  return resident && residentSeconds && (!previewSeconds || *residentSeconds <= *previewSeconds);
}

std::shared_ptr<const WaveletPreview> WaveletPipeline::preview(const WaveletJob& job, const Control& control) {
  transform(job, control);
  if (magic(job)) return nullptr;
  const Stopwatch watch;
  State& s = *state_;
  const Pyramid layout = s.layout();
  const State::Denoised* const there = s.previewsThere() ? s.denoise(control) : nullptr;
  const Wavelet& wavelet = waveletNamed(
      job.settings.wavelet, parseWaveletConvention(job.settings.convention).value_or(WaveletConvention::PyWavelets));
  const VolumeShape &shape = s.samples->shape(), &coefficients = s.coefficients->shape();
  auto preview = std::make_shared<WaveletPreview>();
  for (std::size_t a = 0; a < 3; ++a) preview->pyramidAt[a] = job.crosshair[a] >> (layout.axes[a] ? layout.levels : 0);
  preview->at = job.crosshair;
  for (std::size_t view = 0; view < (shape.nz == 1 ? 1U : 3U); ++view) {
    if (!job.previewed[view] && shape.nz > 1) continue;
    const Box box = sliceOf(shape, view, preview->at), pyramidBox = sliceOf(coefficients, view, preview->pyramidAt);
    auto slice =
        std::make_shared<const Volume>(there != nullptr ? boxOf(*there->run.outputs[0], box, control)
                                                        : inverseOfBox(s.coefficients->view(), layout, wavelet, box,
                                                                       s.thresholds(), ruleOf(job), control));
    preview->difference[view] = differenceOf(*slice, *s.samples, box);
    preview->result[view] = std::move(slice);
    preview->pyramid[view] =
        pyramidPicture(*s.coefficients, layout, *s.statistics, pyramidBox, s.thresholds(), ruleOf(job), control);
  }
  preview->seconds = watch.seconds();
  if (there == nullptr) s.previewSeconds = preview->seconds;
  return preview;
}

}  // namespace sscope
