#pragma once
// The interface of compute devices, implemented for OpenCL and for CUDA's driver API with NVRTC. The terms are
// OpenCL's: a work-group of work items is CUDA's block of threads, local memory its shared memory, a compute unit its
// multiprocessor.
//
// Each device has a queue for kernels and one for copies in each direction. Commands of one queue run in order; nothing
// orders those of different queues, which may run at the same time: before a command is queued, wait for the event of
// what it needs in another queue. Commands return an event immediately. Only compile() blocks for long, and copies of
// pageable memory that the driver makes itself (gpu/device/transfer.h avoids them). All functions throw Error(Device),
// or Error(Memory) if the device has too little memory, and are thread-safe unless properties().concurrent is false.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/base/control.h"
#include "core/volume/element_type.h"

namespace sscope {

enum class KernelLanguage : std::uint8_t { OpenClC, CudaCpp };

struct DeviceProperties {
  std::string name, vendor;
  std::string driver;  // platform and version, for reports and as part of cache keys
  KernelLanguage language = KernelLanguage::OpenClC;
  bool cpu = false;        // the device is this machine's processor and shares its memory
  bool concurrent = true;  // the driver is thread-safe
  // Not empty: the reason why there is no search among candidates: the driver's compiler may end the program on
  // untested kernels.
  std::string searchRefused;
  bool fp64 = true;
  bool fusedF32 = true;  // fma(float) is one instruction
  int computeUnits = 1;
  int vectorF32 = 1, vectorF64 = 1;  // preferred vector widths, elements
  std::int64_t memoryBytes = 0;
  std::int64_t largestAllocation = 0;  // bytes of one buffer
  std::int64_t constantBytes = 0;      // of one buffer in constant address space
  std::int64_t localBytes = 0;         // local (shared) memory of a work-group
  std::int64_t largestGroup = 1;       // work items
  std::int64_t largestImage = 0;       // width and height of a DeviceImage; 0: the device has no images

  // For models of occupancy and tiles. 0: unknown.
  int lockstep = 0;                              // work items that run together (a warp)
  std::int64_t groupRegisters = 0;               // 32-bit registers of a work-group
  std::int64_t unitRegisters = 0;                // ... of a compute unit
  std::int64_t unitLocalBytes = 0;               // local memory of a compute unit
  std::int64_t largestDynamicLocal = 0;          // bytes of a work-group if requested at launch; may exceed localBytes
  int unitItems = 0;                             // work items resident on a compute unit
  int unitGroups = 0;                            // work-groups resident on a compute unit
  std::int64_t lastCacheBytes = 0;               // the cache that all compute units share
  int capabilityMajor = 0, capabilityMinor = 0;  // NVIDIA's compute capability
  int clockKhz = 0;
  std::string pci;  // NVIDIA's: PCI address, see gpu/cuda/nvml.h
};

class DeviceBuffer {
 public:
  virtual ~DeviceBuffer() = default;
  [[nodiscard]] virtual std::int64_t bytes() const = 0;
};

// An image that kernels read through the texture units (IMAGE2D in the preludes): one component, u8 or f32, integer
// coordinates, clamped to the edge.
class DeviceImage {
 public:
  virtual ~DeviceImage() = default;
  [[nodiscard]] virtual ElementType type() const = 0;
  [[nodiscard]] virtual std::int64_t width() const = 0;
  [[nodiscard]] virtual std::int64_t height() const = 0;
};

// Pinned host memory, for asynchronous copies at full speed.
class PinnedMemory {
 public:
  virtual ~PinnedMemory() = default;
  [[nodiscard]] virtual std::span<std::byte> bytes() const = 0;
};

// A null buffer is a valid argument for a kernel that does not touch it; an image must not be null. Bytes are a
// structure that is passed by value, of at most 1 KiB (4000 bytes on CUDA); they must stay valid until the launch has
// been queued.
using KernelArgument = std::variant<const DeviceBuffer*, const DeviceImage*, std::int32_t, std::int64_t, float, double,
                                    const std::vector<std::byte>*>;
inline constexpr DeviceBuffer* kNoBuffer = nullptr;
// Converts sizes for kernels, which use 32 bits.
[[nodiscard]] inline std::int32_t int32(std::int64_t n) { return static_cast<std::int32_t>(n); }

class DeviceEvent {
 public:
  virtual ~DeviceEvent() = default;
  // True once the command has ended; throws Error(Device) when it failed.
  [[nodiscard]] virtual bool done() = 0;
  // True if this machine's processor executes the command; waiting must not keep it busy.
  [[nodiscard]] virtual bool onProcessor() const { return false; }
  // Seconds on the device from start to end; 0 before done(), and for commands in the queues for copies.
  [[nodiscard]] virtual double seconds() = 0;
  // Seconds on the device from the start of an event of the same device to the start of this one; both are done.
  [[nodiscard]] virtual double startsAfter(DeviceEvent& earlier) = 0;
};

// Resources of a compiled kernel. 0: unknown.
struct KernelAttributes {
  int registers = 0;               // of a work item
  std::int64_t localBytes = 0;     // of a work-group, without the part requested at launch
  std::int64_t privateBytes = 0;   // of a work item, in device memory: spilled registers and arrays
  std::int64_t constantBytes = 0;  // tables in the source
  std::int64_t largestGroup = 0;   // work items
};

// Has one entry function. Launches of one kernel must not overlap in host time (arguments are part of its state).
class DeviceKernel {
 public:
  virtual ~DeviceKernel() = default;
  [[nodiscard]] virtual KernelAttributes attributes() const = 0;
};

class DeviceProgram {
 public:
  virtual ~DeviceProgram() = default;
  [[nodiscard]] virtual std::unique_ptr<DeviceKernel> kernel(const std::string& entry) = 0;
  // The binary for load(); empty if the driver provides none.
  [[nodiscard]] virtual std::vector<std::byte> binary() = 0;
};

// A size along each axis.
struct Grid {
  std::int64_t x = 1, y = 1, z = 1;

