#pragma once
// Correlation with fixed tap counts: generated blocks where they fit, the compiled kernels elsewhere.

#include <memory>

#include "core/base/control.h"
#include "core/cpu/filter/generated_block.h"
#include "core/cpu/run/kernel_table.h"

namespace sscope::cpu {

template <class T>
class Correlator {
 public:
  Correlator() = default;
  Correlator(const PrecisionKernels<T>& kernels, std::int64_t kx, std::int64_t ky, std::int64_t kz)
      : kernels_(&kernels), kx_(kx), ky_(ky), kz_(kz), block_(GeneratedBlock::make<T>(kernels.level, kx, ky, kz)) {}

  // Fills in the tap counts of `job` and runs it in pieces that take a few milliseconds each even without vectors,
  // looking at the control between them. Both ways of computing give the same bits.
  void run(Correlation<T> job, const Control& control) const;

  [[nodiscard]] bool generated() const { return block_ != nullptr; }

 private:
  void runPiece(const Correlation<T>& job) const;
  void runBlocks(const Correlation<T>& job) const;

  const PrecisionKernels<T>* kernels_ = nullptr;
  std::int64_t kx_ = 1, ky_ = 1, kz_ = 1;
  std::shared_ptr<const GeneratedBlock> block_;
};

}  // namespace sscope::cpu
