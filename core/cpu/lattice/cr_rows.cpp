#include "core/base/ability.h"
#include "core/cpu/lattice/rows.h"

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/error.h"
#include "core/cpu/lattice/cr_run.h"
#include "core/cpu/lattice/dirac_kernels.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/cpu/run/threads.h"
#include "core/engine/plan_arrays.h"
#include "core/engine/run_trace.h"
#include "core/engine/typed_row.h"
#include "core/lattice/ranks/part_cr.h"
#include "core/lattice/workload/cr_workload.h"
#include "core/lattice/workload/lattice_precision.h"

namespace sscope::cpu {

namespace {

constexpr const char* kPaper = "A. Cassagne et al., Portage d'un code de lattice QCD sur GPU (2013), algorithm 1";

template <class Stored>
BasicDiracJob<Stored> jobOf(const CrWorkload& workload, const Stored* links) {
  BasicDiracJob<Stored> job;
  job.links = links;
  job.lattice = workload.field().lattice();
  job.kappa = workload.cr().wilson.kappa;
  job.timeBoundary = workload.cr().wilson.timeBoundary;
  return job;
}

const double* linksOf(const CrWorkload& workload) {
  return reinterpret_cast<const double*>(workload.field().links().data());
}

template <class Stored>
class CpuCrPlan final : public CrPlan, public PartCrPlan {
 public:
  // `exact`, not null: mixed precision, with these rows for true residuals.
  CpuCrPlan(const CrWorkload& workload, CrKernels<Stored> kernels, DiracRows exact, int threads, RunReport report,
            std::shared_ptr<RunTrace> trace)
      : workload_(workload),
        kernels_(kernels),
        threads_(threads),
        arena_(threads),
        fields_(workload_.field().lattice()),
        report_(std::move(report)),
        trace_(std::move(trace)) {
    if constexpr (std::is_same_v<Stored, double>) {
      job_ = jobOf(workload_, linksOf(workload_));
    } else {
      links_ = floatsOf(workload_.field());
      job_ = jobOf<Stored>(workload_, links_.data());
    }
    if (exact != nullptr) exact_ = {jobOf(workload_, linksOf(workload_)), exact};
    report_.threads = threads;
  }

  [[nodiscard]] void* findAbility(const std::type_info& ability) override {
    return abilityAmong<CrPlan, PartCrPlan>(ability, this);
  }

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    CrRequest request;
    request.iterations = workload_.cr().iterations;
    if (!trace_) return solve(inputs, outputs, request, control).report;
    KernelTrace kernels;
    request.trace = &kernels;
    const double begin = trace_->now();
    RunReport report = solve(inputs, outputs, request, control).report;
    for (const KernelSpan& span : kernels.spans) trace_->add(span.kernel, begin + span.start, begin + span.end);
    return report;
  }

  CrOutcome solve(const Inputs& inputs, std::span<const ArrayView> outputs, const CrRequest& request,
                  const Control& control) override {
    requireArrays(workload_, inputs, outputs);
    control.check();
    const Stopwatch clock;
    const WholeSpinor source(inputs.arrays[0]);
    const SpinorTarget solution(outputs[0]);
    const CrPieces pieces(workload_.field().lattice());
    CrOutcome outcome = solved(pieces, nullptr, reinterpret_cast<const double*>(source.elements().data()),
                               reinterpret_cast<double*>(solution.elements()), request, control);
    solution.finish();
    outcome.report.phases.kernel = outcome.report.phases.total = clock.seconds();
    return outcome;
  }

  CrOutcome solvePart(reach::Communicator& communicator, const lattice::LatticePart& part, const CrPlace& place,
                      const CrRequest& request, const Control& control) override {
    const Stopwatch clock;
    const CrPieces pieces(part, place.slice);
    CrRanks ranks(communicator, part, workload_.cr().wilson, control);
    CrOutcome outcome = solved(pieces, &ranks, reinterpret_cast<const double*>(place.source),
                               reinterpret_cast<double*>(place.solution), request, control);
    RunReport& report = outcome.report;
    const double share =
        static_cast<double>(part.own.volume()) / static_cast<double>(workload_.field().lattice().volume());
    for (double* count : {&report.operations, &report.executedOperations, &report.bytes}) *count *= share;
    report.launch["halo bytes"] = static_cast<double>(ranks.haloBytes<Stored>());
    report.launch["waited for halo, s"] = ranks.waited();
    report.phases.kernel = report.phases.total = clock.seconds();
    return outcome;
  }

