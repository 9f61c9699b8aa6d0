#include "core/cpu/wavelet/rows.h"

#include <memory>

#include "core/base/stopwatch.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/cpu/run/simd_level.h"
#include "core/cpu/run/threads.h"
#include "core/cpu/wavelet/dwt/dwt_transform.h"
#include "core/engine/engine.h"
#include "core/engine/plan.h"
#include "core/engine/plan_arrays.h"
#include "core/engine/typed_row.h"
#include "core/wavelet/workload/dwt_workload.h"

namespace sscope::cpu {

namespace {

// Workload "dwt" prepared for one CPU level.

enum class DwtMethod : std::uint8_t { Simple, Tuned };

class DwtPlan final : public Plan {
 public:
  DwtPlan(const DwtWorkload& workload, std::unique_ptr<DwtTransform> transform, int threads, RunReport report,
          std::shared_ptr<RunTrace> trace)
      : workload_(workload), transform_(std::move(transform)), report_(std::move(report)), trace_(std::move(trace)) {
    arena_.initialize(threads);
    report_.threads = threads;
  }

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    requireArrays(workload_, inputs, outputs);
    control.check();
    const Stopwatch clock;
    transform_->run(inputs.arrays[0], outputs[0], arena_, control, trace_.get());
    RunReport report = report_;
    report.saturated = {0};
    report.phases.kernel = report.phases.total = clock.seconds();
    return report;
  }

  [[nodiscard]] std::int64_t scratchBytes() const override { return transform_->scratchBytes(); }
  [[nodiscard]] std::string description() const override { return transform_->description(); }

 private:
  DwtWorkload workload_;
  std::unique_ptr<DwtTransform> transform_;
  tbb::task_arena arena_;
  RunReport report_;
  std::shared_ptr<RunTrace> trace_;  // may be null
};

template <class T>
std::unique_ptr<DwtTransform> makeTransform(const DwtWorkload& workload, SimdLevel level, DwtMethod method,
                                            int threads) {
  const DwtKernels<T>& kernels = dwtKernels<T>(level);
  if (method == DwtMethod::Simple) return simpleDwt<T>(workload, kernels);
  return tunedDwt<T>(workload, kernels, threads);
}

// Throws Error(Memory) when the scratch does not fit.
std::unique_ptr<Plan> prepareDwt(const EngineInfo& engine, SimdLevel level, const DwtWorkload& workload,
                                 DwtMethod method, const PrepareOptions& options) {
  const int threads = threadCount(options.threads);
  const Work work = workload.work();
  RunReport report;
  report.engine = engine.id;
  report.variant = method == DwtMethod::Simple ? "simple" : "tuned";
  report.operations = work.operations;
  report.bytes = work.bytes;
  auto transform = workload.precision() == Precision::f32 ? makeTransform<float>(workload, level, method, threads)
                                                          : makeTransform<double>(workload, level, method, threads);
  return std::make_unique<DwtPlan>(workload, std::move(transform), threads, std::move(report), options.trace);
}

Variant rowOf(std::string name, DwtMethod method, std::string source) {
  Variant row;
  row.workload = "dwt";
  row.name = std::move(name);
  row.kind = EngineKind::Cpu;
  row.source = std::move(source);
  row.unsupported = unsupportedFor<DwtWorkload>();
  row.prepare = prepareFor<CpuEngine, DwtWorkload>(
      [method](CpuEngine& engine, const DwtWorkload& workload, const PrepareOptions& options, const Control&) {
        return prepareDwt(engine.info(), engine.kernels().f32.level, workload, method, options);
      });
  return row;
}

}  // namespace

void addDwtRows(VariantTable& variants) {
  variants.add(rowOf("tuned", DwtMethod::Tuned, "Stencilscope"));
  variants.add(
      rowOf("simple", DwtMethod::Simple, "S. Mallat, A theory for multiresolution signal decomposition, 1989"));
}

}  // namespace sscope::cpu
