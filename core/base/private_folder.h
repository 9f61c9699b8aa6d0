#pragma once
// Folders that hold what this program will trust later: compiled code above all.

#include <filesystem>

namespace sscope {

// Creates `folder` for its user alone (0700) where it is missing, parents as usual. Throws Error(Io) unless it then is
// a folder of this user into which nobody else may write; one that others may read is closed to them.
void makePrivateFolder(const std::filesystem::path& folder);

// Whether it is there and such a folder; changes nothing.
[[nodiscard]] bool isPrivateFolder(const std::filesystem::path& folder);

}  // namespace sscope
