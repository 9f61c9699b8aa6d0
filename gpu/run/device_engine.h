#pragma once
// An engine on one device.

#include <memory>
#include <mutex>

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
  // Of processors by a serial chain, of NVIDIA's by its management library.
  [[nodiscard]] std::optional<ClockReading> readClock() override;
  void poison(std::uint8_t byte, const Control& control) override;

  [[nodiscard]] HeldMemory heldMemory() const override;
  void giveBack(const Control& control) override;

  [[nodiscard]] Device& device() { return *device_; }
  [[nodiscard]] ProgramCache& programs() { return programs_; }
  // Only to be used while holding the lock.
  [[nodiscard]] Workspace& workspace() { return workspace_; }
  [[nodiscard]] Transfer& transfer() { return transfer_; }
  // What stays of earlier runs.
  [[nodiscard]] const std::shared_ptr<ResultStore>& results() const { return results_; }
  // One run at a time; throws Canceled when stopped while waiting for another one.
  [[nodiscard]] std::unique_lock<std::timed_mutex> lock(const Control& control);
  // Bytes a run may take: `limit` when not 0, and never more than the device should give.
  [[nodiscard]] std::int64_t budget(std::int64_t limit) const;
  // Reads so much that the device's caches hold nothing else, written or to be written. Only while holding the lock.
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

}  // namespace sscope
