#pragma once
// Correlation with fixed tap counts: generated blocks where possible, else the compiled kernels.

#include <memory>

#include "core/base/control.h"
#include "core/cpu/filter/generated_block.h"
#include "core/cpu/run/kernel_table.h"

namespace sscope::cpu {

template <class T>
class Correlator {
 public:
  Correlator() = default;
  // tapDistance: between taps along x, in elements.
  Correlator(const PrecisionKernels<T>& kernels, std::int64_t kx, std::int64_t ky, std::int64_t kz,
             std::int64_t tapDistance = 1)
      : kernels_(&kernels),
        kx_(kx),
        ky_(ky),
        kz_(kz),
        tapDistance_(tapDistance),
        block_(GeneratedBlock::make<T>(kernels.level, kx, ky, kz, tapDistance)) {}

  // Fills in the tap counts of `job` and runs it in pieces that take a few milliseconds each even without vectors,
  // checking for cancellation between them. Both kinds of kernels give identical bits.
  void run(Correlation<T> job, const Control& control) const;

  [[nodiscard]] bool generated() const { return block_ != nullptr; }

 private:
  void runPiece(const Correlation<T>& job) const;
  void runBlocks(const Correlation<T>& job) const;

  const PrecisionKernels<T>* kernels_ = nullptr;
  std::int64_t kx_ = 1, ky_ = 1, kz_ = 1, tapDistance_ = 1;
  std::shared_ptr<const GeneratedBlock> block_;
};

}  // namespace sscope::cpu
