#include "gpu/device/workspace.h"

namespace sscope {

void Workspace::require(const SlotBytes& bytes, std::int64_t budget) {
  constexpr std::int64_t kSmall = 1 << 20;  // not worth giving back
  std::int64_t total = 0;
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    const std::int64_t held = buffers_[slot] ? buffers_[slot]->bytes() : 0;
    const bool unneeded = slot != static_cast<std::size_t>(Slot::Input) && held > kSmall && held > 4 * bytes[slot];
    if (held < bytes[slot] || unneeded) release(slot);
    total += std::max(bytes[slot], buffers_[slot] ? buffers_[slot]->bytes() : 0);
  }
  if (total > budget)
    for (std::size_t slot = 0; slot < kSlots; ++slot)
      if (buffers_[slot] && buffers_[slot]->bytes() > bytes[slot]) release(slot);
  for (std::size_t slot = 0; slot < kSlots; ++slot)
    if (!buffers_[slot] && bytes[slot] > 0) buffers_[slot] = device_.allocate(bytes[slot]);
}

void Workspace::release(std::size_t slot) {
  buffers_[slot].reset();
  if (slot == static_cast<std::size_t>(Slot::Input)) resident.reset();
}

}  // namespace sscope
