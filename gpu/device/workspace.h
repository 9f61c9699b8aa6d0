#pragma once
// The large buffers of an engine, kept from run to run: allocating them anew costs more than a small filter does.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/volume/array_view.h"
#include "gpu/device/device.h"

namespace sscope {

// A buffer by its number. What lies in it is the business of the plan that runs, but for the first.
enum class Slot : std::uint8_t {};
inline constexpr Slot kInput{0};
using SlotBytes = std::vector<std::int64_t>;  // by number; those beyond the end: 0

// Which input the slot kInput holds, complete, from an earlier run (Inputs::identity).
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

  // Empty when the slot kInput holds nothing of use to a later run.
  std::optional<ResidentInput> resident;

 private:
  void release(std::size_t slot);

  Device& device_;
  std::vector<std::unique_ptr<DeviceBuffer>> buffers_;
};

}  // namespace sscope
