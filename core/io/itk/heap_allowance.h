#pragma once
// Limits the heap, so that a decoder that allocates by a damaged length fails early instead of exhausting the machine's
// memory.

#include <sys/resource.h>

#include <string>

namespace sscope::io {

// While it exists, the heap of this process (the reader) is limited to 0.5 GiB plus eight times the file's size, more
// than any decoder here needs to read a header. Voxels are in shared memory and do not count. Further allocations throw
// std::bad_alloc. No effect in builds with sanitizers.
class HeapAllowance {
 public:
  explicit HeapAllowance(const std::string& file);
  HeapAllowance(const HeapAllowance&) = delete;
  HeapAllowance& operator=(const HeapAllowance&) = delete;
  ~HeapAllowance();
  // Raises the limit once the size of the voxels is known, in bytes.
  void growFor(double voxelBytes);

 private:
  void limit() const;
  rlimit before_{};
  double bytes_;
};

}  // namespace sscope::io
