#pragma once
// The large buffers of an engine, kept from run to run: allocating them anew costs more than a small filter does.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/volume/array_view.h"
#include "gpu/device/device.h"

namespace sscope {

enum class Slot : std::uint8_t { Input, Gathered, AfterZ, AfterY, Sum, Output };
inline constexpr std::size_t kSlots = 6;
using SlotBytes = std::array<std::int64_t, kSlots>;

// Which input the slot Input holds, complete, from an earlier run (Inputs::identity).
struct ResidentInput {
  std::uint64_t identity = 0;
  ArraySpec spec;
  bool operator==(const ResidentInput&) const = default;
};

class Workspace {
 public:
  explicit Workspace(Device& device) : device_(device) {}

  // Makes every slot hold at least what is asked (0: nothing) and all of them together no more than `budget` bytes.
  // Slots keep their content unless they are too small, or much too large.
  void require(const SlotBytes& bytes, std::int64_t budget);
  [[nodiscard]] const DeviceBuffer& at(Slot slot) const { return *buffers_[static_cast<std::size_t>(slot)]; }

  // Empty when the slot Input holds nothing of use to a later run.
  std::optional<ResidentInput> resident;

 private:
  void release(std::size_t slot);

  Device& device_;
  std::array<std::unique_ptr<DeviceBuffer>, kSlots> buffers_;
};

}  // namespace sscope
