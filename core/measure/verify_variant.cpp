#include "core/measure/verify_variant.h"

namespace sscope {

Verification verify(const Variant& row, const Workload& workload, std::span<const ConstArrayView> inputs,
                    std::span<const ConstArrayView> outputs, const VerifyOptions& options, const Control& control) {
  return row.lower ? row.lower->judge(workload, inputs, outputs, options, control)
                   : verify(workload, inputs, outputs, options, control);
}

}  // namespace sscope
