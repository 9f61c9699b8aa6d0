#pragma once
// Files that the confined reader names are opened by this process only if they belong to what the user named.

#include <filesystem>
#include <string>

#include "core/io/base/descriptor.h"

namespace sscope::io {

// Whether `file` is what `name` stands for, or one that belongs to it and lies in its folder, links resolved.
[[nodiscard]] bool belongsTo(const std::string& name, const std::filesystem::path& file);

// Opened for reading; invalid where it is no regular file or cannot be opened (see errno). Never waits.
[[nodiscard]] Descriptor openRegular(const std::filesystem::path& file);

}  // namespace sscope::io
