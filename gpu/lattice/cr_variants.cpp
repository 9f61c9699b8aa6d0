#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "core/engine/engine.h"
#include "core/engine/typed_row.h"
#include "core/lattice/workload/cr_workload.h"
#include "core/lattice/workload/lattice_precision.h"
#include "gpu/lattice/cr_program.h"
#include "gpu/lattice/joined_plans.h"
#include "gpu/lattice/rows.h"
#include "gpu/run/device_engine.h"
#include "gpu/run/device_plan.h"
#include "gpu/run/launch_sizes.h"

namespace sscope {

namespace {

// The conjugate residual, prepared for one device.

// The arrays in slots; all others belong to the plan.
constexpr std::array<CrArray, 6> kInSlots{CrArray::Source, CrArray::R,  CrArray::P,
                                          CrArray::Ap,     CrArray::Ar, CrArray::X};

class CrSolve final : public DevicePlan {
 public:
  CrSolve(DeviceEngine& engine, const CrWorkload& workload, CrProgram program, const PrepareOptions& options,
          const Control& control);

  CrOutcome solve(const Inputs& inputs, std::span<const ArrayView> outputs, const CrRequest& request,
                  const Control& control) {
    request_ = &request;
    outcome_ = {};
    traced_.reset();
    outcome_.report = run(inputs, outputs, control);
    return std::move(outcome_);
  }

  [[nodiscard]] std::string description() const override { return program_.description; }

 protected:
  void compute(DeviceRun& run) override;

 private:
  [[nodiscard]] std::int64_t fieldBytes() const {
    const std::int64_t site = kSpinorComponents * static_cast<std::int64_t>(sizeof(double));
    return workload_.inputs()[0].bytes() + program_.dirac.sitesBeyond * site;
  }
  [[nodiscard]] bool usesMiddle() const;
  [[nodiscard]] std::vector<KernelStage> stagesOf(const std::vector<CrLaunch>& launches) const;
  [[nodiscard]] const OwnBuffer& own(CrArray array) const { return own_[static_cast<std::size_t>(array)]; }
  void build(const Control& control);
  void describeRun();

  void begin(DeviceRun& run);
  void step(DeviceRun& run);
  void watched(DeviceRun& run, const std::vector<CrLaunch>& launches, const std::vector<KernelStage>& stages,
               int iteration, PhaseOfRun phase = &Phases::kernel);
  double queued(DeviceRun& run, int iterations);
  void note(const std::string& kernel, std::unique_ptr<DeviceEvent> event, int iteration, bool piece);
  void readScalars(DeviceRun& run);

  CrWorkload workload_;
  CrProgram program_;
  std::vector<CrLaunch> last_;  // program_.after
  std::array<Slot, kCrArrays> slotOf_{};
  std::array<OwnBuffer, kCrArrays> own_;
  std::vector<KernelStage> before_, during_, after_;
  std::vector<double> scalars_;
  double iterationSeconds_ = 0;  // 0: not known yet

