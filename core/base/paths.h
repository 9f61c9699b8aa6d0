#pragma once
// Where the program keeps things between runs, and how it writes files so that none is ever half there.

#include <filesystem>
#include <functional>
#include <string>

namespace sscope {

// $XDG_CACHE_HOME/stencilscope or ~/.cache/stencilscope, created when missing.
// Holds compiled kernels and measured ceilings; deleting it is always safe.
// Throws Error(Io) when neither can be created.
[[nodiscard]] std::filesystem::path cacheDirectory();

// Throws Error(Usage) for an empty name, Error(Io) when `target` cannot be written as far as can be told beforehand (its folder is missing or not
// writable, it is read-only or a folder), so that a long computation need not find out at its end.
void checkTarget(const std::filesystem::path& target);

// Calls `write` with a temporary name beside `target`, then renames it over `target` (over the file behind a symbolic
// link). The temporary name keeps target's extension. When `write` throws, the temporary file is removed
// and target is as it was. Throws Error(Io) when the folder cannot be written.
void writeAtomically(const std::filesystem::path& target,
                     const std::function<void(const std::filesystem::path& temporary)>& write);

// Writes text atomically.
void writeTextFile(const std::filesystem::path& target, const std::string& text);

// Reads a whole text file; throws Error(NotFound) or Error(Io).
[[nodiscard]] std::string readTextFile(const std::filesystem::path& path);

}  // namespace sscope
