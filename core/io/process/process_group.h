#pragma once
// A program in a process group of its own, which ends with this object.

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/io/base/descriptor.h"

namespace sscope::io {

class ProcessGroup {
 public:
  ProcessGroup() = default;
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;
  ~ProcessGroup() { end({}); }

  struct Start {
    std::filesystem::path program, folder;  // where it works; empty: where this program does
    std::vector<std::string> arguments;     // without its name
    std::vector<std::string> environment;
    std::vector<std::pair<int, int>> descriptors;  // one of ours, and under which number; 0 to 2 are else /dev/null
  };
  // Numbers above those that the program knows descriptors by: none is then overwritten before it is passed on.
  // Invalid, with errno, where there is none.
  [[nodiscard]] static Descriptor movedUp(const Descriptor& low);
  // It gets no other descriptor. Once; returns 0 or the errno why it cannot.
  [[nodiscard]] int start(const Start& how);
  [[nodiscard]] pid_t pid() const { return pid_; }
  // The waitpid status once it has ended; what it started is killed then.
  [[nodiscard]] std::optional<int> ended();
  // Kills what still runs. Does not wait: the kernel takes a while to free gigabytes of pages, `held` among them.
  void end(Descriptor held);

 private:
  pid_t pid_ = -1;
  std::optional<int> status_;
};

}  // namespace sscope::io
