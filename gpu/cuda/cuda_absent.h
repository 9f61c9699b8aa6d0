#pragma once
// Why there is no CUDA engine.

#include <string>

namespace sscope {

// Tries to open NVIDIA's driver library, which tells apart what a user can do about it.
[[nodiscard]] std::string whyNoCuda();

}  // namespace sscope