  [[nodiscard]] std::int64_t& operator[](std::size_t axis) { return axis == 0 ? x : axis == 1 ? y : z; }
  [[nodiscard]] std::int64_t operator[](std::size_t axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
  [[nodiscard]] std::int64_t count() const { return x * y * z; }
  bool operator==(const Grid&) const = default;
};

struct LaunchShape {
  Grid groups;  // along y and z at most 65535
  Grid group;   // work items of one; what the kernel was compiled for
  // Dynamic local memory of kernels with DYNAMIC_LOCAL_PARAMETER (see the preludes); 0 for all others.
  std::int64_t localBytes = 0;
};

struct KernelLaunch {
  DeviceKernel* kernel = nullptr;
  LaunchShape shape;
  std::vector<KernelArgument> arguments;
  // The kernel uses AFTER_PREVIOUS (see the preludes): it may start before the previous launch has ended.
  bool mayOverlap = false;
};

// Beside: for kernels that run at the same time as those of the first.
enum class Queue : std::uint8_t { Kernels, Uploads, Downloads, Beside };
inline constexpr std::size_t kQueues = 4;

class Device {
 public:
  virtual ~Device() = default;
  [[nodiscard]] virtual const DeviceProperties& properties() const = 0;

  [[nodiscard]] virtual std::unique_ptr<DeviceBuffer> allocate(std::int64_t bytes) = 0;
  // Type u8 or f32. Throws Error(Unsupported) if the device has no images of this type or size.
  [[nodiscard]] virtual std::unique_ptr<DeviceImage> allocateImage(ElementType type, std::int64_t width,
                                                                   std::int64_t height) = 0;
  // Null if the device shares the host's memory, where pinned memory has no use.
  [[nodiscard]] virtual std::unique_ptr<PinnedMemory> allocatePinned(std::int64_t bytes) = 0;
  // Throws Error(Device) with `name` and the first lines of the build log.
  [[nodiscard]] virtual std::unique_ptr<DeviceProgram> compile(const std::string& name, const std::string& source) = 0;
  // Null if the driver rejects the binary.
  [[nodiscard]] virtual std::unique_ptr<DeviceProgram> load(std::span<const std::byte> binary) = 0;

  // Host memory must stay valid until the event is done. Offsets in bytes. Kernels queued after copies in the same
  // queue need not wait for them; copies in the queues for copies run beside kernels.
  [[nodiscard]] virtual std::unique_ptr<DeviceEvent> write(const DeviceBuffer& buffer, std::int64_t offset,
                                                           std::span<const std::byte> data,
                                                           Queue queue = Queue::Kernels) = 0;
  [[nodiscard]] virtual std::unique_ptr<DeviceEvent> read(const DeviceBuffer& buffer, std::int64_t offset,
                                                          std::span<std::byte> data, Queue queue = Queue::Kernels) = 0;
  // In the queue of the kernels. Writes the whole image, rows without gaps.
  [[nodiscard]] virtual std::unique_ptr<DeviceEvent> write(const DeviceImage& image,
                                                           std::span<const std::byte> data) = 0;
  [[nodiscard]] virtual std::unique_ptr<DeviceEvent> launch(DeviceKernel& kernel, const LaunchShape& shape,
                                                            std::span<const KernelArgument> arguments) = 0;
  // Runs at least one launch, in sequence without the host in between. The event covers all. Queue::Beside requires a
  // device that reaches itself.
  [[nodiscard]] virtual std::unique_ptr<DeviceEvent> launchInRow(std::span<const KernelLaunch> launches, Queue queue);

  // Whether copyTo() and waitIn() work between this device and another one without the host; otherwise data are copied
  // through the host.
  [[nodiscard]] virtual bool reaches(const Device& /*other*/) const { return false; }
  // Copies to a buffer of `other`, which this device reaches, in a queue of this device. Offsets in bytes.
  [[nodiscard]] virtual std::unique_ptr<DeviceEvent> copyTo(const Device& other, const DeviceBuffer& from,
                                                            std::int64_t offset, const DeviceBuffer& to,
                                                            std::int64_t place, std::int64_t bytes, Queue queue);
  // Commands that are queued from now on begin after `event`, an event of a device that this one reaches.
  virtual void waitIn(Queue queue, DeviceEvent& event);
};

// Checks of images, for all devices.

// Throws Error(Unsupported) unless the device has images of this type and size.
void checkImage(const DeviceProperties& device, ElementType type, std::int64_t width, std::int64_t height);
// Throws Error(Usage) unless `bytes` is the size of the whole image.
void checkImageBytes(const DeviceImage& image, std::size_t bytes);

// Shortens compiler logs for error messages.

// The first `count` lines that are not blank, joined by " | ".
[[nodiscard]] std::string firstLines(const std::string& text, int count);

// Waiting for a device with support for cancellation.

// Polls until the command has ended, then throws Canceled if a stop was requested meanwhile. It never returns or throws
// while the command may still access memory, so commands must be short (launches below 50 ms, transfers of a few MiB).
void waitFor(DeviceEvent& event, const Control& control);

// Pauses between two checks of a command that has been waited for since `waited` seconds; `onProcessor`: this machine's
// processor executes it.
void pauseWaiting(double waited, bool onProcessor);

}  // namespace sscope
