#pragma once
// The memory of results that stay on a device. A result keeps its memory as long as somebody holds the result; then it
// serves the next one of about the same size, because allocating takes longer than a small filter.
//
// All of it belongs to the store, and a result holds a claim, which says where the result is by now. So a result may be
// dropped by any thread at any moment, and may outlive the engine.

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

// Where one result is. Only the store moves it, under the engine's lock.
struct ResultClaim {
  ArraySpec spec;
  std::string engine;                    // its id
  std::unique_ptr<DeviceBuffer> buffer;  // null: not on the device any more
  std::atomic<std::int64_t> bytes = 0;   // of the buffer
  std::uint64_t asked = 0;               // larger: asked later
  std::atomic<bool> dropped = false;     // nobody holds the result
  std::mutex mutex;                      // guards the copy
  std::shared_ptr<const Volume> copy;    // in host memory
};

class ResultStore {
 public:
  // What is gathered on the device and read at once, at most.
  static constexpr std::int64_t kStagedBytes = std::int64_t{16} << 20;

  explicit ResultStore(DeviceEngine& engine);
  // The engine ends, and what is on the device only is lost.
  void close();

  // Null after close(). From any thread, as the next two.
  [[nodiscard]] DeviceEngine* engine() const { return engine_; }
  // Device memory that results take, or took and the next ones will.
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }
  // For copies of results.
  [[nodiscard]] VolumePool& hostMemory() { return hostMemory_; }

  // All others under the engine's lock only.

  // Memory for the results of a run, which then are all that the store keeps memory for, within `most` bytes for all.
  // Throws Error(Memory) or Canceled.
  [[nodiscard]] std::vector<std::shared_ptr<ResultClaim>> acquire(std::span<const ArraySpec> specs, std::int64_t most,
                                                                  const Control& control);
  // Takes at most `most` bytes from now on: gives back memory that nobody uses, then moves results to the host, those
  // asked least recently first. One for which the host has no room is lost. Throws Canceled.
  void shrink(std::int64_t most, const Control& control);
  // Gives back what nobody holds.
  void giveBack();
  void noteAsked(ResultClaim& claim) { claim.asked = ++clock_; }

  // The memory that holds no result, or one that nobody holds any more.
  void forEachUnused(const std::function<void(const DeviceBuffer&)>& visit);

  // A kernel of this name, built when it is first asked for. `idle`: see ProgramCache::start(). Throws what it throws.
  [[nodiscard]] DeviceKernel& kernel(const std::string& name, const std::function<KernelSource()>& source,
                                     const std::vector<KernelArgument>& idle, const Control& control);
  [[nodiscard]] bool hasKernel(const std::string& name) const { return kernels_.contains(name); }
  // Memory to gather in, and host memory to read it to, of at least so many bytes; their contents may be lost when more
  // is asked for.
  [[nodiscard]] const DeviceBuffer& gathered(std::int64_t bytes);
  [[nodiscard]] std::span<std::byte> landed(std::int64_t bytes);

 private:
  using Buffer = std::unique_ptr<DeviceBuffer>;
  void collectDropped();
  [[nodiscard]] Buffer takeIdle(std::int64_t bytes);
  [[nodiscard]] Buffer allocate(std::int64_t bytes, const Control& control);
  // Gives back what has lain here longest, or moves a result; false: there is nothing left.
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
  std::vector<std::byte> landed_;  // where pinned memory would not help
};

}  // namespace sscope
