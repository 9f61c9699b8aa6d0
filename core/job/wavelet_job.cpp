#include "core/job/wavelet_job.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/base/stopwatch.h"
#include "core/job/transform_job.h"
#include "core/job/wavelet_pictures.h"
#include "core/wavelet/threshold.h"
#include "core/workload/catalog.h"

namespace sscope {

namespace {

constexpr std::int64_t kBytesPerSample = sizeof(double);
constexpr std::int64_t kProbeLength = 512;
// The reference is far slower than its work tells, and the window should rest soon.
constexpr double kVerifySeconds = 0.05;

VolumeShape shapeOf(const ArraySpec& spec) { return {spec.extent[0], spec.extent[1], spec.extent[2], 1}; }

std::shared_ptr<Volume> newVolume(const VolumeShape& shape, ElementType type, const Geometry& geometry) {
  return std::make_shared<Volume>(shape, type, geometry);
}

// The component as f64.
std::shared_ptr<const Volume> samplesOf(const Volume& input, int component, const Control& control) {
  VolumeShape shape = input.shape();
  shape.components = 1;
  auto samples = newVolume(shape, ElementType::f64, input.geometry());
  const std::int64_t plane = shape.nx * shape.ny, step = input.shape().components;
  double* out = samples->elements<double>().data();
  dispatch(input.type(), [&](auto tag) {
    using T = decltype(tag);
    const T* in = input.elements<T>().data() + component;
    tbb::parallel_for(std::int64_t{0}, shape.nz, [&](std::int64_t z) {
      if (control.stopRequested()) return;
      for (std::int64_t i = z * plane; i < (z + 1) * plane; ++i) out[i] = static_cast<double>(in[i * step]);
    });
  });
  control.check();
  return samples;
}

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
  return {{"direction", direction}, {"wavelet", settings.wavelet}, {"levels", static_cast<std::int64_t>(levels)}};
}

// A workload and its plan; the workload outlives the plan.
struct Prepared {
  std::unique_ptr<Workload> workload;
  std::unique_ptr<Plan> plan;
  double seconds = 0;  // preparing took
};

struct Step {
  std::shared_ptr<Volume> output;
  RunReport report;
};

Verification verified(const Prepared& prepared, const Volume& input, const Volume& output, const Control& control) {
  const ConstArrayView in = input.view(), out = output.view();
  return verify(*prepared.workload, {&in, 1}, {&out, 1}, {.fullBudgetSeconds = kVerifySeconds}, control);
}

std::vector<BandShare> sharesOf(const std::vector<BandEnergy>& before, const std::vector<BandEnergy>& after) {
  std::vector<BandShare> shares;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::int64_t all = before[i].band.box.voxels();
    shares.push_back({before[i].band, all, all - after[i].zeros, before[i].energy, after[i].energy});
  }
  return shares;
}

// |1 - Y(f)| of a line that began as an impulse in the middle, at f = 0, 1/n ... 1/2.
std::vector<double> lossOverFrequency(std::span<const double> line) {
  const std::size_t n = line.size();
  std::vector<double> loss;
  for (std::size_t k = 0; k <= n / 2; ++k) {
    std::complex<double> sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto turn = static_cast<double>(k * (i + n - n / 2) % n) / static_cast<double>(n);
      sum += line[i] * std::polar(1.0, -2 * std::numbers::pi * turn);
    }
    loss.push_back(std::abs(1.0 - sum));
  }
  return loss;
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
    settings->automatic = false;
    settings->threshold = 0;
  }
  return a.inputIdentity == b.inputIdentity && a.input == b.input && a.component == b.component && left == right &&
         a.engine == b.engine && a.threads == b.threads;
}

struct WaveletPipeline::State {
  const EngineSet& engines;
  const VariantTable& variants;
  // Of the last job; empty where it has changed or failed.
  WaveletJob job{};
  std::shared_ptr<const Volume> samples{};
  Prepared forward{}, backward{};
  std::shared_ptr<const Volume> coefficients{};  // before the threshold
  std::shared_ptr<const Volume> middle{};        // magic: what the filter made
  RunReport forwardReport{};
  std::optional<PyramidStatistics> statistics{};
  std::vector<BandEnergy> energies{};  // before the threshold
  double suggested = 0;
  std::shared_ptr<const Volume> backInput{}, backOutput{};  // of the last way back
  std::optional<Verification> forwardVerified{};
  std::vector<double> roundTrip{};  // WaveletResult::measuredRoundTrip

