#include "core/lattice/job/cr_trace.h"

#include "core/base/ability.h"
#include "core/base/error.h"
#include "core/volume/volume.h"

namespace sscope {

std::shared_ptr<CrPlan> prepareCr(Engine& engine, const VariantTable& variants, const std::string& variant,
                                  const CrWorkload& workload, const PrepareOptions& options, const Control& control) {
  const std::shared_ptr<Plan> plan = variants.prepare(engine, workload, variant, options, control);
  auto* cr = abilityOf<CrPlan>(*plan);
  if (cr == nullptr)
    throw Error(ErrorKind::Unsupported,
                "the variant " + variants.at(workload.name(), engine.info().kind, variant).name +
                    " of cr reports no iterations",
                "choose another one");
  return {plan, cr};
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
