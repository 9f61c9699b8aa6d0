#pragma once
// Folders that programs treat as one file: Zarr stores.

#include <filesystem>
#include <string>

namespace sscope {

// Whether a name is that of a store: it ends with ".zarr".
[[nodiscard]] bool namesStoreFolder(const std::filesystem::path& name);
// Whether the folder is a store or a part of one: it holds one of Zarr's description files.
[[nodiscard]] bool isStoreFolder(const std::filesystem::path& folder);
// The name of something that a store holds besides one image or array with its pyramid: another image, labels, a file
// that is not Zarr's; empty if there is nothing. Replacing the store would remove it.
[[nodiscard]] std::string besideImage(const std::filesystem::path& folder);

}  // namespace sscope
