#pragma once
// Folders whose content this program will trust later, compiled code above all.

#include <filesystem>

namespace sscope {

// Creates `folder` with mode 0700 where it is missing, and its parents with the usual mode. Removes other users' read
// permission. Throws Error(Io) unless it belongs to this user and nobody else can write to it.
void makePrivateFolder(const std::filesystem::path& folder);

// Whether it exists and meets these conditions; changes nothing.
[[nodiscard]] bool isPrivateFolder(const std::filesystem::path& folder);

}  // namespace sscope
