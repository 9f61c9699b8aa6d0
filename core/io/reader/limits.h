#pragma once
// Resource limits of the reader program.

#include <string>

namespace sscope::io {

// No core files, ends with its parent, address space and file sizes limited to the free memory, few descriptors, no
// further processes or threads, and as much processor time as reading `path` (a file or folder) into that memory can
// take. Called once, at the start.
void limitThisProcess(const std::string& path);

// Bytes that could be allocated at the start: free memory less a reserve for other programs; 0 when unknown.
[[nodiscard]] double memoryAllowance();

// Forbids writing to any file from now on, the voxel memory's included; writing to mapped memory remains possible.
void forbidLargerFiles();

}  // namespace sscope::io
