#pragma once
// What a compute device can do, whatever stands behind it: OpenCL now, CUDA's driver API with NVRTC in the same terms.
//
// One queue a device: commands run in the order in which they were given. Commands return at once with an event;
// nothing here blocks for long except compile(). All functions throw Error(Device), or Error(Memory) where the device
// refuses memory, and may be called by any thread at any time, unless properties().concurrent is false.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace sscope {

enum class KernelLanguage : std::uint8_t { OpenClC, CudaCpp };

struct DeviceProperties {
  std::string name, vendor;
  std::string driver;  // platform and version, for reports and as part of cache keys
  KernelLanguage language = KernelLanguage::OpenClC;
  bool cpu = false;        // the device is this machine's processor and shares its memory
  bool concurrent = true;  // the driver bears several threads, as it should
  bool fp64 = true;
  bool fusedF32 = true;  // fma(float) is one instruction
  int computeUnits = 1;
  int vectorF32 = 1, vectorF64 = 1;  // preferred vector widths, elements
  std::int64_t memoryBytes = 0;
  std::int64_t largestAllocation = 0;  // bytes of one buffer
  std::int64_t constantBytes = 0;      // of one buffer in constant address space
  std::int64_t localBytes = 0;         // local (shared) memory of a work-group
  std::int64_t largestGroup = 1;       // work items
};

class DeviceBuffer {
 public:
  virtual ~DeviceBuffer() = default;
  [[nodiscard]] virtual std::int64_t bytes() const = 0;
};

// A null buffer is a valid argument for a kernel that does not touch it.
using KernelArgument = std::variant<const DeviceBuffer*, std::int32_t, std::int64_t, float, double>;

class DeviceEvent {
 public:
  virtual ~DeviceEvent() = default;
  // True once the command has ended; throws Error(Device) when it failed.
  [[nodiscard]] virtual bool done() = 0;
  // Seconds on the device from start to end; 0 before done().
  [[nodiscard]] virtual double seconds() = 0;
};

// Has one entry function. Launches of one kernel must not overlap in host time (arguments are part of its state).
class DeviceKernel {
 public:
  virtual ~DeviceKernel() = default;
};

class DeviceProgram {
 public:
  virtual ~DeviceProgram() = default;
  [[nodiscard]] virtual std::unique_ptr<DeviceKernel> kernel(const std::string& entry) = 0;
  // What load() takes; empty where the driver has none.
  [[nodiscard]] virtual std::vector<std::byte> binary() = 0;
};

// Work items along x and y; whole groups.
struct LaunchShape {
  std::array<std::int64_t, 2> groups{1, 1};
  std::array<std::int64_t, 2> group{1, 1};
};

class Device {
 public:
  virtual ~Device() = default;
  [[nodiscard]] virtual const DeviceProperties& properties() const = 0;

  [[nodiscard]] virtual std::unique_ptr<DeviceBuffer> allocate(std::int64_t bytes) = 0;
  // Throws Error(Device) with `name` and the first lines of the build log.
  [[nodiscard]] virtual std::unique_ptr<DeviceProgram> compile(const std::string& name, const std::string& source) = 0;
  // Null when the driver does not take the binary.
  [[nodiscard]] virtual std::unique_ptr<DeviceProgram> load(std::span<const std::byte> binary) = 0;

  // Host memory must stay valid until the event is done. Offsets in bytes.
  [[nodiscard]] virtual std::unique_ptr<DeviceEvent> write(const DeviceBuffer& buffer, std::int64_t offset,
                                                           std::span<const std::byte> data) = 0;
  [[nodiscard]] virtual std::unique_ptr<DeviceEvent> read(const DeviceBuffer& buffer, std::int64_t offset,
                                                          std::span<std::byte> data) = 0;
  [[nodiscard]] virtual std::unique_ptr<DeviceEvent> launch(DeviceKernel& kernel, const LaunchShape& shape,
                                                            std::span<const KernelArgument> arguments) = 0;
};

}  // namespace sscope
