#pragma once
// Folders that are one file to those who use them: Zarr stores.

#include <filesystem>
#include <string>

namespace sscope {

// Whether such a name is one of a store: it ends with ".zarr".
[[nodiscard]] bool namesStoreFolder(const std::filesystem::path& name);
// Whether the folder is a store, or a part of one: it has a file that says so.
[[nodiscard]] bool isStoreFolder(const std::filesystem::path& folder);
// What a store holds beside one image or array, levels of a pyramid included: another image, labels, a file that is none
// of Zarr's; empty where there is nothing. Who replaces the store would remove it.
[[nodiscard]] std::string besideImage(const std::filesystem::path& folder);

}  // namespace sscope
