#pragma once
// The files of resources/kernels, embedded at build time.

#include <span>
#include <string_view>

namespace sscope {

struct KernelFile {
  std::string_view name;  // "filter_dense.kernel"
  std::string_view text;
};

[[nodiscard]] std::span<const KernelFile> kernelFiles();

}  // namespace sscope
