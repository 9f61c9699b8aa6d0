#pragma once
// Folders that are one file to those who use them: Zarr stores.

#include <filesystem>

namespace sscope {

// Whether such a name is one of a store: it ends with ".zarr".
[[nodiscard]] bool namesStoreFolder(const std::filesystem::path& name);
// Whether the folder is a store, or a part of one: it has a file that says so.
[[nodiscard]] bool isStoreFolder(const std::filesystem::path& folder);

}  // namespace sscope
