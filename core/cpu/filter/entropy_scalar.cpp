// cpu:scalar's entropies: one value at a time, compiled with automatic vectorization off.

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/cpu/filter/entropy_kernels.h"
#include "core/filter/rank_window.h"

namespace sscope::cpu {

namespace {

#include "core/cpu/filter/entropy_loops-inl.h"

template <class Key>
void bins(const BinsJob<Key>& job) {
  for (std::int64_t i = 0; i < job.count; ++i)
    job.out[i] = static_cast<std::uint16_t>(std::upper_bound(job.thresholds, job.thresholds + job.bins, job.keys[i]) -
                                            job.thresholds);
}

}  // namespace

const EntropyKernels& scalarEntropyKernels() {
  static const EntropyKernels kernels{entropies, bins<std::int8_t>, bins<std::int16_t>, bins<std::int32_t>,
                                      bins<std::int64_t>};
  return kernels;
}

}  // namespace sscope::cpu