  // The state of the running solve.
  const CrRequest* request_ = nullptr;
  CrOutcome outcome_;
  std::unique_ptr<DeviceEvent> traced_;  // the first one of a trace
  bool ended_ = false;
};

CrSolve::CrSolve(DeviceEngine& engine, const CrWorkload& workload, CrProgram program, const PrepareOptions& options,
                 const Control& control)
    : DevicePlan(engine, workload, options),
      workload_(workload),
      program_(std::move(program)),
      scalars_(static_cast<std::size_t>(kCrScalars)) {
  report_.variant = program_.variant;
  if (program_.after) last_.push_back(*program_.after);
  const DiracWorkload dirac(workload_.sharedField(), workload_.cr().wilson);
  const std::vector<std::byte> links = bytesOf(orderedLinks(dirac, program_.dirac.links), program_.dirac.stored);
  std::vector<std::byte> wholeLinks;
  if (program_.exact) wholeLinks = bytesOf(orderedLinks(dirac, program_.exact->links), program_.exact->stored);
  std::vector<std::int32_t> neighbors;
  if (program_.dirac.neighborTable) neighbors = neighborTable(workload_.field().lattice());
  const auto table = std::as_bytes(std::span(neighbors));

  askInput(fieldBytes());
  for (const CrArray array : kInSlots)
    if (array != CrArray::Source) slotOf_[static_cast<std::size_t>(array)] = ask(fieldBytes(), nameOf(array));
  std::array<std::int64_t, kCrArrays> bytes{};
  const auto need = [&](CrArray array, std::int64_t n) {
    bytes[static_cast<std::size_t>(array)] = n;
    askOwn(n, n);
  };
  need(CrArray::Links, std::ssize(links));
  need(CrArray::Whole, program_.exact ? fieldBytes() + kSlackBytes : 0);
  need(CrArray::WholeLinks, std::ssize(wholeLinks));
  need(CrArray::Neighbors, std::ssize(table));
  need(CrArray::Middle, usesMiddle() ? fieldBytes() + kSlackBytes : 0);
  need(CrArray::Scalars, kCrScalars * static_cast<std::int64_t>(sizeof(double)));
  need(CrArray::Squares, 2 * program_.squarePairs * static_cast<std::int64_t>(sizeof(double)));
  need(CrArray::Products, 2 * program_.productPairs * static_cast<std::int64_t>(sizeof(double)));
  for (const auto* list : {&program_.before, &program_.during})
    for (const CrLaunch& launch : *list) requireGroup(launch.source.group);
  requireMemory(program_.variant + " needs", "choose a smaller lattice");
  build(control);
  const auto keep = [&](CrArray array, std::span<const std::byte> data) {
    if (!data.empty()) own_[static_cast<std::size_t>(array)] = stored(data, control);
  };
  keep(CrArray::Links, links);
  keep(CrArray::WholeLinks, wholeLinks);
  keep(CrArray::Neighbors, table);
  for (std::size_t i = 0; i < kCrArrays; ++i)
    if (bytes[i] > 0 && !own_[i]) own_[i] = device().allocate(bytes[i]);
  describeRun();
}

bool CrSolve::usesMiddle() const {
  return std::any_of(program_.during.begin(), program_.during.end(), [](const CrLaunch& launch) {
    return std::find(launch.arguments.begin(), launch.arguments.end(), CrArgument(CrArray::Middle)) !=
           launch.arguments.end();
  });
}

std::vector<KernelStage> CrSolve::stagesOf(const std::vector<CrLaunch>& launches) const {
  std::vector<KernelStage> stages;
  for (const CrLaunch& launch : launches) {
    KernelStage stage{launch.source, launch.columns, launch.rows, launch.columns, launch.operations, {}};
    for (const CrArgument& argument : launch.arguments) {
      const auto* array = std::get_if<CrArray>(&argument);
      if (array == nullptr) {
        stage.arguments.emplace_back(std::get<std::int32_t>(argument));
      } else if (std::find(kInSlots.begin(), kInSlots.end(), *array) != kInSlots.end()) {
        stage.arguments.emplace_back(slotOf_[static_cast<std::size_t>(*array)]);
      } else {
        stage.arguments.emplace_back(&own(*array));
      }
    }
    stages.push_back(std::move(stage));
  }
  return stages;
}

void CrSolve::build(const Control& control) {
  before_ = stagesOf(program_.before);
  during_ = stagesOf(program_.during);
  after_ = stagesOf(last_);
  compile([&] {
    for (auto* list : {&before_, &during_, &after_})
      for (KernelStage& stage : *list) stage.start(programs());
    for (auto* list : {&before_, &during_, &after_})
      for (KernelStage& stage : *list) stage.finish(control);
  });
}

void CrSolve::describeRun() {
  if (program_.dirac.stored == Precision::f32) report_.bytes /= 2;
  // The report's figures are those of the longest launch.
  const KernelStage& main = *std::max_element(during_.begin(), during_.end(), [](const auto& a, const auto& b) {
    return a.operationsPerElement < b.operationsPerElement;
  });
  report_.launch["group"] = static_cast<double>(main.source.group.count());
  report_.launch["launches an iteration"] = static_cast<double>(during_.size());
  describe(main);
}

// A part of a launch continues the span of the part before it.
void CrSolve::note(const std::string& kernel, std::unique_ptr<DeviceEvent> event, int iteration, bool piece) {
  std::vector<KernelSpan>& spans = request_->trace->spans;
  const double start = traced_ ? event->startsAfter(*traced_) : 0, end = start + event->seconds();
  if (piece) {
    spans.back().end = end;
  } else {
    spans.push_back({kernel, start, end, iteration});
  }
  if (!traced_) traced_ = std::move(event);
}

// Runs launch by launch, long ones in pieces.
void CrSolve::watched(DeviceRun& run, const std::vector<CrLaunch>& launches, const std::vector<KernelStage>& stages,
                      int iteration, PhaseOfRun phase) {
  for (std::size_t i = 0; i < stages.size(); ++i) {
    bool piece = false;
    DeviceRun::KeepEvent keep;
    if (request_->trace != nullptr)
      keep = [&](std::unique_ptr<DeviceEvent> event) {
        note(launches[i].name, std::move(event), iteration, std::exchange(piece, true));
      };
    run.launch(stages[i], phase, {}, keep);
  }
}

// Runs this many iterations without the host in between; returns the seconds.
double CrSolve::queued(DeviceRun& run, int iterations) {
  std::size_t count = 0;
  DeviceRun::KeepEvent keep;
  if (request_->trace != nullptr)
    keep = [&, done = outcome_.iterations](std::unique_ptr<DeviceEvent> event) {
      const std::size_t each = during_.size();
      note(program_.during[count % each].name, std::move(event), done + 1 + static_cast<int>(count / each), false);
      ++count;
    };
  return run.launchRepeatedly(during_, iterations, keep);
}

// Reads the scalars and reports new residuals.
void CrSolve::readScalars(DeviceRun& run) {
  run.read(own(CrArray::Scalars), std::as_writable_bytes(std::span(scalars_)));
  const auto at = [&](std::int64_t place) { return scalars_[static_cast<std::size_t>(place)]; };
  const double bb = at(kCrBb);
  if (outcome_.residuals.empty()) outcome_.residuals.push_back(bb > 0 ? 1 : bb);
  const int done = static_cast<int>(at(kCrIterations));
  while (outcome_.iterations < done) {
    const int iteration = ++outcome_.iterations;
    outcome_.residuals.push_back(std::sqrt(at(kCrHistory + iteration % kCrHistoryLength) / bb));
    if (request_->onIteration) request_->onIteration(iteration, outcome_.residuals.back());
  }
  ended_ = at(kCrEnded) != 0;
  outcome_.end = static_cast<CrEnd>(static_cast<int>(at(kCrEnded)));
}

void CrSolve::begin(DeviceRun& run) {
  std::fill(scalars_.begin(), scalars_.end(), 0.0);
  scalars_[kCrOne] = 1;
  scalars_[kCrTarget] = request_->tolerance * request_->tolerance;
  run.write(own(CrArray::Scalars), std::as_bytes(std::span(scalars_)));
  watched(run, program_.before, before_, 0);
  readScalars(run);
}

void CrSolve::step(DeviceRun& run) {
  const int left = request_->iterations - outcome_.iterations;
  if (iterationSeconds_ == 0 || iterationSeconds_ > kCrBatchSeconds) {
    const double before = run.report.phases.kernel;
    watched(run, program_.during, during_, outcome_.iterations + 1);
    iterationSeconds_ = run.report.phases.kernel - before;
  } else {
    const bool awaited = request_->tolerance > 0 || request_->onIteration;
    const double many = std::clamp(kCrBatchSeconds / iterationSeconds_, 1.0, static_cast<double>(kCrHistoryLength));
    const int count = std::min({left, static_cast<int>(many), awaited ? kCrWatchedBatch : left});
    const double seconds = queued(run, count);
    // Traced iterations are slower, and iterations after the end have no effect.
    if (request_->trace == nullptr) iterationSeconds_ = std::max(iterationSeconds_ / 2, seconds / count);
  }
  readScalars(run);
}

void CrSolve::compute(DeviceRun& run) {
  run.upload();
  begin(run);
  while (!ended_ && outcome_.iterations < request_->iterations) {
    run.control.report(static_cast<double>(outcome_.iterations) / request_->iterations, "iterating");
    step(run);
  }
  // Iterations that were queued beyond the end had no effect.
  if (request_->trace != nullptr)
    std::erase_if(request_->trace->spans, [&](const auto& span) { return span.iteration > outcome_.iterations; });
  watched(run, last_, after_, outcome_.iterations, &Phases::download);
  run.download(slotOf_[static_cast<std::size_t>(program_.after ? CrArray::R : CrArray::X)], 0);
  run.report.executedOperations = static_cast<double>(workload_.field().lattice().volume()) *
                                  (program_.executedPerSite * outcome_.iterations + program_.dirac.executedPerSite);
  run.report.launch["relative residual"] = outcome_.residuals.back();
}

class DeviceCrPlan final : public CrPlan {
 public:
  DeviceCrPlan(DeviceEngine& engine, const CrWorkload& workload, CrProgram program, const PrepareOptions& options,
               const Control& control)
      : solve_(engine, workload, std::move(program), options, control), iterations_(workload.cr().iterations) {}

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    CrRequest request;
    request.iterations = iterations_;
    return solve(inputs, outputs, request, control).report;
  }
  CrOutcome solve(const Inputs& inputs, std::span<const ArrayView> outputs, const CrRequest& request,
                  const Control& control) override {
    return solve_.solve(inputs, outputs, request, control);
  }
  [[nodiscard]] std::int64_t scratchBytes() const override { return solve_.scratchBytes(); }
  [[nodiscard]] std::vector<PlanBuffer> buffers() const override { return solve_.buffers(); }
  [[nodiscard]] std::string description() const override { return solve_.description(); }

