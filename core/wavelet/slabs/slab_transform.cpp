#include "core/wavelet/slabs/slab_transform.h"

#include "core/base/error.h"

namespace sscope {

std::int64_t planBytes(const EngineSet& engines, const VariantTable& variants, const Workload& workload,
                       const EngineChoice& where, int components, const Control& control) {
  Engine& engine = where.engine.empty() ? engines.preferred() : engines.at(where.engine);
  const std::unique_ptr<Plan> plan =
      variants.prepare(engine, workload, where.variant, {.threads = where.threads, .deviceMemoryLimit = 0}, control);
  if (plan->grain() != 1)
    throw Error(ErrorKind::Unsupported,
                "what computes this transform here gives other bits for slabs than for the whole",
                "choose another --variant or engine");
  const std::int64_t copies =
      components == 1 ? 0 : workload.inputs().front().bytes() + workload.outputs().front().bytes();
  return plan->scratchBytes() + copies;
}

}  // namespace sscope
