#include "core/io/itk/heap_allowance.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace sscope::io {

namespace {

double bytesOf(const std::string& file) {
  std::error_code code;
  const auto size = std::filesystem::file_size(file, code);
  return code ? 0 : static_cast<double>(size);
}

}  // namespace

HeapAllowance::HeapAllowance(const std::string& file) : bytes_(0x1p29 + 8 * bytesOf(file)) {
  ::getrlimit(RLIMIT_DATA, &before_);
  limit();
}

HeapAllowance::~HeapAllowance() { ::setrlimit(RLIMIT_DATA, &before_); }

void HeapAllowance::growFor(double voxelBytes) {
  bytes_ += 4 * voxelBytes;  // as they are in the file, unpacked, and in another type
  limit();
}

void HeapAllowance::limit() const {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  rlimit now = before_;
  if (bytes_ < 0x1p62) now.rlim_cur = std::min(before_.rlim_cur, static_cast<rlim_t>(bytes_));
  ::setrlimit(RLIMIT_DATA, &now);
#endif
}

}  // namespace sscope::io
