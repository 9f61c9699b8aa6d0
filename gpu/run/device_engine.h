#pragma once
// An engine on one device.

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/engine/engine.h"
#include "gpu/device/device.h"
#include "gpu/device/program_cache.h"
#include "gpu/device/transfer.h"
#include "gpu/device/workspace.h"
#include "gpu/run/result_store.h"

namespace sscope {

class CacheSweep;

class DeviceEngine : public Engine {
 public:
  static constexpr std::string_view kEngines = "OpenCL and CUDA engines";

  DeviceEngine(std::string id, EngineKind kind, std::unique_ptr<Device> device);
  ~DeviceEngine() override;
  DeviceEngine(const DeviceEngine&) = delete;
  DeviceEngine& operator=(const DeviceEngine&) = delete;

  [[nodiscard]] const EngineInfo& info() const override { return info_; }
  [[nodiscard]] Ceilings measureCeilings(int threads, const Control& control) override;
  // For processors from a serial chain of instructions, for NVIDIA's devices from its management library.
  [[nodiscard]] std::optional<ClockReading> readClock() override;
  void poison(std::uint8_t byte, const Control& control) override;

  [[nodiscard]] HeldMemory heldMemory() const override;
  void giveBack(const Control& control) override;

  [[nodiscard]] Device& device() { return *device_; }
  [[nodiscard]] ProgramCache& programs() { return programs_; }
  // Both require the lock.
  [[nodiscard]] Workspace& workspace() { return workspace_; }
  [[nodiscard]] Transfer& transfer() { return transfer_; }
  // The memory of results that stay on the device.
  [[nodiscard]] const std::shared_ptr<ResultStore>& results() const { return results_; }
  // One run at a time; throws Canceled when stopped while waiting for another one.
  [[nodiscard]] std::unique_lock<std::timed_mutex> lock(const Control& control);
  // The bytes that a run may allocate: `limit` if it is not 0, and never more than the device's budget.
  [[nodiscard]] std::int64_t budget(std::int64_t limit) const;
  // Reads enough memory to evict everything else from the device's caches. Requires the lock.
  void emptyCaches(const Control& control);
  // Bytes of the largest buffer.
  [[nodiscard]] std::int64_t largestBuffer() const;

 private:
  EngineInfo info_;
  std::unique_ptr<Device> device_;
  std::timed_mutex mutex_;
  Workspace workspace_;
  Transfer transfer_;
  ProgramCache programs_;
  std::shared_ptr<ResultStore> results_;
  std::unique_ptr<CacheSweep> sweep_;
};

// How kernels are laid out on a kind of device.
struct LaunchStyle {
  int vector = 1;     // elements a work item holds along x
  Grid group{64, 4};  // work items of a work-group
};
// Processors want wide vectors in few work items; graphics processors want many scalar ones, neighbors along x.
[[nodiscard]] LaunchStyle launchStyle(const DeviceProperties& device, Precision precision);

// How busy the device of an engine is.

// Empty for engines that compute on the processor. From any thread, without waiting for what runs; takes a millisecond
// or two, but for the first time, which may open a library.
[[nodiscard]] std::optional<DeviceLoad> deviceLoadOf(Engine& engine);

// Whether the buffers of a plan fit on a device.
struct MemoryNeed {
  std::int64_t total = 0, largest = 0;  // bytes of all buffers, and of the largest one
};

// Throws Error(Memory) unless it fits into `budget` bytes of the engine: "`needs` 12 MiB on cuda:0".
void requireFits(const DeviceEngine& engine, const MemoryNeed& need, std::int64_t budget, const std::string& needs,
                 const std::string& advice);

}  // namespace sscope