  [[nodiscard]] std::int64_t scratchBytes() const override {
    constexpr std::int64_t kFields = std::is_same_v<Stored, double> ? 4 : 5;
    constexpr auto kNumber = static_cast<std::int64_t>(sizeof(Stored));
    return kFields * kNumber * workload_.inputs()[0].elements() + kNumber * static_cast<std::int64_t>(links_.size());
  }
  [[nodiscard]] std::string description() const override {
    return std::string(kernels_.fused ? "three sweeps an iteration" : "an operation at a time") + ", " +
           std::to_string(threads_) + " threads" + (exact_ ? ", true residuals and the solution in float64" : "");
  }

 private:
  CrOutcome solved(const CrPieces& pieces, CrRanks* ranks, const double* source, double* solution,
                   const CrRequest& request, const Control& control) {
    CrSweeps sweeps(pieces, ranks, threads_, arena_, request.trace, control);
    Run<Stored> run(job_, workload_.cr().twist, kernels_, fields_, sweeps, request, control);
    if (exact_) run.renewWith(*exact_);
    CrOutcome outcome = run.run(source, solution);
    outcome.report = report_;
    outcome.report.launch["relative residual"] = outcome.residuals.back();
    return outcome;
  }

  CrWorkload workload_;
  CrKernels<Stored> kernels_;
  int threads_;
  tbb::task_arena arena_;
  BasicDiracJob<Stored> job_;
  std::vector<Stored> links_;  // where they are not the field's own
  CrFields<Stored> fields_;
  std::optional<ExactOperator> exact_;
  RunReport report_;
  std::shared_ptr<RunTrace> trace_;  // may be null
};

using MakePlan = std::function<std::unique_ptr<Plan>(const CrWorkload&, SimdLevel, int threads, RunReport,
                                                     std::shared_ptr<RunTrace>)>;

Variant rowOf(std::string name, std::string source, bool oneThread, MakePlan make) {
  Variant row;
  row.workload = "cr";
  row.name = std::move(name);
  row.kind = EngineKind::Cpu;
  if (row.name == "threads" || row.name == "scalar") row.onlyOn = "cpu:scalar";  // the same under every level
  row.source = std::move(source);
  row.unsupported = unsupportedFor<CrWorkload>();
  row.prepare = prepareFor<CpuEngine, CrWorkload>(
      [name = row.name, oneThread, make = std::move(make)](CpuEngine& engine, const CrWorkload& cr,
                                                           const PrepareOptions& options, const Control&) {
        const Work work = cr.work();
        RunReport report;
        report.engine = engine.info().id;
        report.variant = name;
        report.operations = work.operations;
        report.executedOperations = work.operations + CrWorkload::kVectorOperations * cr.cr().iterations *
                                                          static_cast<double>(cr.field().lattice().volume());
        report.bytes = work.bytes;
        return make(cr, engine.kernels().f64.level, oneThread ? 1 : threadCount(options.threads), std::move(report),
                    options.trace);
      });
  return row;
}

MakePlan full(DiracRows (*rows)(SimdLevel), bool fused) {
  return [rows, fused](const CrWorkload& workload, SimdLevel level, int threads, RunReport report,
                       std::shared_ptr<RunTrace> trace) {
    return std::make_unique<CpuCrPlan<double>>(workload, CrKernels<double>{rows(level), fused}, nullptr, threads,
                                               std::move(report), std::move(trace));
  };
}

Variant extraOf(std::string name, bool mixed, LowerPrecision lower) {
  const MakePlan make = [mixed](const CrWorkload& workload, SimdLevel level, int threads, RunReport report,
                                std::shared_ptr<RunTrace> trace) {
    report.bytes /= 2;
    const CrKernels<float> kernels{diracRowsOfF32(level, Precision::f32), true};
    return std::make_unique<CpuCrPlan<float>>(workload, kernels, mixed ? diracRows(level) : nullptr, threads,
                                              std::move(report), std::move(trace));
  };
  Variant row = rowOf(std::move(name), "Stencilscope", false, make);
  row.lower = std::move(lower);
  return row;
}

}  // namespace

void addCrRows(VariantTable& variants) {
  const MakePlan plain = full([](SimdLevel) -> DiracRows { return scalarDiracRows; }, false);
  variants.add(rowOf("tuned", "Stencilscope", false, full(diracRows, true)));
  variants.add(rowOf("threads", kPaper, false, plain));
  variants.add(rowOf("scalar", kPaper, true, plain));
  variants.add(extraOf("tuned-f32", false, crInF32()));
  variants.add(extraOf("tuned-mixed", true, crMixed()));
}

}  // namespace sscope::cpu
