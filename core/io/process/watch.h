#pragma once
// Tells a reader at work from one that hangs, and how far it is.

#include <cstdint>
#include <string>

#include "core/base/control.h"
#include "core/base/stopwatch.h"
#include "core/io/process/child.h"

namespace sscope::io {

// A reader is killed after so long without a sign of progress: a byte read, a page of voxels or of its own memory
// written, a sign of life on the reply pipe.
struct ReaderLimits {
  double waitingSeconds = 60;    // for a disk or a network
  double computingSeconds = 10;  // of processor time, and one second more for each MiB read: some formats are unpacked
                                 // in memory that was there before, and take no longer than that
};

class Watch {
 public:
  Watch(const std::string& path, const ReaderLimits& limits);

  // Looks at the child and reports progress: the larger of "voxel pages written" and "file bytes read", whichever way
  // a decoder works. `spoke`: it gave a sign of life. Throws Error(BadData) when it hangs.
  void look(const Child& child, bool spoke, const Control& control);

 private:
  const std::string& path_;
  ReaderLimits limits_;
  std::int64_t fileBytes_ = 0, written_ = -1, read_ = -1, resident_ = -1;
  double best_ = 0, computedBefore_ = 0;
  Stopwatch idle_;
};

}  // namespace sscope::io
