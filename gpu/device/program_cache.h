#pragma once
// Program binaries on disk, so that a kernel is compiled once per machine and not at every start.

#include <cstddef>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "gpu/device/device.h"
#include "gpu/device/kernel_source.h"

namespace sscope {

// Files are written atomically. A file that is damaged or has another key counts as missing, and so do all files in a
// folder that other users can access, because the binaries are executed. Failure to write is not an error: the next
// start compiles again.
class BinaryStore {
 public:
  // Keeps at most `limit` files in `folder`, deleting the oldest.
  explicit BinaryStore(std::filesystem::path folder, std::size_t limit = 512);

  [[nodiscard]] std::optional<std::vector<std::byte>> find(const std::string& key) const;
  void store(const std::string& key, std::span<const std::byte> binary) const;
  [[nodiscard]] std::filesystem::path pathOf(const std::string& key) const;

 private:
  void dropOldest() const;

  std::filesystem::path folder_;
  std::size_t limit_;
};

// In cacheDirectory(), see core/base/paths.h; empty if it cannot be created or other users can access it.
[[nodiscard]] std::optional<BinaryStore> kernelStore();

// Compiled kernels of one device: in memory, then on disk, then the compiler.
enum class KernelOrigin : std::uint8_t { Compiled, Disk };

struct CompiledKernel {
  std::unique_ptr<DeviceKernel> kernel;
  KernelOrigin origin = KernelOrigin::Compiled;
  double secondsPerElement = 0;  // measured by launches, 0 before the first; guarded by the engine's mutex
};

// Builds run on separate threads, so that a compiler does not delay cancellation; an abandoned build is finished and
// kept.
class ProgramCache {
 public:
  explicit ProgramCache(Device& device) : device_(device) {}
  // Stores the binaries of compiled kernels. No kernel may be running.
  ~ProgramCache();
  ProgramCache(const ProgramCache&) = delete;
  ProgramCache& operator=(const ProgramCache&) = delete;

  using Pending = std::shared_future<std::shared_ptr<CompiledKernel>>;

  // Returns at once. `idle` are arguments with which a launch of one group has no effect; this launch makes drivers
  // that defer work to the first launch (PoCL) do it now. `kept` is kept alive as long as they are needed, even if the
  // build is abandoned.
  [[nodiscard]] Pending start(const KernelSource& source, const std::vector<KernelArgument>& idle,
                              std::shared_ptr<const void> kept = nullptr);

  // Waits for a build; throws what the build threw, or Canceled.
  [[nodiscard]] static std::shared_ptr<CompiledKernel> wait(const Pending& pending, const Control& control);

  // The key of this source's binary.
  [[nodiscard]] std::string keyOf(const std::string& text) const;

 private:
  std::shared_ptr<CompiledKernel> build(const KernelSource& source, const std::string& text,
                                        const std::vector<KernelArgument>& idle,
                                        std::unique_ptr<DeviceProgram>& program);
  void forgetOldest();

  Device& device_;
  std::mutex mutex_;
  std::map<std::string, Pending> kernels_;  // by text
  std::vector<std::string> order_;          // texts, oldest first
  std::vector<std::future<void>> builders_;
  std::vector<std::pair<std::string, std::unique_ptr<DeviceProgram>>> unstored_;  // by text, in order of compiling
};

}  // namespace sscope
