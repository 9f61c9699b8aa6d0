#pragma once
// What the reader program may use, and the sandbox that it enters before it reads a file's content, so that a
// compromised decoder can do no harm.

#include <filesystem>
#include <string>
#include <vector>

namespace sscope::io {

// No core files, ends with its parent, address space and file sizes limited to the free memory, few descriptors, no
// further processes or threads, and as much processor time as reading `path` (a file or folder) into that memory can
// take. Called once, at the start.
void limitThisProcess(const std::string& path);

// Bytes that could be allocated at the start: free memory less a reserve for other programs; 0 when unknown.
[[nodiscard]] double memoryAllowance();

// Forbids writing to any file from now on, the voxel memory's included; writing to mapped memory remains possible.
void forbidLargerFiles();

// Which restrictions are active. Some need support: Landlock enabled in the kernel, and a processor whose system calls
// are listed here. Builds with sanitizers are not restricted, so that they can report.
struct Confinement {
  bool files = false;        // can open only the needed files, for reading (Landlock)
  bool systemCalls = false;  // only those that decoding needs (seccomp)
};

// Irreversible, for this process, which must have one thread.
void confine(const std::vector<std::filesystem::path>& needed);
[[nodiscard]] const Confinement& confinement();

// The two parts; false when the system does not support them.
[[nodiscard]] bool confineFiles(const std::vector<std::filesystem::path>& readable);
[[nodiscard]] bool confineSystemCalls();

}  // namespace sscope::io
