#pragma once
// A running reader program: started with clean surroundings, never waited for without end, gone with its object.

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/io/process/descriptor.h"

namespace sscope::io {

class Child {
 public:
  // Starts `program`: the reply pipe and the voxel memory on the descriptors of protocol.h, /dev/null on 0 to 2, no
  // other descriptor, a process group of its own, and of the environment only what the loader, the locale and the
  // sanitizers look at. Throws Error(Io) when it cannot be started.
  Child(const std::filesystem::path& program, const std::vector<std::string>& arguments);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  // Kills what still runs. Does not wait: the kernel takes a while to free gigabytes of pages.
  ~Child();

  // The end of the reply pipe to read from; does not block.
  [[nodiscard]] int reply() const { return reply_.get(); }
  // Memory that the reader resizes and fills.
  [[nodiscard]] Descriptor& voxels() { return voxels_; }

  // The status as of waitpid once the process has ended, else nothing. The reply pipe may still be open then: somebody
  // whom the reader started may hold it.
  [[nodiscard]] std::optional<int> ended();

  // What it has done so far; zero where that cannot be known (any more).
  [[nodiscard]] std::int64_t voxelBytes() const;     // of voxel memory in use
  [[nodiscard]] std::int64_t voxelSize() const;      // of voxel memory claimed
  [[nodiscard]] std::int64_t bytesRead() const;      // from any file
  [[nodiscard]] std::int64_t residentPages() const;  // memory of its own included
  [[nodiscard]] double processorSeconds() const;

 private:
  pid_t pid_ = -1;
  std::optional<int> status_;
  Descriptor reply_, voxels_;
};

}  // namespace sscope::io
