#pragma once
// The folders in which the program keeps files between runs; reading text files, and atomic writing.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace sscope {

class HeldNames;

// $XDG_CACHE_HOME/stencilscope, ~/.cache/stencilscope or, where neither is set, stencilscope-UID in the temporary
// folder; created when missing, accessible to this user only (makePrivateFolder). Holds compiled kernels and
// measured ceilings; deleting it is always safe. Throws Error(Io) when it cannot be created, belongs to another user,
// or is writable by others.
[[nodiscard]] std::filesystem::path cacheDirectory();

// Throws Error(Usage) for an empty name, Error(Io) when it is already clear that `target` cannot be written (its folder
// is missing or not writable, it is read-only, or it is a folder that is not a Zarr store), so that a long computation
// fails at its start. Only a store replaces a store. Links are followed as `cp` does: the file behind a symbolic link
// is replaced and the link stays; a dangling link is refused.
void checkTarget(const std::filesystem::path& target);

// Calls `write` with a temporary name beside `target`, then renames it over `target` (over the file behind a symbolic
// link). The temporary name keeps target's extension; when `write` throws it is removed and the target is unchanged.
// The mode and owner of a replaced file are kept; leftovers of killed processes are removed. The temporary file exists
// and is empty when `write` is called. `held`, if any, renames it later. Throws Error(Io).
void writeAtomically(const std::filesystem::path& target,
                     const std::function<void(const std::filesystem::path& temporary)>& write,
                     HeldNames* held = nullptr);

// Writes text or other bytes atomically.
void writeTextFile(const std::filesystem::path& target, std::string_view text);

// Reads a whole text file, or pipe. Throws Error(NotFound), Error(Io), or Error(BadData) for one of more than `most`
// bytes: banks, sessions and taps are shorter.
inline constexpr std::size_t kLongestTextFile = std::size_t{64} << 20;
[[nodiscard]] std::string readTextFile(const std::filesystem::path& path, std::size_t most = kLongestTextFile);

// For folders whose content the program trusts later, such as compiled code: creates `folder` with mode 0700 where it
// is missing, and its parents with the usual mode. Removes other users' read permission. Throws Error(Io) unless it
// belongs to this user and no other user can write to it.
void makePrivateFolder(const std::filesystem::path& folder);

// Whether it exists and meets these conditions; changes nothing.
[[nodiscard]] bool isPrivateFolder(const std::filesystem::path& folder);

// Folders that programs treat as one file: Zarr stores.

// Whether a name is that of a store: it ends with ".zarr".
[[nodiscard]] bool namesStoreFolder(const std::filesystem::path& name);
// Whether the folder is a store or a part of one: it holds one of Zarr's description files.
[[nodiscard]] bool isStoreFolder(const std::filesystem::path& folder);
// The name of something that a store holds besides one image or array with its pyramid: another image, labels, a file
// that is not Zarr's; empty if there is nothing. Replacing the store would remove it.
[[nodiscard]] std::string besideImage(const std::filesystem::path& folder);

}  // namespace sscope
