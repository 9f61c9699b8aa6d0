#pragma once
// Buffers that take turns, so that a repeated run does not find its data in the processor's caches.

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/control.h"
#include "core/volume/array_view.h"
#include "core/volume/volume.h"

namespace sscope {

class BufferRing {
 public:
  // Slot 0 reads `inputs` themselves, the others copies; every slot has its own outputs. The slots, at least one, have
  // `enough` bytes in total. Outputs are filled with a poison pattern, which also makes the system map their pages now.
  // Throws Error(Memory), Canceled.
  BufferRing(std::span<const ConstArrayView> inputs, std::span<const ArraySpec> outputs, std::int64_t enough,
             const Control& control);

  struct Slot {
    std::span<const ConstArrayView> inputs;
    std::span<const ArrayView> outputs;
  };
  [[nodiscard]] std::size_t size() const { return slots_.size(); }
  [[nodiscard]] Slot slot(std::size_t index) const { return {slots_[index].inputs, slots_[index].outputs}; }
  // Returns the slots in turn.
  [[nodiscard]] Slot next();

 private:
  struct Views {
    std::vector<ConstArrayView> inputs;
    std::vector<ArrayView> outputs;
  };
  std::vector<Volume> storage_;
  std::vector<Views> slots_;
  std::size_t turn_ = 0;
};

}  // namespace sscope
