#pragma once
// A running reader program: starts in a clean environment, is never waited for indefinitely, and ends with this object.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/io/base/descriptor.h"
#include "core/io/process/process_group.h"

namespace sscope::io {

class Child {
 public:
  // Starts `program`: the reply pipe and the voxel memory on the descriptors of protocol.h, /dev/null on 0 to 2, no
  // other descriptor, a process group of its own, and of the environment only what the loader, the locale and the
  // sanitizers look at. Throws Error(Io) when it cannot be started.
  Child(const std::filesystem::path& program, const std::vector<std::string>& arguments);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  // Kills what still runs, without a wait for it.
  ~Child() { group_.end(std::move(voxels_)); }

  // The read end of the reply pipe; non-blocking.
  [[nodiscard]] int reply() const { return reply_.get(); }
  // Shared memory that the reader resizes and fills.
  [[nodiscard]] Descriptor& voxels() { return voxels_; }

  // The waitpid status once the process has ended. The reply pipe may still be open then, held by a process that the
  // reader started.
  [[nodiscard]] std::optional<int> ended() { return group_.ended(); }

  // Its activity so far; zero when unknown or ended.
  [[nodiscard]] std::int64_t voxelBytes() const;     // of voxel memory in use
  [[nodiscard]] std::int64_t voxelSize() const;      // of voxel memory claimed
  [[nodiscard]] std::int64_t bytesRead() const;      // from any file
  [[nodiscard]] std::int64_t residentPages() const;  // memory of its own included
  [[nodiscard]] double processorSeconds() const;

 private:
  ProcessGroup group_;
  Descriptor reply_, voxels_;
};

}  // namespace sscope::io
