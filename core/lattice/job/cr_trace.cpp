#include "core/lattice/job/cr_trace.h"

#include "core/base/error.h"
#include "core/engine/tuning_store.h"
#include "core/volume/volume.h"

namespace sscope {

// VariantTable::prepare() itself hides what a plan can do besides running where tiles were searched.
std::unique_ptr<CrPlan> prepareCr(Engine& engine, const VariantTable& variants, const std::string& variant,
                                  const CrWorkload& workload, PrepareOptions options, const Control& control) {
  const Variant& row = variants.at(workload.name(), engine.info().kind, variant);
  if (options.values.empty())
    if (const auto tuned = rememberedTiles(row, engine.info(), workload)) options.values = tuned->values;
  if (options.values.empty()) options.values = completeOptions(row.options, {});
  std::unique_ptr<Plan> plan = variants.prepare(engine, workload, variant, options, control);
  auto* cr = dynamic_cast<CrPlan*>(plan.get());
  if (cr == nullptr)
    throw Error(ErrorKind::Unsupported, "the variant " + row.name + " of cr cannot be watched", "choose another one");
  static_cast<void>(plan.release());
  return std::unique_ptr<CrPlan>(cr);
}

KernelTrace traceCr(Engine& engine, const VariantTable& variants, const std::string& variant,
                    const CrWorkload& workload, const ConstArrayView& input, const PrepareOptions& options,
                    const Control& control) {
  const auto plan = prepareCr(engine, variants, variant, workload, options, control);
  std::vector<double> solution(static_cast<std::size_t>(input.elements()));
  const ArrayView output = denseView(workload.outputs()[0], reinterpret_cast<std::byte*>(solution.data()));
  CrRequest request;
  request.iterations = workload.cr().iterations;
  static_cast<void>(plan->solve({{&input, 1}, 0}, {&output, 1}, request, control));
  KernelTrace trace;
  request.trace = &trace;
  static_cast<void>(plan->solve({{&input, 1}, 0}, {&output, 1}, request, control));
  return trace;
}

}  // namespace sscope