 private:
  CrSolve solve_;
  int iterations_;
};

// Compiles and uploads the links, which stay on the device as long as the plan exists. Throws Error(Memory) when the
// arrays do not fit.
std::unique_ptr<CrPlan> makeCrPlan(DeviceEngine& engine, const CrWorkload& workload, CrProgram program,
                                   const PrepareOptions& options, const Control& control) {
  return std::make_unique<DeviceCrPlan>(engine, workload, std::move(program), options, control);
}

constexpr std::array<std::string_view, 8> kKernels{"dirac_fine", "cr_start", "cr_xscal",  "cr_xaxpy",
                                                   "cr_xnrm2",   "cr_dot",   "cr_reduce", "cr_scalars"};

std::string unsupported(const EngineInfo& engine, const CrWorkload& workload) {
  return diracUnsupported(engine, workload.field().lattice());
}

// Makes the program of a rung, or of an extra based on a rung.
using MakeProgram =
    std::function<CrProgram(const CrWorkload&, const DiracWorkload&, const OptionValues&, std::int64_t summed)>;

// Sets how a row prepares one device and, if its fields are in planes, several.
void setPrepare(Variant& row, const MakeProgram& make, bool planes) {
  row.prepare = prepareFor<DeviceEngine, CrWorkload>([make, name = row.name](DeviceEngine& engine, const CrWorkload& cr,
                                                                             const PrepareOptions& options,
                                                                             const Control& control) {
    CrProgram program = make(cr, DiracWorkload(cr.sharedField(), cr.cr().wilson), options.values, 0);
    program.variant = name;
    return makeCrPlan(engine, cr, std::move(program), options, control);
  });
  if (!planes) return;
  row.prepareTogether = [make, name = row.name](std::span<Engine* const> engines, const Workload& workload,
                                                std::span<const double> weights, const PrepareOptions& options,
                                                const Control& control) -> std::unique_ptr<Plan> {
    const auto program = [&](const CrWorkload& part, const DiracWorkload& dirac, std::int64_t summed) {
      CrProgram one = make(part, dirac, options.values, summed);
      one.variant = name;
      return one;
    };
    return prepareCrOnDevices(engines, program, workloadAs<CrWorkload>(workload), weights, options, control);
  };
}

void addExtra(VariantTable& variants, EngineKind kind, const char* name, bool mixed) {
  const auto& rungs = diracRungs();
  const DiracRung& rung = *std::find_if(rungs.begin(), rungs.end(),
                                        [](const DiracRung& one) { return one.name == std::string("tuned-f32"); });
  Variant row = diracRow(rung, kind);
  row.workload = "cr";
  row.name = name;
  row.kernelFile = mixed ? "cr_true_residual.kernel" : "cr_operator.kernel";
  row.lower = mixed ? crMixed() : crInF32();
  row.unsupported = unsupportedFor<CrWorkload>(unsupported);
  // The operator in float32, and the fastest in float64 for true residuals.
  const MakeProgram make = [&rung, mixed](const CrWorkload& cr, const DiracWorkload& dirac, const OptionValues&,
                                          std::int64_t summed) {
    std::optional<DiracDesign> exact;
    if (mixed) exact = diracRungs().front().design(dirac, {});
    return makeCrProgram(cr, rung.design(dirac, {}), std::move(exact), summed);
  };
  setPrepare(row, make, true);
  variants.add(std::move(row));
}

}  // namespace

void addCrVariants(VariantTable& variants, EngineKind kind) {
  for (const DiracRung& rung : diracRungs()) {
    if (rung.lower) continue;
    Variant row = diracRow(rung, kind);
    row.workload = "cr";
    if (rung.planes) row.kernelFile = "cr_operator.kernel";
    if (!row.code.empty()) row.code = kernelCode(kernelFiles(), kKernels);
    row.unsupported = unsupportedFor<CrWorkload>(unsupported);
    const MakeProgram make = [&rung](const CrWorkload& cr, const DiracWorkload& dirac, const OptionValues& values,
                                     std::int64_t summed) {
      return makeCrProgram(cr, rung.design(dirac, values), {}, summed);
    };
    setPrepare(row, make, rung.planes);
    variants.add(std::move(row));
  }
  addExtra(variants, kind, "tuned-f32", false);
  addExtra(variants, kind, "tuned-mixed", true);
}

}  // namespace sscope
