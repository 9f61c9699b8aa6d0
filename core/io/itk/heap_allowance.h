#pragma once
// Decoders that take a damaged length for memory to allocate are stopped there, not where the machine's memory ends.

#include <sys/resource.h>

#include <string>

namespace sscope::io {

// While it lives this process, the reader, has only so much memory of its own (voxels are shared memory and do not
// count): half a GiB and eight times the file, which is more than any decoder here needs to get at a header. Beyond
// it allocations fail with std::bad_alloc. Without effect in builds with sanitizers.
class HeapAllowance {
 public:
  explicit HeapAllowance(const std::string& file);
  HeapAllowance(const HeapAllowance&) = delete;
  HeapAllowance& operator=(const HeapAllowance&) = delete;
  ~HeapAllowance();
  // For so many bytes of voxels that are now known to be asked for.
  void growFor(double voxelBytes);

 private:
  void limit() const;
  rlimit before_{};
  double bytes_;
};

}  // namespace sscope::io