  void forget() {
    forward = {};
    backward = {};
    coefficients.reset();
    middle.reset();
    statistics.reset();
    roundTrip.clear();
    backInput.reset();
    backOutput.reset();
    forwardVerified.reset();
  }

  Prepared prepare(const WaveletJob& now, const std::string& direction, int levels, const ArraySpec& input,
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

  std::vector<double> probe(const WaveletJob& now, const std::string& there, const std::string& back,
                            const Control& control);

  Step execute(Prepared& prepared, const Volume& input, const Control& control) {
    const Stopwatch watch;
    Step step;
    step.output = newVolume(shapeOf(prepared.workload->outputs().front()), ElementType::f64, input.geometry());
    const ConstArrayView in = input.view();
    const ArrayView out = step.output->view();
    step.report = prepared.plan->run({.arrays = {&in, 1}, .identity = 0}, {&out, 1}, control);
    step.report.phases.total = watch.seconds() + std::exchange(prepared.seconds, 0.0);
    return step;
  }
};

// An impulse there and back through the engine: its spectrum is the filter's response to each frequency.
std::vector<double> WaveletPipeline::State::probe(const WaveletJob& now, const std::string& there,
                                                  const std::string& back, const Control& control) {
  Volume impulse({kProbeLength, 1, 1}, ElementType::f64);
  const std::span<double> values = impulse.elements<double>();
  std::fill(values.begin(), values.end(), 0.0);
  values[kProbeLength / 2] = 1;
  try {
    Prepared first = prepare(now, there, 0, impulse.spec(), control);
    const Step forth = execute(first, impulse, control);
    Prepared second = prepare(now, back, 0, impulse.spec(), control);
    return lossOverFrequency(execute(second, *forth.output, control).output->elements<double>());
  } catch (const Canceled&) {
    throw;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Unsupported) throw;
    return {};
  }
}

WaveletPipeline::WaveletPipeline(const EngineSet& engines, const VariantTable& variants)
    : state_(std::make_unique<State>(engines, variants)) {}

WaveletPipeline::~WaveletPipeline() = default;

