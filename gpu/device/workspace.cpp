#include "gpu/device/workspace.h"

#include <algorithm>

namespace sscope {

void Workspace::require(const SlotBytes& bytes, std::int64_t budget, bool keepLarge) {
  // Smaller buffers are not released: otherwise slabs would be freed and allocated again whenever a result stays on the
  // device.
  const std::int64_t small = (device_.properties().cpu ? 1 : 32) << 20;
  buffers_.resize(std::max(buffers_.size(), bytes.size()));
  const auto asked = [&](std::size_t slot) { return slot < bytes.size() ? bytes[slot] : 0; };
  std::int64_t total = 0;
  for (std::size_t slot = 0; slot < buffers_.size(); ++slot) {
    const std::int64_t held = buffers_[slot] ? buffers_[slot]->bytes() : 0;
    const bool unneeded =
        !keepLarge && slot != static_cast<std::size_t>(kInput) && held > small && held > 4 * asked(slot);
    if (held < asked(slot) || unneeded) release(slot);
    total += std::max(asked(slot), buffers_[slot] ? buffers_[slot]->bytes() : 0);
  }
  if (total > budget)
    for (std::size_t slot = 0; slot < buffers_.size(); ++slot)
      if (buffers_[slot] && buffers_[slot]->bytes() > asked(slot)) release(slot);
  count();
  for (std::size_t slot = 0; slot < buffers_.size(); ++slot) {
    if (buffers_[slot] || asked(slot) == 0) continue;
    buffers_[slot] = device_.allocate(asked(slot));
    count();
  }
}

void Workspace::clear() {
  for (std::size_t slot = 0; slot < buffers_.size(); ++slot) release(slot);
  count();
}

void Workspace::count() {
  std::int64_t sum = 0;
  for (const auto& buffer : buffers_)
    if (buffer) sum += buffer->bytes();
  held_ = sum;
}

void Workspace::release(std::size_t slot) {
  buffers_[slot].reset();
  if (slot == static_cast<std::size_t>(kInput)) resident.reset();
}

}  // namespace sscope
