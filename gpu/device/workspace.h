#pragma once
// The large buffers of an engine, kept between runs because allocating them takes longer than a small filter.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/volume/array_view.h"
#include "gpu/device/device.h"

namespace sscope {

// The number of a buffer. Except for the first, its content belongs to the running plan.
enum class Slot : std::uint8_t {};
inline constexpr Slot kInput{0};
using SlotBytes = std::vector<std::int64_t>;  // by number; numbers beyond the end mean 0

// The complete input that slot kInput holds from an earlier run (Inputs::identity), or those slices of it that are all
// that a plan reads.
struct ResidentInput {
  std::uint64_t identity = 0;
  ArraySpec spec;
  std::vector<std::int64_t> slices{};  // empty: all
  bool operator==(const ResidentInput&) const = default;
};

class Workspace {
 public:
  explicit Workspace(Device& device) : device_(device) {}

  // Gives every slot at least the requested bytes (0: none), with at most `budget` bytes in total. Slots keep their
  // content unless they are too small or much too large; with `keepLarge` too large ones are also kept while all fit:
  // for runs that alternate with others that need them.
  void require(const SlotBytes& bytes, std::int64_t budget, bool keepLarge = false);
  [[nodiscard]] const DeviceBuffer& at(Slot slot) const {
    const auto number = static_cast<std::size_t>(slot);
    const DeviceBuffer* lent = number < lent_.size() ? lent_[number] : nullptr;
    return lent != nullptr ? *lent : *buffers_[number];
  }
  // Replaces a slot's buffer by another one until the next call for this slot; null: the slot's own.
  void lend(Slot slot, const DeviceBuffer* buffer) {
    lent_.resize(std::max(lent_.size(), static_cast<std::size_t>(slot) + 1));
    lent_[static_cast<std::size_t>(slot)] = buffer;
  }

  // Exchanges the buffers of two slots; not for kInput.
  void exchange(Slot a, Slot b) {
    std::swap(buffers_[static_cast<std::size_t>(a)], buffers_[static_cast<std::size_t>(b)]);
  }

  void forEach(const std::function<void(const DeviceBuffer&)>& visit) const {
    for (const auto& buffer : buffers_)
      if (buffer) visit(*buffer);
  }
  // Releases all buffers.
  void clear();
  // All buffers together; from any thread.
  [[nodiscard]] std::int64_t bytes() const { return held_; }

  // Empty if slot kInput holds nothing that a later run can reuse.
  std::optional<ResidentInput> resident;

 private:
  void release(std::size_t slot);
  void count();

  Device& device_;
  std::atomic<std::int64_t> held_ = 0;
  std::vector<std::unique_ptr<DeviceBuffer>> buffers_;
  std::vector<const DeviceBuffer*> lent_;  // by slot
};

}  // namespace sscope
