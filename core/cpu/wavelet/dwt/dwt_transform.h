#pragma once
// A method of the wavelet transform in one precision; plans run one of these.

#include <tbb/task_arena.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "core/base/control.h"
#include "core/cpu/wavelet/dwt/dwt_kernels.h"
#include "core/engine/run_report.h"
#include "core/volume/array_view.h"
#include "core/wavelet/workload/dwt_workload.h"

namespace sscope::cpu {

using Index3 = std::array<std::int64_t, 3>;

class DwtTransform {
 public:
  virtual ~DwtTransform() = default;
  // The views have the workload's extents and types. `trace`, not null: steps are recorded in it.
  virtual void run(const ConstArrayView& input, const ArrayView& output, tbb::task_arena& arena, const Control& control,
                   RunTrace* trace) = 0;
  [[nodiscard]] virtual std::int64_t scratchBytes() const = 0;
  [[nodiscard]] virtual std::string description() const = 0;
};

// Level by level and axis by axis through the whole data, from one buffer to another.
template <class T>
[[nodiscard]] std::unique_ptr<DwtTransform> simpleDwt(const DwtWorkload& workload, const DwtKernels<T>& kernels);
// All axes of a level at once on tiles that stay in a core's cache.
template <class T>
[[nodiscard]] std::unique_ptr<DwtTransform> tunedDwt(const DwtWorkload& workload, const DwtKernels<T>& kernels,
                                                     int threads);

}  // namespace sscope::cpu
