#include "core/wavelet/job/wavelet_state.h"

#include <algorithm>
#include <utility>

#include "core/base/ability.h"
#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/base/stopwatch.h"
#include "core/wavelet/job/denoise_job.h"
#include "core/wavelet/job/transform_job.h"
#include "core/wavelet/resident_inverse.h"
#include "core/workload/catalog.h"

namespace sscope {

namespace {

// The reference is far slower than its work tells, and the window should rest soon.
constexpr double kVerifySeconds = 0.05;

// What samples are kept and computed in.
ElementType typeFor(const WaveletJob& job) { return magic(job) ? ElementType::f64 : realTypeFor(job.input->type()); }

VolumeShape shapeOf(const ArraySpec& spec) { return {spec.extent[0], spec.extent[1], spec.extent[2], 1}; }

// What the room's workloads are made with, beside the input.
OptionValues valuesFor(const WaveletSettings& settings, const std::string& direction, int levels) {
  if (settings.transform == "magic") {
    OptionValues values{{"direction", direction}};
    if (settings.taps.empty())
      values["order"] = static_cast<std::int64_t>(settings.order);
    else
      values["taps"] = settings.taps;
    return values;
  }
  return {{"direction", direction},
          {"wavelet", settings.wavelet},
          {"convention", settings.convention},
          {"levels", static_cast<std::int64_t>(levels)}};
}

}  // namespace

void WaveletPipeline::State::forget() {
  forward = {};
  fresh = -1;
  backward = {};
  coefficients.reset();
  resident.reset();
  denoised.reset();
  residentSeconds.reset();
  previewSeconds.reset();
  middle.reset();
  statistics.reset();
  suggestedBy.reset();
  roundTrip.clear();
  backInput.reset();
  backOutput.reset();
  forwardVerified.reset();
}

void WaveletPipeline::State::adopt(const WaveletJob& now, const Control& control) {
  if (!now.input || now.input->empty())
    throw Error(ErrorKind::Usage, "there is no data to transform", "open a file or a sample");
  const ElementType type = typeFor(now);
  if (!samples || samples->type() != type || job.inputIdentity != now.inputIdentity || job.input != now.input ||
      job.component != now.component) {
    samples.reset();
    forget();
    const bool plain = now.input->shape().components == 1 && now.input->type() == type;
    const auto bytes = static_cast<std::int64_t>(bytesOf(type));
    // Coefficients before and after the threshold and the result; the difference and a picture; samples.
    requireMemory((3 * bytes + 5 + (plain ? 0 : bytes)) * now.input->shape().voxels());
    control.report(0, "reading the samples");
    samples =
        plain ? now.input : std::make_shared<const Volume>(componentAsReal(*now.input, now.component, type, control));
    finite = false;
  }
  if (!magic(now) && !finite) requireFinite(*samples, {control.stop, {}});
  finite = finite || !magic(now);
  if (!sameForward(now, job)) forget();
  job = now;
}

Pyramid WaveletPipeline::State::layout() const {
  const VolumeShape& shape = samples->shape();
  return pyramidFor({shape.nx, shape.ny, shape.nz}, 0, std::clamp(job.settings.levels, 1, mostLevels(shape)));
}

WaveletPipeline::State::Prepared WaveletPipeline::State::prepare(const WaveletJob& now, const std::string& direction,
                                                                 int levels, const ArraySpec& input,
                                                                 const Control& control) {
  const WorkloadKind* kind = findWorkloadKind(now.settings.transform);
  if (kind == nullptr)
    throw Error(ErrorKind::Unsupported, "this build has no transform called " + now.settings.transform,
                "choose another one");
  Engine& engine = now.engine.empty() ? engines.preferred() : engines.at(now.engine);
  const Stopwatch watch;
  Prepared made;
  made.workload = kind->make(input, valuesFor(now.settings, direction, levels));
  made.plan = variants.prepare(engine, *made.workload, now.settings.variant,
                               {.threads = now.threads, .deviceMemoryLimit = 0}, control);
  std::int64_t bytes = made.plan->scratchBytes();
  for (const ArraySpec& spec : made.workload->outputs()) bytes += spec.bytes();
  requireMemory(bytes);
  made.seconds = watch.seconds();
  return made;
}

WaveletPipeline::State::Step WaveletPipeline::State::execute(Prepared& prepared, const Volume& input,
                                                             const Control& control) {
  const Stopwatch watch;
  Step step;
  step.output = roomFor(prepared, input);
  step.report = executeInto(*step.output, prepared, input, control);
  step.report.phases.total = watch.seconds() + std::exchange(prepared.seconds, 0.0);
  return step;
}

WaveletPipeline::State::Step WaveletPipeline::State::executeForward(const Control& control) {
  const EngineInfo& engine = (job.engine.empty() ? engines.preferred() : engines.at(job.engine)).info();
  if (magic(job) || !engine.isDevice() || engine.isProcessor) return execute(forward, *samples, control);
  const Stopwatch watch;
  const ConstArrayView in = samples->view();
  const std::vector<ArraySpec> out = forward.workload->outputs();
  ResidentRun ran = forward.plan->runResident({.arrays = {&in, 1}, .identity = 0}, out, memory, control);
  Step step{roomFor(forward, *samples), ran.report};
  const Stopwatch copying;
  ran.outputs[0]->copyTo(step.output->view(), control);
  step.report.phases.download += copying.seconds();
  step.report.phases.total = watch.seconds() + std::exchange(forward.seconds, 0.0);
  if (ran.outputs[0]->deviceBytes() > 0) resident = std::move(ran.outputs[0]);
  return step;
}

void WaveletPipeline::State::prepareBackward(const Control& control) {
  if (!backward.plan) backward = prepare(job, "inverse", layout().levels, coefficients->spec(), control);
}

const WaveletPipeline::State::Denoised* WaveletPipeline::State::denoise(const Control& control) {
  if (!resident) return nullptr;
  prepareBackward(control);
  auto* const inverse = abilityOf<ResidentInverse>(*backward.plan);
  if (inverse == nullptr) return nullptr;
  std::vector<double> wanted;
  const BandThresholds given = thresholds();
  for (std::size_t band = 0; band < layout().bands().size(); ++band) wanted.push_back(given[band]);
  if (denoised && denoised->mode == ruleOf(job) && denoised->thresholds == wanted) return &*denoised;
  denoised.reset();  // the next one takes its memory
  const Stopwatch watch;
  auto ran = inverse->runThresholded(*resident, given, ruleOf(job), memory, control);
  if (!ran) {
    resident.reset();
    return nullptr;
  }
  residentSeconds = ran->report.phases.total;  // without building kernels
  ran->report.phases.total = watch.seconds() + std::exchange(backward.seconds, 0.0);
  denoised.emplace(Denoised{std::move(wanted), ruleOf(job), std::move(*ran)});
  return &*denoised;
}

std::optional<WaveletPipeline::State::Step> WaveletPipeline::State::executeResident(const Control& control) {
  const Denoised* there = denoise(control);
  if (there == nullptr) return {};
  const Stopwatch watch;
  Step step{roomFor(backward, *coefficients), there->run.report};
  there->run.outputs[0]->copyTo(step.output->view(), control);
  step.report.phases.download += watch.seconds();
  step.report.phases.total += watch.seconds();
  return step;
}

std::shared_ptr<Volume> WaveletPipeline::State::roomFor(const Prepared& prepared, const Volume& input) {
  const ArraySpec spec = prepared.workload->outputs().front();
  return std::make_shared<Volume>(shapeOf(spec), spec.type, input.geometry());
}

RunReport WaveletPipeline::State::executeInto(Volume& output, Prepared& prepared, const Volume& input,
                                              const Control& control) {
  const Stopwatch watch;
  const ConstArrayView in = input.view();
  const ArrayView out = output.view();
  RunReport report = prepared.plan->run({.arrays = {&in, 1}, .identity = 0}, {&out, 1}, control);
  report.phases.total = watch.seconds();
  return report;
}

Verification WaveletPipeline::State::verified(const Prepared& prepared, const Volume& input, const Volume& output,
                                              const Control& control) {
  const ConstArrayView in = input.view(), out = output.view();
  return verify(*prepared.workload, {&in, 1}, {&out, 1}, {.fullBudgetSeconds = kVerifySeconds}, control);
}

}  // namespace sscope
