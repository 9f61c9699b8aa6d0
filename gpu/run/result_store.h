#pragma once
// The memory of results that stay on a device. A result keeps its memory as long as it is referenced; then the memory
// is reused for the next result of about the same size, because allocating takes longer than a small filter.
//
// All memory belongs to the store, and a result holds a claim with its current place. So any thread may drop a result
// at any time, and a result may outlive the engine.

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/volume/volume.h"
#include "gpu/device/device.h"
#include "gpu/device/program_cache.h"

namespace sscope {

class DeviceEngine;

// The place of one result. Only the store moves it, under the engine's lock.
struct ResultClaim {
  ArraySpec spec;
  std::string engine;                    // its id
  std::unique_ptr<DeviceBuffer> buffer;  // null: no longer on the device
  std::atomic<std::int64_t> bytes = 0;   // of the buffer
  std::uint64_t asked = 0;               // larger: asked later
  std::atomic<bool> dropped = false;     // the result is no longer referenced
  std::mutex mutex;                      // guards the copy
  std::shared_ptr<const Volume> copy;    // in host memory
};

class ResultStore {
 public:
  // The most bytes that are gathered on the device and read at once.
  static constexpr std::int64_t kStagedBytes = std::int64_t{16} << 20;

  explicit ResultStore(DeviceEngine& engine);
  // Called when the engine ends; results that are only on the device are lost.
  void close();

  // The engine; null after close(). From any thread, like the next two functions.
  [[nodiscard]] DeviceEngine* engine() const { return engine_; }
  // Device memory of results, including memory that is kept for the next ones.
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }
  // For copies of results.
  [[nodiscard]] VolumePool& hostMemory() { return hostMemory_; }

  // All other functions require the engine's lock.

  // Memory for the results of a run, within `most` bytes for all results; memory of other sizes is released. Throws
  // Error(Memory) or Canceled.
  [[nodiscard]] std::vector<std::shared_ptr<ResultClaim>> acquire(std::span<const ArraySpec> specs, std::int64_t most,
                                                                  const Control& control);
  // Limits the store to `most` bytes: releases unused memory, then moves results to the host, the least recently used
  // first. A result for which the host has no room is lost. Throws Canceled.
  void shrink(std::int64_t most, const Control& control);
  // Releases the memory of results that are no longer referenced.
  void giveBack();
  void noteAsked(ResultClaim& claim) { claim.asked = ++clock_; }

  // Collects memory without a result, or with one that is no longer referenced.
  void forEachUnused(const std::function<void(const DeviceBuffer&)>& visit);

  // A kernel of this name, built on first use. `idle`: see ProgramCache::start(). Throws what it throws.
  [[nodiscard]] DeviceKernel& kernel(const std::string& name, const std::function<KernelSource()>& source,
                                     const std::vector<KernelArgument>& idle, const Control& control);
  [[nodiscard]] bool hasKernel(const std::string& name) const { return kernels_.contains(name); }
  // Device memory to gather in, and host memory to read it to, of at least this many bytes; a larger request may
  // discard their contents.
  [[nodiscard]] const DeviceBuffer& gathered(std::int64_t bytes);
  [[nodiscard]] std::span<std::byte> landed(std::int64_t bytes);

 private:
  using Buffer = std::unique_ptr<DeviceBuffer>;
  void collectDropped();
  [[nodiscard]] Buffer takeIdle(std::int64_t bytes);
  [[nodiscard]] Buffer allocate(std::int64_t bytes, const Control& control);
  // Releases the oldest unused memory, or moves a result; false: there is nothing left.
  bool giveOne(const Control& control);
  void moveToHost(ResultClaim& claim, const Control& control);
  void count();

  std::atomic<DeviceEngine*> engine_;
  std::atomic<std::int64_t> bytes_ = 0;
  VolumePool hostMemory_;
  std::uint64_t clock_ = 0;
  std::vector<std::shared_ptr<ResultClaim>> claims_;
  std::vector<Buffer> idle_;  // in the order in which they were given back
  std::map<std::string, std::shared_ptr<CompiledKernel>> kernels_;
  Buffer gathered_;
  std::unique_ptr<PinnedMemory> pinned_;
  std::vector<std::byte> landed_;  // used where pinned memory has no advantage
};

}  // namespace sscope
