#pragma once
// Dense sums by the fastest loop that there is for their taps: one that was compiled, or one written at run time.

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/control.h"
#include "core/cpu/run/kernel_table.h"

namespace sscope::cpu {

// Machine code written for one set of tap counts: a block of outputs whose sums stay in registers. Compilers spill some
// of them, which costs a third of the speed (docs/dev/performance-notes.md).

struct TapBlockShape {
  std::int64_t kx = 1, ky = 1, kz = 1;
  std::int64_t rows = 1, vectors = 1;  // outputs: rows x vectors of a whole register
  std::int64_t tapDistance = 1;        // along x, in elements
  bool operator==(const TapBlockShape&) const = default;
};

class GeneratedBlock {
 public:
  // in, strides of in's rows and planes, out, stride of out's rows, taps (y fastest, then x, then z); strides in
  // bytes. Reads (rows + ky - 1) rows of `vectors` registers plus (kx - 1) * tapDistance elements from each of kz
  // planes.
  using Function = void (*)(const void* in, std::int64_t inRow, std::int64_t inPlane, void* out, std::int64_t outRow,
                            const void* taps);

  // Null if code cannot be generated: another processor or level, too many taps along y, or a system that forbids
  // generating code.
  template <class T>
  [[nodiscard]] static std::shared_ptr<const GeneratedBlock> make(SimdLevel level, std::int64_t kx, std::int64_t ky,
                                                                  std::int64_t kz, std::int64_t tapDistance = 1);

  virtual ~GeneratedBlock() = default;
  [[nodiscard]] Function function() const { return function_; }
  [[nodiscard]] const TapBlockShape& shape() const { return shape_; }

 protected:
  TapBlockShape shape_;
  Function function_ = nullptr;
};

// Correlation with fixed tap counts: generated blocks where possible, else the compiled kernels.

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
