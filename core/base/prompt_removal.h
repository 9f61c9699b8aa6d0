#pragma once
// Removal of large files without the wait for it.

#include <filesystem>

namespace sscope {

// As std::filesystem::remove() of a file, without an error; of a folder only where its name is a temporary one of ours
// (core/base/leftovers.h), and then with all in it. The name is gone when this returns. What a large file takes
// of memory and disk is freed by a process of its own, after this one may have ended: that takes a tenth of a second
// per GiB, and longer while its data are on their way to the disk.
void removePromptly(const std::filesystem::path& file) noexcept;

}  // namespace sscope
