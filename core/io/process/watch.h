#pragma once
// Distinguishes a working reader from a hanging one, and estimates its progress.

#include <cstdint>
#include <string>

#include "core/base/control.h"
#include "core/base/stopwatch.h"
#include "core/io/process/child.h"

namespace sscope::io {

// How long a reader may go without progress before it is killed. Progress is a byte read, a page of voxels or of its
// own memory written, or a line feed on the reply pipe.
struct ReaderLimits {
  double waitingSeconds = 60;    // for a disk or a network
  double computingSeconds = 10;  // of processor time, and one second more for each MiB read: some formats are unpacked
                                 // in memory that was there before, and take no longer than that
};

class Watch {
 public:
  Watch(const std::string& path, const ReaderLimits& limits);

  // Checks the child and reports progress: the larger of the shares of voxel pages written and file bytes read.
  // `spoke`: it sent a line feed. Throws Error(BadData) when it hangs.
  void look(const Child& child, bool spoke, const Control& control);

 private:
  const std::string& path_;
  ReaderLimits limits_;
  std::int64_t fileBytes_ = 0, written_ = -1, read_ = -1, resident_ = -1;
  double best_ = 0, computedBefore_ = 0;
  double idle_ = 0;  // seconds without progress while this program looked on
  Stopwatch sinceLook_;
};

}  // namespace sscope::io