std::shared_ptr<const WaveletResult> WaveletPipeline::run(const WaveletJob& job, const Control& control) {
  if (!job.input || job.input->empty())
    throw Error(ErrorKind::Usage, "there is no data to transform", "open a file or a sample");
  const Stopwatch watch;
  State& s = *state_;
  auto result = std::make_shared<WaveletResult>();
  if (!s.samples || s.job.inputIdentity != job.inputIdentity || s.job.input != job.input ||
      s.job.component != job.component) {
    s.samples.reset();
    s.forget();
    requireMemory(5 * kBytesPerSample * job.input->shape().voxels());
    control.report(0, "reading the samples");
    s.samples = samplesOf(*job.input, job.component, control);
  }
  if (!sameForward(job, s.job)) s.forget();
  s.job = job;
  result->source = s.samples;
  const VolumeShape& shape = s.samples->shape();
  if (job.settings.transform == "magic") {
    const std::string there = job.settings.direction, back = there == "forward" ? "inverse" : "forward";
    result->forwardReused = s.middle != nullptr;
    if (!s.middle) {
      if (!s.forward.plan) s.forward = s.prepare(job, there, 0, s.samples->spec(), control);
      control.report(0.2, "filtering");
      Step step = s.execute(s.forward, *s.samples, control);
      s.forwardReport = step.report;
      s.middle = std::move(step.output);
    }
    if (!s.backward.plan) s.backward = s.prepare(job, back, 0, s.samples->spec(), control);
    control.report(0.6, "filtering back");
    const Step step = s.execute(s.backward, *s.middle, control);
    s.backInput = s.middle;
    s.backOutput = step.output;
    if (s.roundTrip.empty()) s.roundTrip = s.probe(job, there, back, control);
    result->measuredRoundTrip = s.roundTrip;
    result->result = s.middle;
    result->forward = s.forwardReport;
    result->inverse = step.report;
    std::tie(result->difference, result->error) = compare(*step.output, *s.samples, control);
    result->seconds = watch.seconds();
    return result;
  }

  result->layout = pyramidFor({shape.nx, shape.ny, shape.nz}, 0, std::clamp(job.settings.levels, 1, mostLevels(shape)));
  const int levels = result->layout.levels;
  result->forwardReused = s.coefficients != nullptr;
  if (!s.coefficients) {
    if (!s.forward.plan) s.forward = s.prepare(job, "forward", levels, s.samples->spec(), control);
    control.report(0.1, "transforming");
    Step step = s.execute(s.forward, *s.samples, control);
    s.forwardReport = step.report;
    s.coefficients = std::move(step.output);
  }
  if (!s.statistics) {
    s.statistics = pyramidStatistics(*s.coefficients, result->layout, control);
    s.energies = bandEnergies(s.coefficients->view(), result->layout);
    s.suggested = suggestThreshold(s.coefficients->view(), result->layout).threshold;
  }
  result->forward = s.forwardReport;
  result->largest = s.statistics->largest;
  result->suggested = s.suggested;
  result->threshold = job.settings.automatic ? s.suggested : job.settings.threshold;

  control.check();
  control.report(0.5, "applying the threshold");
  auto kept = std::make_shared<Volume>(s.coefficients->clone());
  if (result->threshold > 0)
    applyThreshold(kept->view(), result->layout, result->threshold,
                   parseThresholdMode(job.settings.rule).value_or(ThresholdMode::Soft));
  control.check();
  result->bands = sharesOf(s.energies, bandEnergies(kept->view(), result->layout));
  if (!s.backward.plan) s.backward = s.prepare(job, "inverse", levels, s.coefficients->spec(), control);
  control.report(0.6, "transforming back");
  Step step = s.execute(s.backward, *kept, control);
  result->inverse = step.report;
  s.backInput = kept;
  s.backOutput = step.output;
  control.check();
  result->result = step.output->shape() == shape
                       ? step.output
                       : std::make_shared<Volume>(cropped(*step.output, {shape.nx, shape.ny, shape.nz}));
  std::tie(result->difference, result->error) = compare(*result->result, *s.samples, control);
  control.report(0.9, "drawing the coefficients");
  result->pyramid = pyramidPicture(*kept, result->layout, *s.statistics, control);
  result->coefficients = std::move(kept);
  result->seconds = watch.seconds();
  return result;
}

Verification WaveletPipeline::verifyLast(const Control& control) {
  State& s = *state_;
  if (!s.backOutput || !s.forward.workload || !s.backward.workload)
    throw Error(ErrorKind::Usage, "there is no run to verify", "run the transform first");
  if (!s.forwardVerified)
    s.forwardVerified = verified(s.forward, *s.samples, s.middle ? *s.middle : *s.coefficients, control);
  const Verification back = verified(s.backward, *s.backInput, *s.backOutput, control);
  if (!s.forwardVerified->verified) return *s.forwardVerified;
  return !back.verified || back.relativeL2 > s.forwardVerified->relativeL2 ? back : *s.forwardVerified;
}

WaveletPipeline::Elsewhere WaveletPipeline::runElsewhere(const std::string& engine, const Control& control) {
  State& s = *state_;
  if (!s.samples) throw Error(ErrorKind::Usage, "there is no run to compare with", "run the transform first");
  WaveletJob job = s.job;
  job.engine = engine;
  job.settings.variant.clear();
  const bool magic = job.settings.transform == "magic";
  const int levels = magic ? 0 : std::clamp(job.settings.levels, 1, mostLevels(s.samples->shape()));
  Prepared prepared = s.prepare(job, magic ? job.settings.direction : "forward", levels, s.samples->spec(), control);
  const Step step = s.execute(prepared, *s.samples, control);
  control.check();
  return {step.report, verified(prepared, *s.samples, *step.output, control)};
}

}  // namespace sscope
