#pragma once
// Machine code written for one set of tap counts: a block of outputs whose sums stay in registers. Compilers spill some
// of them, which costs a third of the speed (docs/dev/performance-notes.md).

#include <cstdint>
#include <memory>
#include <string>

#include "core/cpu/run/kernel_table.h"

namespace sscope::cpu {

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

}  // namespace sscope::cpu
